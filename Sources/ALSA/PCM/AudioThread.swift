import CRealtime
import Glibc
import Graph
import RealtimeCore
import RemoteIO
import SampleRate
import Synchronization

/// The audio thread of `RemoteIOUnit`: performs what `DeviceState` asks for and tells it what came of it.
///
/// While a device plays, the thread allocates nothing, takes no lock and waits only in `poll` for the device or for the
/// event that ends it. Opening and closing a device, which happens while nothing is heard, does allocate.
final class AudioThread: @unchecked Sendable {
    /// What is set while no slice is rendered.
    struct Notes {
        var grant: DeviceGrant
        var priority: ThreadPriority?
        var error: DeviceError?
    }

    /// What the thread works with; nobody else touches it once the thread runs.
    struct State {
        var machine: DeviceState
        var clock: DeviceClock
        var substitute: SubstituteClock
        var governor = LoadGovernor()
        var published = DeviceStatus()
        var lane: PCMStream.Lane?
        var captureLane: PCMStream.Lane?
        var converter: RateConverter?
        /// Frames of a slice, and of the buffer that the substitute clock imitates, at the renderer's rate.
        var sliceFrames: Int
        var bufferFrames: Int
        /// Frames of the fade-in that are still to come, of `fadeFrames`.
        var fadeLeft = 0
        var fadeFrames: Int
        /// How long the last slice took to render, or slices as long as one, nanoseconds.
        var lastRender: Int64 = 0
        /// How long shorter slices since then took, nanoseconds, and their frames.
        var shortRender: Int64 = 0
        var shortFrames = 0
        var lastLateness: Int64 = 0
        /// Frames by which the last start came too late for its place in time: made up for at the next, so that starts
        /// do not add up.
        var debt: Int64 = 0
        /// How the buffer of the device that is open is filled.
        var filling = FillPolicy(period: 1, buffer: 1)
        /// When sound began again after the last xrun.
        var restarted: Int64 = 0
        /// The moment since which the thread has not waited.
        var busySince: Int64 = 0
        /// The sample time of the first captured frame, and the frames since.
        var captureOrigin: Int64 = 0
        var capturedFrames = 0
    }

    let renderer: Renderer
    let request: DeviceRequest
    let report: TimingReport
    /// The report's own, at hand.
    let renderTime: TimingHistogram, wakeLateness: TimingHistogram, clockError: TimingHistogram
    let notes: Mutex<Notes>
    /// Published by the audio thread after every slice.
    let status = Snapshot(DeviceStatus())
    /// Index of a device further up the list that can be had again, -1 for none. Written by `DeviceWatch`.
    let betterDevice = Atomic<Int>(-1)
    /// The slice being rendered.
    let block: AudioBuffer
    let capture: CaptureQueue?
    let input: CaptureQueue?
    let inputTap: Unmanaged<CaptureQueue>?
    let state: UnsafeMutablePointer<State>
    private let tap: Unmanaged<CaptureQueue>?
    private let stopEvent: Int32
    /// Owned by whoever runs: `init`, then the audio thread.
    private(set) var stream: PCMStream?

    init(
        renderer: Renderer, request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?
    ) throws(DeviceError) {
        self.renderer = renderer
        self.request = request
        let report = TimingReport()
        self.report = report
        renderTime = report.renderTime
        wakeLateness = report.wakeLateness
        clockError = report.clockError
        self.capture = capture
        tap = capture.map { Unmanaged.passUnretained($0) }
        inputTap = input.map { Unmanaged.passUnretained($0) }
        self.input = input
        let null = DeviceGrant(
            request: request, device: "null", sampleRate: request.sampleRate, periodFrames: request.periodFrames,
            bufferFrames: request.periodFrames * request.periods, format: .float32, channels: request.channels)
        notes = Mutex(Notes(grant: null))
        block = AudioBuffer(channels: request.channels, capacity: PCMStream.longestPeriod)
        stopEvent = rt_event_make()
        state = .allocate(capacity: 1)
        state.initialize(to: State(
            machine: DeviceState(deviceCount: request.realDevices.count),
            clock: DeviceClock(sampleRate: Double(request.sampleRate), latency: 0),
            substitute: SubstituteClock(frame: 0, at: 0, sampleRate: request.sampleRate),
            sliceFrames: request.periodFrames, bufferFrames: request.periodFrames * request.periods,
            fadeFrames: max(1, request.sampleRate / 100)))
        if stopEvent < 0 { throw .noThread(code: errno) }
        try openFirst()
    }

    deinit {
        stream = nil
        if stopEvent >= 0 { close(stopEvent) }
        state.deallocate()
    }

    /// Opens the first device that can be had, so that whoever asks learns of a refusal at once.
    private func openFirst() throws(DeviceError) {
        let devices = request.realDevices
        var first: DeviceError?
        for (index, name) in devices.enumerated() {
            do {
                adopt(try PCMStream(device: name, request: request))
                state.pointee.machine = DeviceState(deviceCount: devices.count, first: index)
                return
            } catch { first = first ?? error }
        }
        let isNullAllowed = request.devices.contains("null") || request.startsWithoutDevice
        if let first {
            if !isNullAllowed { throw first }
            notes.withLock { $0.error = first }
        }
    }

    private func adopt(_ new: PCMStream) {
        let grant = new.grant
        let ratio = new.lane.ratio
        stream = new
        state.pointee.lane = new.lane
        state.pointee.captureLane = new.captureLane
        state.pointee.converter = new.converter
        state.pointee.sliceFrames = grant.sliceFrames
        state.pointee.filling = FillPolicy(
            period: new.lane.periodFrames, buffer: new.lane.bufferFrames, fillsRest: new.converter == nil,
            keepsFull: request.keepsFull)
        state.pointee.bufferFrames = Int((Double(grant.bufferFrames) * ratio).rounded())
        new.lane.descriptors[new.lane.descriptorCount] = pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0)
        notes.withLock {
            $0.grant = grant
            $0.error = nil
        }
    }

    /// Makes the thread end. Any thread.
    func requestStop() { rt_event_signal(stopEvent) }

    // MARK: - Audio thread

    /// The whole life of the thread.
    func run() {
        rt_thread_name("carillon-audio")
        let priority = ThreadPriority.promoteCurrentThread(priority: request.priority)
        notes.withLock { $0.priority = priority }
        var effects = begin()
        while let next = step(effects) { effects = next }
    }

    /// What is to be done first.
    func begin() -> DeviceEffects {
        // One slice that nobody hears: code pages and jump tables are there before they are needed in time.
        renderSlice(isHeard: false, isMeasured: false)
        state.pointee.busySince = rt_monotonic_nanoseconds()
        return state.pointee.machine.handle(.start, at: rt_monotonic_nanoseconds())
    }

    /// Does it, and returns what is to be done then; nil at the end.
    func step(_ effects: DeviceEffects) -> DeviceEffects? {
        var event = DeviceEvent.stop
        for index in 0..<effects.count {
            if case .finish = effects[index] {
                publish()
                return nil
            }
            if let answer = perform(effects[index]) { event = answer }
        }
        return state.pointee.machine.handle(event, at: rt_monotonic_nanoseconds())
    }

    private func perform(_ effect: DeviceEffect) -> DeviceEvent? {
        switch effect {
        case .serveDevice: return serveDevice()
        case .awaitSubstitute: return awaitSubstitute()
        case .pullSubstitute: renderSlice(isHeard: false)
        case .beginSubstitute: beginSubstitute()
        case .open(let index): return reopen(index)
        case .start: return startDevice()
        case .restart: return restartDevice()
        case .fadeIn: state.pointee.fadeLeft = state.pointee.fadeFrames
        case .prepare: return prepare()
        case .resume: return resume()
        case .close: closeDevice()
        case .finish: return nil
        }
        return nil
    }

    private func reopen(_ index: Int) -> DeviceEvent {
        if stream != nil { return .opened }
        let devices = request.realDevices
        guard index < devices.count else { return .openFailed(ENODEV) }
        do {
            adopt(try PCMStream(device: devices[index], request: request))
            return .opened
        } catch {
            notes.withLock { $0.error = error }
            return .openFailed(error.code)
        }
    }

    private func closeDevice() {
        state.pointee.lane = nil
        state.pointee.captureLane = nil
        state.pointee.converter = nil
        stream = nil
    }

    /// The system's clock takes over from where the device was.
    private func beginSubstitute() {
        let now = rt_monotonic_nanoseconds()
        let next = renderer.sampleTime.rawValue
        let buffer = Int64(state.pointee.bufferFrames), slice = Int64(state.pointee.sliceFrames)
        var pointer = next - (buffer - slice)
        if state.pointee.clock.hasAnchor {
            // What the device had not played yet is not heard, but its time passes.
            pointer = min(max(state.pointee.clock.time.sampleTime(atNanoseconds: now).rawValue, pointer - slice), next)
            pointer += state.pointee.debt
        }
        state.pointee.substitute = SubstituteClock(frame: pointer, at: now, sampleRate: request.sampleRate)
        state.pointee.clock.reanchor()
        publish()
    }

    /// Waits until the next slice is due by the substitute clock.
    private func awaitSubstitute() -> DeviceEvent {
        let now = rt_monotonic_nanoseconds()
        state.pointee.substitute.follow(now)
        publish()
        let due = renderer.sampleTime.rawValue - Int64(state.pointee.bufferFrames - state.pointee.sliceFrames)
        let deadline = state.pointee.substitute.nanoseconds(atFrame: due)
        // A process that slept for long does not make up for it.
        if now - deadline > 1_000_000_000 {
            state.pointee.substitute = SubstituteClock(frame: due, at: now, sampleRate: request.sampleRate)
        }
        if !breathe() { return .stop }
        return sleep(until: deadline) ? .tick : .stop
    }

    /// Sleeps till a moment of CLOCK_MONOTONIC; false when it is time to end.
    func sleep(until deadline: Int64) -> Bool {
        let before = rt_monotonic_nanoseconds()
        if rt_event_wait(stopEvent, deadline) { return false }
        noteWait(from: before)
        return true
    }

    /// Takes note of a wait that began at `before`. One of less than 20 us may not have been one.
    func noteWait(from before: Int64) {
        let now = rt_monotonic_nanoseconds()
        if now - before >= 20_000 { state.pointee.busySince = now }
    }

    /// A wait of 100 us if there was none for 50 ms; false when it is time to end. The kernel ends a process whose
    /// real-time thread works for as long as RLIMIT_RTTIME says without a wait, and with RealtimeKit that is 200 ms.
    func breathe() -> Bool {
        let now = rt_monotonic_nanoseconds()
        return now - state.pointee.busySince < AudioThread.breath || sleep(until: now + 100_000)
    }

    /// Nanoseconds by which the audio thread of a machine that nothing holds up may wake late.
    static let punctual: Int64 = 200_000
    /// Nanoseconds in which the MIDI thread hands over what it has.
    static let eventTime: Int64 = 300_000
    /// Nanoseconds of work after which the thread waits for a moment.
    static let breath: Int64 = 50_000_000

    /// Renders a slice into `block`, and shows it to whoever records.
    func renderSlice(isHeard: Bool, isMeasured: Bool = true, frames: Int? = nil) {
        let frames = frames ?? state.pointee.sliceFrames
        let time = renderer.sampleTime
        let before = rt_monotonic_nanoseconds()
        _ = renderer.render(into: AudioBlock(block.channels, channelCount: block.channelCount, frames: frames))
        let taken = rt_monotonic_nanoseconds() - before
        state.pointee.published.slices &+= 1
        if isMeasured { measure(taken, frames) }
        // Borrowed, so that no count of references moves.
        if let tap {
            tap._withUnsafeGuaranteedRef {
                $0.push(block.channels, channelCount: block.channelCount, frames: frames, at: time)
            }
        }
        if isHeard, state.pointee.fadeLeft > 0 { fade(frames) }
    }

    /// Takes note of what a slice took. Short ones count together: any interruption would make a burden of one of them.
    private func measure(_ taken: Int64, _ frames: Int) {
        state.pointee.shortRender += taken
        state.pointee.shortFrames += frames
        if state.pointee.shortFrames < state.pointee.sliceFrames { return }
        let frames = Int64(state.pointee.shortFrames), whole = state.pointee.shortRender
        (state.pointee.shortRender, state.pointee.shortFrames) = (0, 0)
        // Together they may be longer than one.
        let render = whole * Int64(state.pointee.sliceFrames) / max(frames, 1)
        renderTime.add(render)
        state.pointee.lastRender = render
        state.pointee.published.renderNanoseconds = render
        let level = state.pointee.governor.update(
            render: whole, budget: frames * 1_000_000_000 / Int64(request.sampleRate))
        if level != state.pointee.published.sheddingLevel { renderer.shed(level) }
        state.pointee.published.sheddingLevel = level
    }

    /// The part of a fade-in that falls into this slice: a straight line.
    private func fade(_ frames: Int) {
        let whole = state.pointee.fadeFrames
        let done = whole - state.pointee.fadeLeft
        for c in 0..<block.channelCount {
            let samples = block.channels[c]
            for i in 0..<min(frames, state.pointee.fadeLeft) {
                samples[i] *= Float(Int32(truncatingIfNeeded: done + i)) / Float(Int32(truncatingIfNeeded: whole))
            }
        }
        state.pointee.fadeLeft = max(0, state.pointee.fadeLeft - frames)
    }

    /// Shows everybody how things are.
    func publish() {
        state.pointee.published.phase = state.pointee.machine.phase
        state.pointee.published.device = state.pointee.machine.device
        state.pointee.published.lastCode = state.pointee.machine.lastCode
        state.pointee.published.counts = state.pointee.machine.counts
        state.pointee.published.sampleTime = renderer.sampleTime
        state.pointee.published.load = state.pointee.governor.load
        state.pointee.published.sheddingRises = state.pointee.governor.rises
        let latency = Int32(truncatingIfNeeded: state.pointee.bufferFrames + request.eventMargin)
        state.pointee.clock.latency = latency
        if state.pointee.machine.isSubstituted {
            state.pointee.published.time = state.pointee.substitute.deviceTime(latency: latency)
        } else if state.pointee.clock.hasAnchor {
            state.pointee.published.time = state.pointee.clock.time
        }
        status.publish(state.pointee.published)
    }
}
