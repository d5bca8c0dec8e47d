// [render]
import CRealtime
import Glibc
import RealtimeCore

/// The part of the loop that begins sound, and begins it again.
extension AudioLoop {
    /// Fills the buffer with silence up to the next slice's place in time, and starts.
    @_noLocks package mutating func startDevice() -> DeviceEvent {
        guard let lane else { return .gone(ENODEV) }
        let code = rt_pcm_prepare(lane.pcm)
        if code < 0 { return .gone(-code) }
        if let event = meetTime() { return event }
        let next = nextFrame.rawValue
        let pointer = substitute.frame(atNanoseconds: now)
        let ahead = (Double(next &- pointer) - framesAhead(of: 0, lane)) / lane.ratio
        let silence = min(max(Int(ahead), 1), lane.bufferFrames)
        rt_zero_bytes(lane.interleaved, silence &* lane.bytesPerFrame)
        if let event = writeAll(lane, silence) { return event }
        return go(lane, written: silence)
    }

    /// Returns nil when the next slice is at its place in time.
    @_noLocks mutating func meetTime() -> DeviceEvent? {
        // While the device was being opened, time went on. If rendering is too slow to catch up, the song waits.
        let buffer = Int64(bufferFrames), slice = Int64(sliceFrames)
        let start = now
        var moment = start
        while moment &- start < 1_000_000_000,
            nextFrame.rawValue &- substitute.frame(atNanoseconds: moment) < buffer &- slice
        {
            if !breathe() { return .stop }
            renderSlice(isHeard: false)
            moment = now
        }
        // And if the last device had a longer buffer, it has to come nearer.
        return rest(until: substitute.nanoseconds(atFrame: nextFrame.rawValue &- buffer))
    }

    /// Goes on after an xrun: what should have been played meanwhile is rendered unheard, so that musical time does not
    /// stand still; then as much sound as the buffer takes, and on. What was played live meanwhile is heard then.
    @_noLocks package mutating func restartDevice() -> DeviceEvent {
        guard let lane else { return .gone(ENODEV) }
        var silence = 0
        if clock.hasAnchor {
            renderer._withUnsafeGuaranteedRef { $0.holdLive() }
            silence = catchUp(lane) ?? -1
            resumeLive()
            if silence < 0 { return .stop }
            rt_zero_bytes(lane.interleaved, silence &* lane.bytesPerFrame)
            if let event = writeAll(lane, silence) { return event }
        }
        let whole = (lane.bufferFrames &- silence) / lane.periodFrames &* lane.periodFrames
        var room = whole
        if let event = fill(lane, room: &room) { return event }
        restarted = now
        return go(lane, written: silence &+ whole &- room)
    }

    /// Releases the live events that waited while the output was not audible. The MIDI thread, which was held up too,
    /// delivers more of them within a tenth of a second.
    @_noLocks func resumeLive() {
        let window = sampleRate / 10, least = sampleRate &* 3 / 100
        renderer._withUnsafeGuaranteedRef { $0.resumeLive(window: window, least: least) }
    }

    /// Renders what should have been played since the device ran out of sound. Returns the frames of silence before the
    /// next slice's place in time; nil when it is time to end.
    @_noLocks private mutating func catchUp(_ lane: DeviceLane) -> Int? {
        let start = now
        let pointer = clock.time.sampleTime(atNanoseconds: start).rawValue &+ debt
        let clock = SubstituteClock(frame: pointer, at: start, sampleRate: sampleRate)
        substitute = clock
        var moment = start
        // Beyond a second, or if rendering is too slow to catch up, the song waits. If xruns come in a row, it waits
        // sooner: a machine that is too busy should crackle, not fall silent.
        let limit = min(250_000_000, (start &- restarted) / 4)
        while nextFrame.rawValue < clock.frame(atNanoseconds: moment), moment &- start < limit,
            clock.frame(atNanoseconds: moment) &- nextFrame.rawValue < Int64(sampleRate)
        {
            if !breathe() { return nil }
            renderSlice(isHeard: false)
            moment = now
        }
        var silence = 0
        let ahead = Double(nextFrame.rawValue &- clock.frame(atNanoseconds: moment)) - framesAhead(of: 0, lane)
        if ahead > 0, ahead <= Double(sliceFrames) { silence = Int(ahead / lane.ratio) }
        return max(0, min(silence, lane.bufferFrames &- lane.periodFrames))
    }

    @_noLocks private mutating func go(_ lane: DeviceLane, written: Int) -> DeviceEvent {
        let code = rt_pcm_start(lane.pcm)
        let now = now
        if code == -EPIPE { return xrun(lane, now) }
        if code == -ESTRPIPE { return .suspended }
        if code < 0 { return .gone(-code) }
        clock.reanchor()
        lastLateness = 0
        filling.start(written: written)
        let device = rt_pcm_status_now(lane.pcm)
        if let event = trouble(device, lane, now) { return event }
        observe(device, lane, now)
        // Both sides begin at once: the first captured frame belongs to the first that is played.
        let origin = Int64(rt_floor_double(Double(nextFrame.rawValue) - framesAhead(of: written, lane) + 0.5))
        let late = substitute.frame(atNanoseconds: now) &- origin
        debt = late > 0 && late < Int64(sampleRate) ? late : 0
        startCapture(from: origin)
        return .started
    }
}
