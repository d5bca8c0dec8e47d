// [render]

/// The state of a device and what is to be done next: a pure state machine. Events in, effects out; no clock and no device of
/// its own.
///
///     opening -> starting -> running -> recovering (xrun) -> running
///                               |  \--> suspended -> recovering
///                               \----> lost -> opening -> ...
///
/// Whenever the device does not play, the substitute clock goes on pulling slices, so musical time runs on. A device
/// that is gone is tried again after 50 ms, then 100, 200, 250, in turn with the others of the list, so that sound is
/// back well within a second of its return. One that opens and then does not play counts like one that does not open.
/// Its driver performs the effects in order; the last one is awaited and gives the next event.
public struct DeviceState: BitwiseCopyable, Sendable, Equatable {
    /// The device's state.
    public enum Phase: Int32, BitwiseCopyable, Sendable, CaseIterable, CustomStringConvertible {
        /// Nothing has begun.
        case idle
        /// A device is being opened.
        case opening
        /// The buffer is being filled.
        case starting
        /// The device plays.
        case running
        /// The device ran out of sound and is made ready.
        case recovering
        /// The system has put it to sleep.
        case suspended
        /// The device is gone; the substitute clock runs.
        case lost
        /// No device is wanted; the substitute clock runs.
        case null
        /// The device has been stopped for good.
        case stopped

        public var description: String {
            switch self {
            case .idle: "idle"
            case .opening: "opening"
            case .starting: "starting"
            case .running: "running"
            case .recovering: "recovering"
            case .suspended: "suspended"
            case .lost: "lost"
            case .null: "no device"
            case .stopped: "stopped"
            }
        }
    }

    /// The longest pause before a device is tried again, and the first, nanoseconds.
    package static var longestPause: Int64 { @_noLocks get { 250_000_000 } }
    static var firstPause: Int64 { @_noLocks get { 50_000_000 } }
    /// Xruns in a row, without a slice in between, after which a device counts as lost.
    static var patience: Int32 { @_noLocks get { 8 } }
    /// The pause before a device is looked at again that is still being opened, nanoseconds.
    static var openingPause: Int64 { @_noLocks get { 5_000_000 } }
    /// Nanoseconds for which a device must have taken slices to be one that plays.
    static var probation: Int64 { @_noLocks get { 1_000_000_000 } }

    /// Devices in the list, without `null`.
    package let deviceCount: Int
    /// The current state.
    package private(set) var phase = Phase.idle
    /// The device that is open, or tried next: an index in the list.
    package private(set) var device = 0
    /// The reason why the device was lost or not opened: an error number, 0 for none.
    package private(set) var lastCode: Int32 = 0
    /// Counts of what happened so far.
    package private(set) var counts = DeviceCounts()
    private(set) var nextAttempt: Int64 = 0
    private var pause: Int64 = 0
    private(set) var xrunsInARow: Int32 = 0
    private var openedAt: Int64 = 0
    private var servedAt: Int64 = 0
    /// An opening is a return then.
    private var hasPlayed = false
    /// True if the device being opened replaces one that has played until then: nothing was lost.
    private var isSwitching = false

    /// Creates a machine for a list of `deviceCount` devices, 0 for `null` alone, that opens number `first` first.
    @_noLocks package init(deviceCount: Int, first: Int = 0) {
        self.deviceCount = deviceCount
        device = first
    }

    /// True while the substitute clock runs, so that nothing is heard.
    package var isSubstituted: Bool {
        @_noLocks get { phase == .suspended || phase == .lost || phase == .null || phase == .opening }
    }

    /// Takes an event at `now` (nanoseconds of CLOCK_MONOTONIC) and returns what to do.
    @_noLocks package mutating func handle(_ event: DeviceEvent, at now: Int64) -> DeviceEffects {
        if case .stop = event { return stop() }
        switch phase {
        case .idle:
            if case .start = event { return begin(now) }
            return wait(unexpected: true)
        case .opening: return opening(event, now)
        case .starting, .running: return playing(event, now)
        case .recovering: return recovering(event, now)
        case .suspended: return sleeping(event, now)
        case .lost: return absent(event, now)
        case .null:
            guard case .tick = event else { return wait(unexpected: true) }
            counts.substituteSlices &+= 1
            return DeviceEffects(.pullSubstitute, .awaitSubstitute)
        case .stopped: return DeviceEffects(.finish)
        }
    }

    @_noLocks private mutating func stop() -> DeviceEffects {
        if phase == .stopped { return DeviceEffects(.finish) }
        phase = .stopped
        return DeviceEffects(.close, .finish)
    }

    @_noLocks private mutating func begin(_ now: Int64) -> DeviceEffects {
        if deviceCount == 0 {
            phase = .null
            return DeviceEffects(.beginSubstitute, .awaitSubstitute)
        }
        phase = .opening
        return DeviceEffects(.beginSubstitute, .open(device))
    }

    @_noLocks private mutating func opening(_ event: DeviceEvent, _ now: Int64) -> DeviceEffects {
        switch event {
        case .stillOpening:
            if !isSwitching { phase = .lost }
            nextAttempt = now &+ DeviceState.openingPause
            return DeviceEffects(.awaitSubstitute)
        case .tick where isSwitching:
            counts.substituteSlices &+= 1
            return now >= nextAttempt
                ? DeviceEffects(.pullSubstitute, .open(device)) : DeviceEffects(.pullSubstitute, .awaitSubstitute)
        case .opened:
            isSwitching = false
            if hasPlayed { counts.returns &+= 1 }
            phase = .starting
            xrunsInARow = 0
            openedAt = now
            servedAt = now
            return DeviceEffects(.start)
        case .openFailed(let code):
            isSwitching = false
            counts.failedOpens &+= 1
            lastCode = code
            phase = .lost
            schedule(now)
            return DeviceEffects(.awaitSubstitute)
        default:
            isSwitching = false
            phase = .lost
            schedule(now)
            return wait(unexpected: true)
        }
    }

    /// The next device of the list, after a pause that grows with every round.
    @_noLocks private mutating func schedule(_ now: Int64) {
        device = device &+ 1 >= deviceCount ? 0 : device &+ 1
        if device == 0 || pause == 0 {
            pause = pause == 0 ? DeviceState.firstPause : min(pause &* 2, DeviceState.longestPause)
        }
        // A round through the list takes one pause, for any length of the list.
        nextAttempt = now &+ max(pause / Int64(max(deviceCount, 1)), 10_000_000)
    }

    @_noLocks private mutating func playing(_ event: DeviceEvent, _ now: Int64) -> DeviceEffects {
        switch event {
        case .started where phase == .starting:
            phase = .running
            hasPlayed = true
            return DeviceEffects(.serveDevice)
        case .wrote where phase == .running:
            xrunsInARow = 0
            servedAt = now
            if isProven { pause = 0 }
            lastCode = 0
            return DeviceEffects(.serveDevice)
        case .preferred(let index) where phase == .running:
            if index < 0 || index >= device { return DeviceEffects(.serveDevice) }
            counts.switches &+= 1
            device = index
            isSwitching = true
            phase = .opening
            return DeviceEffects(.close, .beginSubstitute, .fadeIn, .open(index))
        case .xrun(let cause):
            counts.count(cause)
            xrunsInARow &+= 1
            if xrunsInARow > DeviceState.patience { return lose(0, now) }
            phase = .recovering
            return DeviceEffects(.prepare)
        case .suspended:
            counts.suspends &+= 1
            phase = .suspended
            nextAttempt = now &+ DeviceState.firstPause
            return DeviceEffects(.beginSubstitute, .awaitSubstitute)
        case .gone(let code): return lose(code, now)
        case .stalled: return lose(110, now)
        default:
            // A device that answers what it was not asked is not trusted further.
            counts.unexpected &+= 1
            return lose(0, now)
        }
    }

    /// Takes note of an xrun that a device got over by itself.
    @_noLocks package mutating func note(_ cause: XrunCause) { counts.count(cause) }

    private var isProven: Bool { @_noLocks get { servedAt &- openedAt >= DeviceState.probation } }

    @_noLocks private mutating func lose(_ code: Int32, _ now: Int64) -> DeviceEffects {
        counts.losses &+= 1
        lastCode = code
        phase = .lost
        xrunsInARow = 0
        if isProven {
            // The same device first; others follow if it does not come back at once.
            pause = DeviceState.firstPause
            nextAttempt = now &+ pause
        } else {
            schedule(now)
        }
        return DeviceEffects(.close, .beginSubstitute, .awaitSubstitute)
    }

    @_noLocks private mutating func recovering(_ event: DeviceEvent, _ now: Int64) -> DeviceEffects {
        switch event {
        case .prepared:
            phase = .starting
            return DeviceEffects(.fadeIn, .restart)
        case .prepareFailed(let code), .gone(let code): return lose(code, now)
        case .suspended: return playing(event, now)
        default:
            counts.unexpected &+= 1
            return lose(0, now)
        }
    }

    @_noLocks private mutating func sleeping(_ event: DeviceEvent, _ now: Int64) -> DeviceEffects {
        switch event {
        case .tick:
            counts.substituteSlices &+= 1
            return now >= nextAttempt
                ? DeviceEffects(.pullSubstitute, .resume) : DeviceEffects(.pullSubstitute, .awaitSubstitute)
        case .stillSuspended:
            nextAttempt = now &+ DeviceState.longestPause / 2
            return DeviceEffects(.awaitSubstitute)
        case .resumed, .resumeFailed:
            // Most drivers cannot wake up in the middle of a sound: they start over.
            return DeviceEffects(.prepare)
        case .prepared:
            phase = .starting
            return DeviceEffects(.fadeIn, .start)
        case .prepareFailed(let code), .gone(let code): return lose(code, now)
        default: return wait(unexpected: true)
        }
    }

    @_noLocks private mutating func absent(_ event: DeviceEvent, _ now: Int64) -> DeviceEffects {
        guard case .tick = event else { return wait(unexpected: true) }
        counts.substituteSlices &+= 1
        if now < nextAttempt { return DeviceEffects(.pullSubstitute, .awaitSubstitute) }
        phase = .opening
        return DeviceEffects(.pullSubstitute, .fadeIn, .open(device))
    }

    /// The substitute clock is always possible.
    @_noLocks private mutating func wait(unexpected: Bool) -> DeviceEffects {
        if unexpected { counts.unexpected &+= 1 }
        return DeviceEffects(.awaitSubstitute)
    }
}
