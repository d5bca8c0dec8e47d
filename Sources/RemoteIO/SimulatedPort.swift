import Graph
import RealtimeCore
import SampleRate

/// A device in simulated time: it plays when it is told how much time passes, in the thread of whoever tells it.
///
/// It works as a sound card does. Its buffer is full of silence at the start, so that a frame is heard a buffer later than
/// it was rendered; one period is played, one is rendered, and what was captured meanwhile is handed over; where its rate
/// is not the renderer's, it is converted. What it played stands in `played`, so a test hears what a person would.
/// One thread.
public final class SimulatedPort: DevicePort, @unchecked Sendable {
    /// What was heard so far, channels x frames at the device's rate, from `start` on.
    public private(set) var played: [[Float]] = []
    /// What there is to capture: the sample of a channel at a frame of the device, counted from `start`. Silence without.
    public var captures: ((_ frame: Int, _ channel: Int) -> Float)?
    public private(set) var grant: DeviceGrant?
    public private(set) var status = DeviceStatus()
    public var margin: Int { 0 }
    public var hasOwnThread: Bool { false }
    public var inputLatency: Int { grant.map { $0.bufferFrames + $0.periodFrames } ?? 0 }

    private let sampleRate: Int?, periodFrames: Int?, channels: Int?
    private let refusal: DeviceError?
    private var renderer: Renderer?
    private var input: CaptureQueue?
    private var claim: PullClaim?
    private var willPull: () -> Void = {}
    private var converter: RateConverter?
    private var slice = AudioBuffer(channels: 1, capacity: 1), period = AudioBuffer(channels: 1, capacity: 1)
    private var captured = AudioBuffer(channels: 1, capacity: 1)
    /// Rendered and not played yet: channels x frames.
    private var buffer: [[Float]] = []
    /// The sample time that the first played frame has, and the frames played that are not a whole period yet.
    private var origin: Int64 = 0
    private var owed = 0

    /// A device that has the rate, the period and the channels given, whatever is wanted; nil is what is wanted.
    ///
    /// - Parameter refusal: why it cannot be opened, for a device that cannot.
    public init(
        sampleRate: Int? = nil, periodFrames: Int? = nil, channels: Int? = nil, refusal: DeviceError? = nil
    ) {
        self.sampleRate = sampleRate
        self.periodFrames = periodFrames
        self.channels = channels
        self.refusal = refusal
    }

    deinit { converter?.close() }

    /// Opens it with the rate, the period and the channels that it has.
    public func open(
        _ renderer: Renderer, _ request: DeviceRequest, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant {
        if let refusal { throw refusal }
        let rate = sampleRate ?? request.deviceRate ?? request.sampleRate
        try request.check(device: "simulated", rate: rate)
        let frames = max(1, periodFrames ?? request.periodFrames * rate / request.sampleRate)
        var converter: RateConverter?
        if rate != request.sampleRate {
            do { converter = try RateConverter(from: request.sampleRate, to: rate, channels: request.channels) } catch {
                throw .conversion(device: "simulated", from: request.sampleRate, to: rate, reason: error.reason)
            }
        }
        stop()
        let granted = DeviceGrant(
            request: request, device: "simulated", sampleRate: rate, periodFrames: frames,
            bufferFrames: frames * request.periods, format: .float32, channels: channels ?? request.channels,
            captureChannels: request.capture ? request.captureChannels : 0)
        self.renderer = renderer
        self.input = input
        self.converter = converter
        grant = granted
        slice = AudioBuffer(channels: request.channels, capacity: max(granted.sliceFrames, frames))
        period = AudioBuffer(channels: request.channels, capacity: frames)
        captured = AudioBuffer(channels: max(granted.captureChannels, 1), capacity: frames)
        status = DeviceStatus()
        return granted
    }

    /// Fills the buffer with silence; time begins.
    public func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError) {
        guard let renderer, let grant, claim == nil else { return }
        do { claim = try PullClaim(renderer) } catch { throw .alreadyPulled }
        played = Array(repeating: [], count: grant.channels)
        buffer = Array(repeating: Array(repeating: 0, count: grant.bufferFrames), count: grant.channels)
        origin = renderer.sampleTime.rawValue - Int64(engineFrames(grant.bufferFrames))
        owed = 0
        self.willPull = willPull
        status.phase = .running
        publish()
    }

    /// Time ends; what was played stays to be looked at.
    public func stop() {
        claim = nil
        renderer = nil
        input = nil
        willPull = {}
        converter?.close()
        converter = nil
        status.phase = .stopped
    }

    // MARK: - Time

    /// Lets `seconds` pass, rounded to frames of the device.
    public func advance(seconds: Double) {
        advance(frames: Int((seconds * Double(grant?.sampleRate ?? 0)).rounded()))
    }

    /// Lets so many frames of the device pass. A slice is rendered whenever a whole period has been played.
    public func advance(frames: Int) {
        guard let grant, claim != nil else { return }
        owed += frames
        while owed >= grant.periodFrames {
            owed -= grant.periodFrames
            turn(isHeard: status.phase == .running)
        }
    }

    /// The device runs out of sound for as many periods: silence is heard, and musical time runs on.
    public func xrun(periods: Int = 1) {
        guard claim != nil else { return }
        status.counts.driver += 1
        for _ in 0..<periods { turn(isHeard: false) }
    }

    /// The device is gone, or there again. Musical time runs on meanwhile, unheard.
    public var isLost = false {
        didSet {
            guard claim != nil, isLost != oldValue else { return }
            status.phase = isLost ? .lost : .running
            if isLost { status.counts.losses += 1 } else { status.counts.returns += 1 }
        }
    }

    /// A period is played, then as much is rendered, then what was captured meanwhile is handed over.
    private func turn(isHeard: Bool) {
        guard let grant, let renderer else { return }
        let frames = grant.periodFrames, start = played[0].count
        for channel in 0..<grant.channels {
            if isHeard { played[channel] += buffer[channel][..<frames] } else {
                played[channel] += repeatElement(0, count: frames)
            }
            buffer[channel].removeFirst(frames)
        }
        if let converter {
            let made = converter.output(period.channels, frames: frames, from: slice.channels) {
                render(renderer, grant.sliceFrames)
                return grant.sliceFrames
            }
            precondition(made == frames, "libsoxr converts without an end")
            keep(period, frames, grant)
        } else {
            render(renderer, frames)
            keep(slice, frames, grant)
        }
        capture(from: start, frames, grant)
        publish()
    }

    private func render(_ renderer: Renderer, _ frames: Int) {
        willPull()
        _ = renderer.render(into: AudioBlock(slice.channels, channelCount: slice.channelCount, frames: frames))
        status.slices += 1
    }

    private func keep(_ sound: AudioBuffer, _ frames: Int, _ grant: DeviceGrant) {
        for channel in 0..<grant.channels {
            if channel < sound.channelCount {
                buffer[channel] += sound[channel: channel][..<frames]
            } else {
                buffer[channel] += repeatElement(0, count: frames)
            }
        }
    }

    private func capture(from start: Int, _ frames: Int, _ grant: DeviceGrant) {
        guard let input, grant.captureChannels > 0 else { return }
        for channel in 0..<grant.captureChannels {
            for i in 0..<frames { captured.channels[channel][i] = captures?(start + i, channel) ?? 0 }
        }
        input.push(
            captured.channels, channelCount: grant.captureChannels, frames: frames,
            at: SampleTime(origin + Int64(start)))
        status.capturedFrames += frames
    }

    private func publish() {
        guard let grant, let renderer else { return }
        let rate = Double(grant.request.sampleRate), heard = played.first?.count ?? 0
        status.sampleTime = renderer.sampleTime
        status.time = DeviceTime(
            anchorNanoseconds: Int64(Double(heard) / Double(grant.sampleRate) * 1e9),
            anchorFrame: origin + Int64(engineFrames(heard)), anchorFraction: 0, framesPerNanosecond: rate / 1e9,
            latency: Int32(engineFrames(grant.bufferFrames)), isSettled: true)
    }

    /// Frames of the device in frames of the renderer.
    private func engineFrames(_ frames: Int) -> Int {
        guard let grant else { return frames }
        return Int((Double(frames) * Double(grant.request.sampleRate) / Double(grant.sampleRate)).rounded())
    }
}
