// [render]
import CRealtime
import Glibc
import RealtimeCore
import SampleRate

/// The loop with a device that plays: wait, note the pointer, fill, capture.
extension AudioLoop {
    /// Waits until the device takes a period and gives it one, or as many as it takes.
    @_noLocks mutating func serveDevice() -> DeviceEvent {
        guard let lane else { return .gone(ENODEV) }
        // A device that has not moved for four buffers, and at least half a second, does not play.
        let patience = max(500_000_000, 4 &* lane.bufferTime)
        var wait = pausedWait ?? DeviceWait(start: now, wasHeldUp: lateness(at: now, lane) > AudioLoop.punctual)
        pausedWait = nil
        while true {
            let asked = now
            let look = wait.look ?? lookTime(lane, asked)
            wait.look = nil
            let count = rt_pcm_wait(lane.pcm, look)
            noteWait(from: asked)
            if count == RT_WAIT_PAUSED {
                isPaused = true
                wait.look = look
                pausedWait = wait
            }
            if count == RT_WAIT_PAUSED || count == RT_WAIT_STOPPED { return .stop }
            if count < 0 { return .gone(-count) }
            let now = now
            let device = rt_pcm_status_now(lane.pcm)
            if let event = trouble(device, lane, now) { return event }
            if Int(device.available) < filling.wakeFrames {
                if now &- wait.start > patience { return .stalled }
                // Woken for nothing: a plug-in with a coarse timer. Never faster than four times a period.
                if count > 0, !sleep(until: now &+ lane.periodTime / 4) { return .stop }
                continue
            }
            observe(device, lane, now)
            if wait.wasHeldUp || now &- look > AudioLoop.punctual, hasTimeForEvents(device, lane),
                !sleep(until: now &+ AudioLoop.eventTime)
            {
                return .stop
            }
            var room = min(Int(device.available), lane.bufferFrames)
            if let event = fill(lane, room: &room) { return event }
            readCapture()
            publish()
            let better = view._withUnsafeGuaranteedRef { $0.takeOffer() }
            return better >= 0 ? .preferred(better) : .wrote
        }
    }

    /// If the machine was held up, the MIDI thread, which has lower priority, may hold stamped events for a time that would
    /// now be rendered: with enough in the buffer it runs first.
    @_noLocks private func hasTimeForEvents(_ device: rt_pcm_status, _ lane: DeviceLane) -> Bool {
        let left = Int64(lane.bufferFrames &- Int(device.available)) &* lane.periodTime / Int64(lane.periodFrames)
        return filling.stride < lane.periodFrames && left > max(lane.periodTime / 2, 4 &* AudioLoop.eventTime)
    }

    /// Returns when to look at the device even though it has not reported room: see `FillPolicy`. One that reports late, such
    /// as one that moves in steps or hangs on a coarse timer, would leave too little of its buffer to render in.
    @_noLocks private func lookTime(_ lane: DeviceLane, _ now: Int64) -> Int64 {
        let policy = filling, frame = lane.periodTime / Int64(policy.period)
        guard clock.hasAnchor else { return now &+ lane.periodTime / 4 }
        return max(now &+ Int64(policy.pause) &* frame, now &- lateness(at: now, lane) &+ Int64(policy.patience) &* frame)
    }

    @_noLocks func trouble(_ device: rt_pcm_status, _ lane: DeviceLane, _ now: Int64) -> DeviceEvent? {
        if device.is_suspended { return .suspended }
        if device.is_xrun || device.code == -EPIPE { return xrun(lane, now) }
        if device.code == -ESTRPIPE { return .suspended }
        if device.code < 0 { return .gone(-device.code) }
        return nil
    }

    @_noLocks func xrun(_ lane: DeviceLane, _ now: Int64) -> DeviceEvent {
        let lateness = max(lateness(at: now, lane), lastLateness)
        let render = max(lastRender, shortRender)
        // What is waited for is missing from the buffer then.
        let waited = lane.periodTime &* Int64(filling.stride) / Int64(lane.periodFrames)
        return .xrun(
            .judge(
                render: render, lateness: lateness, period: lane.periodTime, inHand: lane.bufferTime &- waited))
    }

    /// Nanoseconds since the device had the room that was waited for, by the clock.
    @_noLocks private func lateness(at now: Int64, _ lane: DeviceLane) -> Int64 {
        guard clock.hasAnchor else { return 0 }
        let ahead = framesAhead(of: lane.bufferFrames &- filling.stride, lane)
        let threshold = nextFrame + -Int(rt_floor_double(ahead + 0.5))
        return now &- clock.time.nanoseconds(at: threshold)
    }

    @_noLocks mutating func observe(_ device: rt_pcm_status, _ lane: DeviceLane, _ now: Int64) {
        if clock.hasAnchor {
            let late = lateness(at: now, lane)
            lastLateness = late
            wakeLateness._withUnsafeGuaranteedRef { $0.add(late) }
        }
        // A stamp is believed if it is of now.
        let stamp = device.time > now &- 1_000_000_000 && device.time <= now ? device.time : now
        let frames = framesAhead(of: lane.bufferFrames &- Int(device.available), lane)
        let whole = rt_floor_double(frames)
        clock.update(
            time: stamp, pointer: nextFrame.rawValue &- Int64(whole) &- 1, fraction: 1 - (frames - whole))
        let error = Int64(rt_floor_double(clock.lastError + 0.5))
        clockError._withUnsafeGuaranteedRef { $0.add(error) }
    }

    /// Frames of the renderer between a device's pointer, which has `buffered` frames ahead, and the next slice.
    @_noLocks func framesAhead(of buffered: Int, _ lane: DeviceLane) -> Double {
        framesAhead(of: buffered, ratio: lane.ratio)
    }

    @_noLocks func framesAhead(of buffered: Int, ratio: Double) -> Double {
        guard let converter else { return Double(buffered) }
        return (Double(buffered) + converter.delay) * ratio + Double(converter.waiting)
    }
}
