// [render]
import CRealtime
import Glibc
import Graphs
import RealtimeCore

/// A sound card and a clock in simulated time: time passes when the audio loop waits, and nowhere else. The other pair of
/// tables beside ALSA's.
///
/// A frame of the device is one of its rate since time 0, whether it plays or not. The frames that the loop has written are
/// played by the next call that asks how far the device is (`settle`).
struct SimulatedDevice: BitwiseCopyable {
    enum Mode: Int32, BitwiseCopyable { case idle, prepared, running, xrun, suspended, gone }
    /// Simulated nanoseconds, and the time at which they stop.
    var now: Int64 = 0
    var limit: Int64 = 0
    var mode = Mode.idle, plays = true
    let frames: FrameClock
    /// The clock of what captures.
    let captureFrames: FrameClock
    let periodFrames: Int64, bufferFrames: Int64, channels: Int, pointerStep: Int64, timer: Int64
    /// The device's buffer, interleaved: written and played frames since `prepare`; when it started, and the nearest frame.
    private let buffer: UnsafeMutablePointer<Float>
    private var written: Int64 = 0, played: Int64 = 0, startTime: Int64 = 0, started: Int64 = 0
    /// When a suspended or absent device is there again.
    private var backAt: Int64 = 0
    /// The sound that was heard since it was last taken, interleaved, and all the frames that were ever heard.
    var heard: UnsafeMutablePointer<Float>
    var heardRoom = 0, heardCount = 0
    private(set) var heardFrames: Int64 = 0
    /// The sound that there is to capture, interleaved, from a frame on; the next one to be read.
    var captured: UnsafeMutablePointer<Float>
    var captureChannels = 0, capturedFirst: Int64 = 0, capturedCount = 0
    private var read: Int64 = 0
    var nextRead: Int64 { read }
    var troubles = TroubleList()
    /// A frame's share of its time for rendering; the renderer; a frame's duration; and the frame that is counted next.
    var renderLoad = 0.0
    private var renderer: Unmanaged<Renderer>?
    private var frameTime = 0.0
    private var countedFrame: Int64 = 0

    /// Control side.
    init(rate: Int, periodFrames: Int, bufferFrames: Int, channels: Int, hardware: SimulatedHardware) {
        frames = FrameClock(rate: rate, drift: hardware.drift.finite)
        captureFrames = FrameClock(rate: rate, drift: (hardware.captureDrift ?? hardware.drift).finite)
        self.periodFrames = Int64(periodFrames)
        self.bufferFrames = Int64(bufferFrames)
        self.channels = channels
        pointerStep = Int64(max(1, hardware.pointerStep ?? periodFrames))
        timer = Int64(Int(nearest: hardware.timer * 1e9))
        buffer = .allocate(capacity: bufferFrames * channels)
        buffer.initialize(repeating: 0, count: bufferFrames * channels)
        heard = .allocate(capacity: 1)
        captured = .allocate(capacity: 1)
    }

    /// Control side, once.
    func deallocate() {
        buffer.deallocate()
        heard.deallocate()
        captured.deallocate()
        troubles.deallocate()
    }

    /// `renderer` must outlive it. Control side.
    mutating func watch(_ renderer: Renderer, sampleRate: Int) {
        self.renderer = .passUnretained(renderer)
        frameTime = 1e9 / Double(sampleRate)
        countedFrame = renderer.sampleTime.rawValue
    }

    // MARK: - Time

    /// What has been rendered since the last look took its time.
    @_noLocks mutating func look() -> Int64 {
        guard renderLoad > 0, let renderer else { return now }
        let frame = renderer._withUnsafeGuaranteedRef { $0.sampleTime.rawValue }
        now &+= Int64(rt_floor_double(Double(frame &- countedFrame) * frameTime * renderLoad))
        countedFrame = frame
        return now
    }

    /// Waits till `moment`, and for what holds the machine up then, if time goes as far.
    @_noLocks private mutating func pass(to moment: Int64, mayPause: Bool) -> Bool {
        let end = troubles.woken(at: max(moment, now))
        if mayPause, end > limit {
            now = max(now, limit)
            return false
        }
        now = end
        return true
    }

    @_noLocks mutating func sleep(until deadline: Int64, mayPause: Bool) -> Int32 {
        pass(to: deadline, mayPause: mayPause) ? 0 : Int32(RT_WAIT_PAUSED)
    }

    /// Waits for the device to have room, or trouble; till `deadline`.
    @_noLocks mutating func wait(until deadline: Int64) -> Int32 {
        settle()
        var ready = now
        if mode == .running {
            ready = readyTime
            ready = min(ready, troubles.nextStart)
        }
        let isInTime = ready <= deadline
        if !pass(to: isInTime ? ready : deadline, mayPause: true) { return Int32(RT_WAIT_PAUSED) }
        settle()
        return isInTime || mode != .running || readyTime <= now ? 1 : 0
    }

    /// The time at which a device that plays reports room: at the end of a period, or at the timer's next tick.
    private var readyTime: Int64 {
        @_noLocks get {
            let wake = Int64(FillPolicy.wakeFrames(period: Int(periodFrames)))
            let least = plays ? wake &- bufferFrames &+ written : wake &+ read &- started
            let periods = max(0, (least &+ periodFrames &- 1) / periodFrames)
            let time = startTime &+ frames.nanoseconds(at: periods &* periodFrames)
            return timer > 0 ? (time &+ timer &- 1) / timer &* timer : time
        }
    }

    /// The frame that a device that plays reports as its position.
    private var pointer: Int64 {
        @_noLocks get {
            let moment = timer > 0 ? now / timer &* timer : now
            return frames.frame(at: max(0, moment &- startTime)) / pointerStep &* pointerStep
        }
    }

    private var capturePointer: Int64 {
        @_noLocks get {
            let moment = timer > 0 ? now / timer &* timer : now
            return captureFrames.frame(at: max(0, moment &- startTime)) / pointerStep &* pointerStep
        }
    }

    /// Plays the device up to now, with the troubles that fall into that time.
    @_noLocks mutating func settle() {
        let moment = now
        while let trouble = troubles.next(until: moment) {
            now = trouble.start
            play()
            backAt = trouble.end
            switch trouble.kind {
            case .xrun: if mode == .running { mode = .xrun }
            case .suspension: if mode != .gone { mode = .suspended }
            case .absence: mode = .gone
            case .holdUp: break
            }
            now = moment
        }
        play()
        if mode == .gone, moment >= backAt { mode = .idle }
    }

    @_noLocks private mutating func play() {
        if mode == .running {
            let pointer = pointer
            while played < min(pointer, written) {
                hear(buffer + Int(played % bufferFrames) &* channels)
                played &+= 1
            }
            // It loops over what it has, which is not audible, or frames that were not read are overwritten.
            if plays ? pointer >= written : started &+ capturePointer &- read >= bufferFrames { mode = .xrun } else { return }
        }
        let end = frames.frame(at: now)
        while heardFrames < end { hear(nil) }
    }

    @_noLocks private mutating func hear(_ frame: UnsafePointer<Float>?) {
        heardFrames &+= 1
        guard heardCount < heardRoom else { return }
        let to = heard + heardCount &* channels
        if let frame { rt_copy(to, frame, channels) } else { rt_zero(to, channels) }
        heardCount &+= 1
    }

    /// 0 when it succeeds.
    private var refusal: Int32 {
        @_noLocks get {
            switch mode {
            case .idle, .gone: -ENODEV
            case .suspended: -ESTRPIPE
            case .xrun: -EPIPE
            case .prepared, .running: 0
            }
        }
    }

    @_noLocks mutating func status() -> rt_pcm_status {
        settle()
        let available = bufferFrames &- (written &- (mode == .running ? pointer : 0))
        return rt_pcm_status(
            code: mode == .idle || mode == .gone ? -ENODEV : 0, is_xrun: mode == .xrun, is_suspended: mode == .suspended,
            available: available, time: timer > 0 ? 0 : now)
    }

    @_noLocks mutating func captureStatus() -> rt_pcm_status {
        var status = status()
        status.available = mode == .running ? max(0, started &+ capturePointer &- read) : 0
        return status
    }

    @_noLocks mutating func write(_ from: UnsafeMutableRawPointer, _ count: Int64) -> Int64 {
        settle()
        if refusal < 0 { return Int64(refusal) }
        let room = bufferFrames &- (written &- (mode == .running ? pointer : 0))
        let taken = min(count, room)
        let samples = from.assumingMemoryBound(to: Float.self)
        for i in 0..<Int(max(taken, 0)) {
            rt_copy(buffer + Int(written % bufferFrames) &* channels, samples + i &* channels, channels)
            written &+= 1
        }
        return taken
    }

    @_noLocks mutating func prepare() -> Int32 {
        settle()
        if mode == .idle || mode == .gone { return -ENODEV }
        mode = .prepared
        written = 0
        played = 0
        return 0
    }

    @_noLocks mutating func start() -> Int32 {
        settle()
        if refusal < 0 { return refusal }
        startTime = now
        started = max(heardFrames, frames.frame(at: now &+ frames.nanoseconds(at: 1) / 2))
        while heardFrames < started { hear(nil) }
        read = started
        mode = .running
        return 0
    }

    @_noLocks mutating func resume() -> Int32 {
        settle()
        if mode != .suspended { return refusal }
        return now < backAt ? -EAGAIN : 0
    }

    /// Returns false if the device is not there. Control side.
    mutating func open() -> Bool {
        settle()
        if mode == .gone { return false }
        mode = .prepared
        return true
    }

    /// Control side.
    mutating func close() {
        settle()
        if mode != .gone { mode = .idle }
        play()
    }

    /// Control side.
    mutating func lose(until back: Int64) {
        settle()
        mode = .gone
        backAt = back
    }

    /// What it has not played yet is lost. Control side.
    mutating func drop() {
        settle()
        if mode == .running { mode = .xrun }
    }

    @_noLocks mutating func capture(_ to: UnsafeMutableRawPointer, _ count: Int64) -> Int64 {
        settle()
        let end = mode == .running ? started &+ capturePointer : read
        let taken = min(count, end &- read)
        if taken <= 0 { return Int64(-EAGAIN) }
        let samples = to.assumingMemoryBound(to: Float.self)
        for i in 0..<Int(taken) {
            let at = Int(read &- capturedFirst) &+ i
            if at >= 0, at < capturedCount {
                rt_copy(samples + i &* captureChannels, captured + at &* captureChannels, captureChannels)
            } else {
                rt_zero(samples + i &* captureChannels, captureChannels)
            }
        }
        read &+= taken
        return taken
    }
}
