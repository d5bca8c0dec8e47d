// [render]
import CRealtime
import RealtimeCore

/// The loop's waits, and the clock that stands in for a device.
extension AudioLoop {
    /// Nanoseconds by which the audio thread of a machine that nothing holds up may wake late.
    static var punctual: Int64 { @_noLocks get { 200_000 } }
    /// Nanoseconds in which the MIDI thread delivers its events.
    static var eventTime: Int64 { @_noLocks get { 300_000 } }
    /// Nanoseconds of work after which the thread waits for a moment.
    static var breath: Int64 { @_noLocks get { 50_000_000 } }

    /// Nanoseconds of the loop's clock.
    var now: Int64 { @_noLocks get { rt_clock_now(time) } }

    /// Returns false when it is time to end.
    @_noLocks mutating func sleep(until deadline: Int64) -> Bool {
        let before = now
        if rt_clock_sleep(time, deadline, false) < 0 { return false }
        noteWait(from: before)
        return true
    }

    /// For effects that may be performed again; nil when it is over, or the event that answers the effect.
    @_noLocks mutating func rest(until deadline: Int64) -> DeviceEvent? {
        let before = now
        let code = rt_clock_sleep(time, deadline, true)
        noteWait(from: before)
        if code == RT_WAIT_PAUSED { isPaused = true }
        return code < 0 ? .stop : nil
    }

    /// A wait of less than 20 us may not have been one.
    @_noLocks mutating func noteWait(from before: Int64) {
        let now = now
        if now &- before >= 20_000 { busySince = now }
    }

    /// Waits 100 us if there was no wait for 50 ms; false when it is time to end. The kernel ends a process whose real-time
    /// thread works for the time of RLIMIT_RTTIME without a wait, and with RealtimeKit that is 200 ms.
    @_noLocks mutating func breathe() -> Bool {
        let now = now
        return now &- busySince < AudioLoop.breath || sleep(until: now &+ 100_000)
    }

    @_noLocks mutating func beginSubstitute() {
        let now = now
        let next = nextFrame.rawValue
        let buffer = Int64(bufferFrames), slice = Int64(sliceFrames)
        var pointer = next &- (buffer &- slice)
        if clock.hasAnchor {
            // What the device had not played yet is not heard, but its time passes.
            pointer = min(max(clock.time.sampleTime(atNanoseconds: now).rawValue, pointer &- slice), next)
            pointer &+= debt
        }
        substitute = SubstituteClock(frame: pointer, at: now, sampleRate: sampleRate)
        clock.reanchor()
        publish()
    }

    @_noLocks mutating func awaitSubstitute() -> DeviceEvent {
        let now = now
        substitute.follow(now)
        publish()
        let due = nextFrame.rawValue &- Int64(bufferFrames &- sliceFrames)
        let deadline = substitute.nanoseconds(atFrame: due)
        // A process that slept for long does not make up for it.
        if now &- deadline > 1_000_000_000 { substitute = SubstituteClock(frame: due, at: now, sampleRate: sampleRate) }
        if !breathe() { return .stop }
        return rest(until: deadline) ?? .tick
    }
}
