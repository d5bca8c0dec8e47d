import CRealtime
import DSP
import Glibc
import Graphs
import RealtimeCore
import SampleRate

/// A device in simulated time: it plays when its owner makes time pass, on the owner's thread.
///
/// The code that runs is the audio loop of a sound card, on a card and a clock that are simulated: its buffer, its pointer,
/// what goes wrong with it (`troubles`) and what it is like (`hardware`). Nothing depends on how fast the machine is.
///
/// Its buffer is full of silence at the start, so that a frame is heard a buffer later than it was rendered. Whenever a
/// period has been played, as much is rendered, and the frames captured meanwhile are passed on; if its rate is not the
/// renderer's, it is converted. The sound that it has played is in `played`, so a test gets what a listener would hear.
///
/// Sendable: every call takes one lock, which its holder may take again, so that one thread at a time writes and reads.
public final class SimulatedPort: DevicePort, @unchecked Sendable {
    private let lock = RepeatableLock()
    /// A program may change them while time passes.
    private struct Settings {
        var keepsPlayed = true
        var captures: (@Sendable (_ frame: Int, _ channel: Int) -> Float)?
        var troubles: [SimulatedTrouble] = []
        var renderLoad = 0.0
        var hardware = SimulatedHardware()
        var isLost = false
    }
    private var settings = Settings()
    private var heard: [[Float]] = []

    /// The sound that was heard so far, channels x frames at the device's rate, from `start` on; whole steps of the device's
    /// pointer.
    public var played: [[Float]] { lock.held { heard } }

    /// True if `played` holds what is heard: not if days of it pass.
    public var keepsPlayed: Bool {
        get { lock.held { settings.keepsPlayed } }
        set { lock.held { settings.keepsPlayed = newValue } }
    }

    /// Takes what was heard so far out of `played`.
    public func takeHeard() -> [[Float]] {
        lock.held {
            defer { heard = heard.map { _ in [] } }
            return heard
        }
    }

    /// The sound that there is to capture: the sample of a channel at a frame of the device, counted from `start`. Silence
    /// without.
    public var captures: (@Sendable (_ frame: Int, _ channel: Int) -> Float)? {
        get { lock.held { settings.captures } }
        set { lock.held { settings.captures = newValue } }
    }

    /// The troubles that the device meets, at any time from `start` on. Set before time comes to it.
    public var troubles: [SimulatedTrouble] {
        get { lock.held { settings.troubles } }
        set {
            lock.held {
                settings.troubles = newValue
                postTroubles()
            }
        }
    }

    /// The time that rendering takes, as a share of the time that the sound lasts: 0 on a machine without end, beyond 1 on one
    /// that cannot keep up. A value that is not finite counts as 0.
    public var renderLoad: Double {
        get { lock.held { settings.renderLoad } }
        set {
            lock.held {
                settings.renderLoad = newValue.finite
                device.pointee.renderLoad = settings.renderLoad
            }
        }
    }

    /// The properties of the device, from the next `open` on.
    public var hardware: SimulatedHardware {
        get { lock.held { settings.hardware } }
        set { lock.held { settings.hardware = newValue } }
    }

    /// The grant of the device, from the first `open` on.
    public var grant: DeviceGrant? { lock.held { granted } }
    public var status: DeviceStatus { lock.held { view.status.value } }
    /// Histograms of the audio loop, in simulated time.
    package var report: TimingReport? { lock.held { view.report } }
    package var margin: Int { 0 }
    package var hasOwnThread: Bool { false }
    package var threadPriority: ThreadPriority? { nil }
    package var lastError: DeviceError? { nil }
    /// A buffer and a period, and if the capture side has a clock of its own, what keeping step with it takes.
    public var inputLatency: Int {
        lock.held {
            guard let granted else { return 0 }
            let apart = sides?.follower == nil ? 0 : 2 * granted.periodFrames + CaptureFollower.latency
            return granted.bufferFrames + granted.periodFrames + apart
        }
    }

    private let sampleRate: Int?, periodFrames: Int?, channels: Int?
    private let refusal: DeviceError?
    private var granted: DeviceGrant?
    private var renderer: Renderer?
    private var capture: CaptureQueue?
    private var input: CaptureQueue?
    private var claim: PullClaim?
    private var helpers: RenderThreads?
    private var willPull: () -> Void = {}
    private var view = LoopView()
    private var block = AudioBuffer(channels: 1, capacity: 1)
    private var sides: SimulatedSides?
    let device: UnsafeMutablePointer<SimulatedDevice> = .allocate(capacity: 1)
    private let loop: UnsafeMutablePointer<AudioLoop> = .allocate(capacity: 1)
    /// Frames of the device.
    private var goal: Int64 = 0
    private var isFirst = true
    private var longestHoldUp = 0.0

    /// Creates a device that has the given rate, period and channels, for any request; nil means as requested.
    ///
    /// - Parameter refusal: why it cannot be opened, for a device that cannot.
    public init(
        sampleRate: Int? = nil, periodFrames: Int? = nil, channels: Int? = nil, refusal: DeviceError? = nil
    ) {
        (self.sampleRate, self.periodFrames, self.channels, self.refusal) = (sampleRate, periodFrames, channels, refusal)
        device.initialize(
            to: SimulatedDevice(
                rate: 48_000, periodFrames: 1, bufferFrames: 1, channels: 1, hardware: settings.hardware))
    }

    deinit {
        stop()
        device.pointee.deallocate()
        device.deallocate()
        loop.deallocate()
    }

    /// Opens it with the rate, the period and the channels that it has.
    package func open(
        _ renderer: Renderer, _ request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant {
        lock.lock()
        defer { lock.unlock() }
        if let refusal { throw refusal }
        let request = try request.resolved()
        let rate = sampleRate ?? request.deviceRate ?? request.sampleRate
        try request.check(device: "simulated", rate: rate)
        let frames = max(1, periodFrames ?? request.periodFrames * rate / request.sampleRate)
        let converter = try SimulatedSides.converter(for: request, rate: rate)
        stop()
        let played = request.playback ? channels ?? request.deviceChannels : 0
        let granted = DeviceGrant(
            request: request, device: "simulated", sampleRate: rate, periodFrames: frames,
            bufferFrames: frames * request.periods, format: .float32, channels: played,
            layout: ChannelPlacing(request, channels: played, speakers: hardware.speakers).layout,
            captureChannels: request.capture ? request.captureChannels : 0)
        (self.renderer, self.capture, self.input) = (renderer, capture, input)
        self.granted = granted
        device.pointee.deallocate()
        device.pointee = SimulatedDevice(
            rate: rate, periodFrames: frames, bufferFrames: granted.bufferFrames, channels: granted.channels,
            hardware: hardware)
        device.pointee.captureChannels = granted.captureChannels
        device.pointee.plays = request.playback
        device.pointee.renderLoad = renderLoad
        device.pointee.watch(renderer, sampleRate: request.sampleRate)
        postTroubles()
        sides = SimulatedSides(device, granted, hardware, converter: converter)
        block = AudioBuffer(channels: request.channels, capacity: max(granted.sliceFrames, frames))
        view = LoopView()
        return granted
    }

    /// Fills the buffer with silence; time begins.
    public func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError) {
        lock.lock()
        defer { lock.unlock() }
        guard let renderer, let grant, claim == nil else { return }
        let taken: PullClaim
        do { taken = try PullClaim(renderer) } catch { throw .alreadyPulled }
        // Simulated time is rendered on the thread that makes it pass, which has no priority of its own.
        helpers = try grant.request.makeThreads(inRealTime: false)
        claim = taken
        heard = Array(repeating: [], count: grant.channels)
        goal = 0
        loop.initialize(
            to: AudioLoop(
                renderer, grant.request, view: view, time: SimulatedDevice.clock(device), block: block, devices: 1,
                tap: capture, input: input, threads: helpers))
        loop.pointee.begin()
        isFirst = true
        self.willPull = willPull
        advance(frames: 0)
    }

    /// Ends time; what was played can still be read.
    public func stop() {
        lock.lock()
        defer { lock.unlock() }
        if claim != nil {
            loop.pointee.end()
            loop.deinitialize(count: 1)
        }
        claim = nil
        helpers = nil
        renderer = nil
        capture = nil
        input = nil
        willPull = {}
        sides?.close()
    }

    /// The simulated clock: nanoseconds, as those of `DeviceTime`.
    public var nanoseconds: Int64 { lock.held { device.pointee.now } }

    /// Advances by `milliseconds`.
    public func pass(milliseconds: Int) { advance(seconds: Double(max(milliseconds, 0)) / 1000) }

    /// Advances by `seconds`, rounded to frames of the device; none if that is not a finite number.
    public func advance(seconds: Double) {
        lock.lock()
        defer { lock.unlock() }
        advance(frames: Int(nearest: seconds * Double(granted?.sampleRate ?? 0)))
    }

    /// Advances by `duration`, rounded to frames of the device.
    public func advance(_ duration: Duration) { advance(seconds: duration.inSeconds) }

    /// Advances by `frames` frames of the device. The loop does everything that is due until then, and nothing that is due later.
    public func advance(frames: Int) {
        lock.lock()
        defer { lock.unlock() }
        guard claim != nil else { return }
        goal += Int64(frames)
        device.pointee.limit = device.pointee.frames.nanoseconds(at: goal)
        makeRoom()
        var isOver = false
        while !isOver {
            willPull()
            switch loop.pointee.turn() {
            case .done: break
            case .open: open()
            case .close:
                loop.pointee.release()
                device.pointee.close()
            case .paused, .lend, .finished: isOver = true
            }
        }
        device.pointee.settle()
        takePlayed()
    }

    /// Makes `seconds` pass, with nothing but turns of the loop between `before` and `after`; for tests that watch them.
    /// Returns their number. Ends early if a device is to be opened or closed.
    package func watch(seconds: Double, before: () -> Void, after: () -> Void) -> Int {
        lock.lock()
        defer { lock.unlock() }
        goal += Int64(Int(nearest: seconds * Double(granted?.sampleRate ?? 0)))
        device.pointee.limit = device.pointee.frames.nanoseconds(at: goal)
        makeRoom()
        var turns = 0
        before()
        while loop.pointee.turn() == .done { turns += 1 }
        after()
        takePlayed()
        return turns
    }

    /// Makes the device run out of sound for `periods`: silence is heard, and musical time runs on. `troubles` grows by the
    /// hold-up.
    public func xrun(periods: Int = 1) {
        lock.lock()
        defer { lock.unlock() }
        guard claim != nil, let grant else { return }
        device.pointee.drop()
        let now = Double(device.pointee.now) / 1e9
        let length = Double(periods * grant.periodFrames) / Double(grant.sampleRate)
        troubles.append(.holdUp(at: now, lasting: length))
        advance(frames: periods * grant.periodFrames)
    }

    /// True while the device is gone. Musical time runs on meanwhile, unheard; one that is there again is opened soon after.
    public var isLost: Bool {
        get { lock.held { settings.isLost } }
        set {
            lock.lock()
            defer { lock.unlock() }
            let wasLost = settings.isLost
            settings.isLost = newValue
            guard claim != nil, newValue != wasLost else { return }
            device.pointee.lose(until: newValue ? .max : device.pointee.now)
            advance(frames: 0)
        }
    }

    // MARK: - Between two turns

    private func open() {
        guard let grant, let renderer, let sides else { return }
        guard device.pointee.open() else { return loop.pointee.answer(.openFailed(ENODEV)) }
        loop.pointee.adopt(
            sides.playback, capture: sides.capture, follower: sides.follower, isLinked: sides.follower == nil,
            converter: sides.converter, sliceFrames: grant.sliceFrames)
        if isFirst {
            isFirst = false
            // A whole buffer of silence, which is where the loop finds the next slice's place.
            let next = renderer.sampleTime.rawValue, buffer = Double(grant.bufferFrames) * sides.playback.lane.ratio
            loop.pointee.beginSilent(at: next - Int64(buffer.rounded()))
        }
        loop.pointee.answer(.opened)
    }

    private func postTroubles() {
        longestHoldUp = troubles.reduce(0) { if case .holdUp(_, let length) = $1 { max($0, length.finite) } else { $0 } }
        device.pointee.set(troubles)
    }

    /// Memory for what is heard, and sound to capture, until the goal; short waits go beyond it, and what holds them up.
    private func makeRoom() {
        guard let grant else { return }
        device.pointee.makeRoom(until: goal + Int64((longestHoldUp + 1) * Double(grant.sampleRate)))
        guard let captures = settings.captures, grant.captureChannels > 0 else { return }
        // A clock of its own may be ahead by as many parts per million.
        let ahead = sides?.follower == nil ? 0 : goal / 1000
        device.pointee.captureSound(until: goal + ahead + Int64(grant.periodFrames)) { Float(captures($0, $1)) }
    }

    private func takePlayed() {
        guard let grant else { return }
        let count = device.pointee.heardCount, channels = grant.channels
        for channel in 0..<(keepsPlayed ? channels : 0) {
            for i in 0..<count { heard[channel].append(device.pointee.heard[i * channels + channel]) }
        }
        device.pointee.heardCount = 0
    }
}
