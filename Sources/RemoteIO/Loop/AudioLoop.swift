// [render]
import CRealtime
import Glibc
import Graphs
import RealtimeCore
import SampleRate

/// The loop that runs while a device plays: wait, note its pointer, render, convert, write; start, go on after an xrun, stand
/// in for a device that is gone.
///
/// It performs what `DeviceState` asks for and reports the outcome to it, over two tables of functions: a device (`rt_pcm`)
/// and a clock (`rt_clock`). A sound card is one such pair, simulated time another. The owner opens and closes devices
/// between two turns, which may allocate. All else allocates nothing, takes no lock and waits only for the device or for a
/// moment.
///
/// One thread takes the turns; others look at its `LoopView`.
package struct AudioLoop: ~Copyable {
    package let renderer: Unmanaged<Renderer>
    let view: Unmanaged<LoopView>
    /// The view's own.
    let renderTime: Unmanaged<TimingHistogram>, wakeLateness: Unmanaged<TimingHistogram>
    let clockError: Unmanaged<TimingHistogram>
    let time: rt_clock
    let sampleRate: Int, eventMargin: Int, keepsFull: Bool, spreadsMono: Bool
    let block: UnsafePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    /// Gets every slice, heard or not; gets what is captured.
    let tap: Unmanaged<CaptureQueue>?, input: Unmanaged<CaptureQueue>?
    let crew: Unmanaged<RenderCrew>?

    package internal(set) var machine: DeviceState
    package var clock: DeviceClock
    package var substitute: SubstituteClock
    var governor = LoadGovernor()
    var published = DeviceStatus()
    var lane: DeviceLane?, captureLane: DeviceLane?
    /// Keeps a capture side with a clock of its own in step; nil if there is one clock.
    var follower: Unmanaged<CaptureFollower>?
    var pulled: PulledLane?
    var gate: UnsafeMutablePointer<PullGate>?
    /// True if both sides start and stop together.
    var isLinked = false
    var converter: RateConverter?
    /// Frames of a slice, and of the buffer that the substitute clock imitates, at the renderer's rate.
    var sliceFrames: Int, bufferFrames: Int
    /// Frames of the fade-in that are still to come, of `fadeFrames`.
    var fadeLeft = 0
    let fadeFrames: Int
    /// The time that the last slice took to render, or slices as long as one, nanoseconds.
    var lastRender: Int64 = 0
    /// The time that shorter slices since then took, in nanoseconds, and their frames.
    var shortRender: Int64 = 0
    var shortFrames = 0
    var lastLateness: Int64 = 0
    /// Frames by which the last start came too late: made up for at the next, so that starts do not add up.
    var debt: Int64 = 0
    var filling = FillPolicy(period: 1, buffer: 1)
    /// When sound began again after the last xrun.
    var restarted: Int64 = 0
    /// The moment since which the thread has not waited.
    package var busySince: Int64 = 0
    /// The sample time of the first captured frame, and the frames since.
    var captureOrigin: Int64 = 0
    var capturedFrames = 0
    /// The work at hand: effects, the next one's place, and what the last one answered.
    private var effects = DeviceEffects(.awaitSubstitute)
    private var place = 0
    private var event = DeviceEvent.stop
    /// A wait was put off because simulated time stands still.
    var isPaused = false
    var pausedWait: DeviceWait?

    /// Creates a loop that has not begun. Control side.
    ///
    /// - Parameters:
    ///   - view, tap, input, block, threads: must outlive it.
    ///   - block: the slice, with the request's channels.
    ///   - devices: how many there are to open.
    package init(
        _ renderer: Renderer, _ request: DeviceRequest, view: LoopView, time: rt_clock, block: AudioBuffer, devices: Int,
        tap: CaptureQueue?, input: CaptureQueue?, threads: RenderThreads? = nil
    ) {
        crew = threads.map { .passUnretained($0.crew) }
        self.renderer = .passUnretained(renderer)
        self.view = .passUnretained(view)
        renderTime = .passUnretained(view.report.renderTime)
        wakeLateness = .passUnretained(view.report.wakeLateness)
        clockError = .passUnretained(view.report.clockError)
        self.time = time
        sampleRate = request.sampleRate
        eventMargin = request.eventMargin
        keepsFull = request.keepsFull
        spreadsMono = request.channels > 1 && request.channelMap.isEmpty
        self.block = block.channels
        channelCount = block.channelCount
        self.tap = tap.map { .passUnretained($0) }
        self.input = input.map { .passUnretained($0) }
        machine = DeviceState(deviceCount: devices)
        clock = DeviceClock(sampleRate: Double(request.sampleRate), latency: 0)
        substitute = SubstituteClock(frame: 0, at: 0, sampleRate: request.sampleRate)
        sliceFrames = request.periodFrames
        bufferFrames = request.periodFrames * request.periods
        fadeFrames = max(1, request.sampleRate / 100)
    }

    // MARK: - Between two turns

    /// Takes a device that has been opened; the sides outlive `release`. Control side.
    package mutating func adopt(
        _ side: DeviceSide, capture: DeviceSide?, follower: CaptureFollower? = nil, isLinked: Bool,
        converter: RateConverter?, sliceFrames: Int
    ) {
        pausedWait = nil
        lane = side.lane
        captureLane = capture?.lane
        self.follower = follower.map { .passUnretained($0) }
        (self.isLinked, self.converter, self.sliceFrames) = (isLinked, converter, sliceFrames)
        filling = FillPolicy(
            period: side.lane.periodFrames, buffer: side.lane.bufferFrames, fillsRest: converter == nil,
            keepsFull: keepsFull)
        bufferFrames = Int((Double(side.lane.bufferFrames) * side.lane.ratio).rounded())
    }

    /// Takes a device that pulls in a thread of its own; `side` and `gate` outlive `release`. Control side.
    package mutating func adopt(
        _ side: PulledSide, gate: UnsafeMutablePointer<PullGate>, converter: RateConverter?
    ) {
        pulled = side.lane
        self.gate = gate
        self.converter = converter
        sliceFrames = converter == nil ? side.lane.periodFrames : sliceFrames
        bufferFrames = Int((Double(2 * side.lane.periodFrames) * side.lane.ratio).rounded())
    }

    /// Releases the device. Control side.
    package mutating func release() {
        lane = nil
        pulled = nil
        gate = nil
        captureLane = nil
        follower = nil
        converter = nil
    }

    /// Begins with that device of the list. Control side.
    package mutating func startOver(at index: Int, of count: Int) {
        machine = DeviceState(deviceCount: count, first: index)
    }

    /// Makes the device that has been opened first play `frame` now: silence up to the next slice. Control side.
    package mutating func beginSilent(at frame: Int64) {
        substitute = SubstituteClock(frame: frame, at: now, sampleRate: sampleRate)
    }

    /// Ends the loop: the device is no longer served. Control side.
    package mutating func end() {
        _ = machine.handle(.stop, at: now)
        publish()
    }

    /// Sets the outcome of opening a device.
    @_noLocks package mutating func answer(_ event: DeviceEvent) { self.event = event }

    // MARK: - The thread that takes the turns

    /// Renders one slice that is not audible, so that code pages and jump tables are in memory before they are needed in
    /// time.
    @_noLocks package mutating func warmUp() { renderSlice(isHeard: false, isMeasured: false) }

    /// Determines the first effects.
    @_noLocks package mutating func begin() {
        busySince = now
        let shortest = sampleRate / 100
        renderer._withUnsafeGuaranteedRef { $0.keepLive(shortest: shortest) }
        effects = machine.handle(.start, at: now)
        place = 0
        event = .stop
    }

    /// Carries out the effects that are due, and determines the next ones.
    @_noLocks package mutating func turn() -> LoopTurn {
        while place < effects.count {
            let effect = effects[place]
            switch effect {
            case .finish:
                publish()
                return .finished
            case .open(let index):
                place &+= 1
                return .open(index)
            case .close:
                place &+= 1
                return .close
            case .serveDevice where pulled != nil:
                place &+= 1
                publish()
                return .lend
            default: break
            }
            isPaused = false
            let answer = perform(effect)
            if isPaused { return .paused }
            place &+= 1
            if let answer { event = answer }
        }
        effects = machine.handle(event, at: now)
        place = 0
        event = .stop
        return .done
    }

    @_noLocks private mutating func perform(_ effect: DeviceEffect) -> DeviceEvent? {
        switch effect {
        case .serveDevice: return serveDevice()
        case .awaitSubstitute: return awaitSubstitute()
        case .pullSubstitute: renderSlice(isHeard: false)
        case .beginSubstitute: beginSubstitute()
        case .start: return pulled == nil ? startDevice() : startPulled()
        case .restart: return restartDevice()
        case .fadeIn: fadeLeft = fadeFrames
        case .prepare: return prepare()
        case .resume: return resume()
        case .open, .close, .finish: break
        }
        return nil
    }

    @_noLocks private func prepare() -> DeviceEvent {
        if pulled != nil { return .prepared }
        guard let lane else { return .gone(ENODEV) }
        let code = rt_pcm_prepare(lane.pcm)
        return code < 0 ? .prepareFailed(-code) : .prepared
    }

    @_noLocks private func resume() -> DeviceEvent {
        if let gate {
            // What died while it slept is gone, and does not wake.
            if let code = gate.pointee.loss { return .gone(code) }
            return gate.pointee.isPaused ? .stillSuspended : .resumed
        }
        guard let lane else { return .gone(ENODEV) }
        let code = rt_pcm_resume(lane.pcm)
        if code == -EAGAIN { return .stillSuspended }
        return code < 0 ? .resumeFailed(-code) : .resumed
    }

    @_noLocks mutating func publish() {
        published.phase = machine.phase
        published.device = machine.device
        published.lastCode = machine.lastCode
        published.counts = machine.counts
        published.sampleTime = nextFrame
        published.load = governor.load
        published.sheddingRises = governor.rises
        let latency = Int32(truncatingIfNeeded: bufferFrames &+ eventMargin)
        clock.latency = latency
        if machine.isSubstituted {
            published.time = substitute.deviceTime(latency: latency)
        } else if clock.hasAnchor {
            published.time = clock.time
        }
        let value = published
        view._withUnsafeGuaranteedRef { $0.publish(value) }
    }

    /// The next slice's sample time.
    package var nextFrame: SampleTime { @_noLocks get { renderer._withUnsafeGuaranteedRef { $0.sampleTime } } }
}
