import CRealtime
import Glibc
import Graph
import RealtimeCore
import RemoteIO
import Synchronization

/// The audio thread with a device: wait, note the pointer, render, convert, write.
extension AudioThread {
    /// Waits until the device takes a period and gives it one, or as many as it takes.
    func serveDevice() -> DeviceEvent {
        guard let lane = state.pointee.lane else { return .gone(ENODEV) }
        // A device that has not moved for four buffers, and at least half a second, does not play.
        let patience = max(500_000_000, 4 * lane.bufferTime)
        let start = rt_monotonic_nanoseconds()
        let wasHeldUp = lateness(at: start, lane) > AudioThread.punctual
        while true {
            let asked = rt_monotonic_nanoseconds()
            let look = lookTime(lane, asked)
            let count = rt_poll(lane.descriptors, UInt64(lane.descriptorCount + 1), look)
            noteWait(from: asked)
            if count < 0 { return .gone(-count) }
            let now = rt_monotonic_nanoseconds()
            if lane.descriptors[lane.descriptorCount].revents != 0 { return .stop }
            if count > 0 { _ = PCMCalls.events(lane.pcm, lane.descriptors, lane.descriptorCount) }
            let device = PCMCalls.status(lane.pcm, lane.status)
            if let event = trouble(device, lane, now) { return event }
            if device.available < state.pointee.filling.wakeFrames {
                if now - start > patience { return .stalled }
                // Woken for nothing: a plug-in with a coarse timer. Never faster than four times a period.
                if count > 0, !sleep(until: now + lane.periodTime / 4) { return .stop }
                continue
            }
            observe(device, lane, now)
            if wasHeldUp || now - look > AudioThread.punctual, hasTimeForEvents(device, lane),
                !sleep(until: now + AudioThread.eventTime)
            {
                return .stop
            }
            var room = min(device.available, lane.bufferFrames)
            if let event = fill(lane, room: &room, now) { return event }
            readCapture()
            publish()
            let better = betterDevice.load(ordering: .relaxed)
            if better >= 0 {
                betterDevice.store(-1, ordering: .relaxed)
                return .preferred(better)
            }
            return .wrote
        }
    }

    /// Whether there is enough in the buffer to let the MIDI thread, which comes after this one, go first. Where the machine
    /// was held up it may have stamped events in hand for a time that would now be rendered, if the buffer is kept full.
    private func hasTimeForEvents(_ device: PCMCalls.Status, _ lane: PCMStream.Lane) -> Bool {
        let left = Int64(lane.bufferFrames - device.available) * lane.periodTime / Int64(lane.periodFrames)
        return state.pointee.filling.stride < lane.periodFrames
            && left > max(lane.periodTime / 2, 4 * AudioThread.eventTime)
    }

    /// When to look at the device even though it has not said that it has room: see `FillPolicy`. One that reports late, such
    /// as one that moves in steps or hangs on a coarse timer, would leave too little of its buffer to render in.
    private func lookTime(_ lane: PCMStream.Lane, _ now: Int64) -> Int64 {
        let policy = state.pointee.filling, frame = lane.periodTime / Int64(policy.period)
        guard state.pointee.clock.hasAnchor else { return now + lane.periodTime / 4 }
        return max(now + Int64(policy.pause) * frame, now - lateness(at: now, lane) + Int64(policy.patience) * frame)
    }

    /// What a status means, if it is not well.
    private func trouble(_ device: PCMCalls.Status, _ lane: PCMStream.Lane, _ now: Int64) -> DeviceEvent? {
        if device.isSuspended { return .suspended }
        if device.isXrun || device.code == -EPIPE { return xrun(lane, now) }
        if device.code == -ESTRPIPE { return .suspended }
        if device.code < 0 { return .gone(-device.code) }
        return nil
    }

    private func xrun(_ lane: PCMStream.Lane, _ now: Int64) -> DeviceEvent {
        let lateness = max(lateness(at: now, lane), state.pointee.lastLateness)
        let render = max(state.pointee.lastRender, state.pointee.shortRender)
        // What is waited for is missing from the buffer then.
        let waited = lane.periodTime * Int64(state.pointee.filling.stride) / Int64(lane.periodFrames)
        return .xrun(.judge(
            render: render, lateness: lateness, period: lane.periodTime, inHand: lane.bufferTime - waited))
    }

    /// How long ago the device had the room that was waited for, by the clock.
    private func lateness(at now: Int64, _ lane: PCMStream.Lane) -> Int64 {
        guard state.pointee.clock.hasAnchor else { return 0 }
        let ahead = framesAhead(of: lane.bufferFrames - state.pointee.filling.stride, lane)
        let threshold = renderer.sampleTime + -Int(rt_floor_double(ahead + 0.5))
        return now - state.pointee.clock.time.nanoseconds(at: threshold)
    }

    /// Takes stamp and pointer into the clock.
    private func observe(_ device: PCMCalls.Status, _ lane: PCMStream.Lane, _ now: Int64) {
        if state.pointee.clock.hasAnchor {
            let late = lateness(at: now, lane)
            state.pointee.lastLateness = late
            wakeLateness.add(late)
        }
        // A stamp is believed if it is of now.
        let stamp = device.time > now - 1_000_000_000 && device.time <= now ? device.time : now
        let frames = framesAhead(of: lane.bufferFrames - device.available, lane)
        let whole = rt_floor_double(frames)
        state.pointee.clock.update(
            time: stamp, pointer: renderer.sampleTime.rawValue - Int64(whole) - 1, fraction: 1 - (frames - whole))
        clockError.add(Int64(rt_floor_double(state.pointee.clock.lastError + 0.5)))
    }

    /// Frames of the renderer between a device's pointer, which has `buffered` frames ahead, and the next slice.
    private func framesAhead(of buffered: Int, _ lane: PCMStream.Lane) -> Double {
        guard let converter = state.pointee.converter else { return Double(buffered) }
        return (Double(buffered) + converter.delay) * lane.ratio + Double(converter.waiting)
    }

    /// Fills `room`, up to what is left of it then; nil when all went well.
    private func fill(_ lane: PCMStream.Lane, room: inout Int, _ now: Int64) -> DeviceEvent? {
        while true {
            let frames = state.pointee.filling.slice(room: room)
            if frames == 0 { return nil }
            if let event = writeSlice(lane, frames, now) { return event }
            room -= frames
        }
    }

    /// Renders so many frames of the device and writes them; nil when all went well.
    private func writeSlice(_ lane: PCMStream.Lane, _ frames: Int, _ now: Int64) -> DeviceEvent? {
        if !breathe() { return .stop }
        let source: UnsafePointer<UnsafeMutablePointer<Float>>
        if let converter = state.pointee.converter {
            let made = converter.output(lane.planar, frames: frames, from: block.channels) {
                renderSlice(isHeard: true)
                return state.pointee.sliceFrames
            }
            if made < frames { return .gone(EIO) }
            source = lane.planar
        } else {
            renderSlice(isHeard: true, frames: frames)
            source = block.channels
        }
        if lane.channels == 1, request.channels > 1, request.channelMap.isEmpty {
            // One speaker plays both sides.
            rt_add(source[0], source[1], frames)
            rt_scale(source[0], source[0], 0.5, frames)
        }
        state.pointee.published.clippedSamples &+= SampleConversion.write(
            source, map: lane.map, channels: lane.channels, frames: frames, format: lane.format,
            to: lane.interleaved)
        return writeAll(lane, frames)
    }

    /// Writes what lies in `interleaved`.
    private func writeAll(_ lane: PCMStream.Lane, _ frames: Int) -> DeviceEvent? {
        var done = 0
        var refusals = 0
        while done < frames {
            let count = PCMCalls.write(lane.pcm, lane.interleaved + done * lane.bytesPerFrame, frames - done)
            if count > 0 {
                done += count
                continue
            }
            switch Int32(-count) {
            case EPIPE: return xrun(lane, rt_monotonic_nanoseconds())
            case ESTRPIPE: return .suspended
            case 0, EAGAIN, EINTR:
                // It said that there was room. It gets a moment to mean it.
                refusals += 1
                if refusals > 8 { return .stalled }
                if !sleep(until: rt_monotonic_nanoseconds() + lane.periodTime / 4) { return .stop }
            default: return .gone(Int32(-count))
            }
        }
        return nil
    }

    /// Fills the buffer with silence up to the next slice's place in time, and starts.
    func startDevice() -> DeviceEvent {
        guard let lane = state.pointee.lane else { return .gone(ENODEV) }
        let code = PCMCalls.prepare(lane.pcm)
        if code < 0 { return .gone(-code) }
        // While the device was being opened, time went on. Where rendering is too slow to catch up, the song waits.
        let buffer = Int64(state.pointee.bufferFrames), slice = Int64(state.pointee.sliceFrames)
        let start = rt_monotonic_nanoseconds()
        var now = start
        while now - start < 1_000_000_000,
            renderer.sampleTime.rawValue - state.pointee.substitute.frame(atNanoseconds: now) < buffer - slice
        {
            if !breathe() { return .stop }
            renderSlice(isHeard: false)
            now = rt_monotonic_nanoseconds()
        }
        // And where the last device had a longer buffer, it has to come nearer.
        let next = renderer.sampleTime.rawValue
        if !sleep(until: state.pointee.substitute.nanoseconds(atFrame: next - buffer)) { return .stop }
        now = rt_monotonic_nanoseconds()
        let pointer = state.pointee.substitute.frame(atNanoseconds: now)
        let ahead = (Double(next - pointer) - framesAhead(of: 0, lane)) / lane.ratio
        let silence = min(max(Int(ahead), 1), lane.bufferFrames)
        memset(lane.interleaved, 0, silence * lane.bytesPerFrame)
        if let event = writeAll(lane, silence) { return event }
        return go(lane, written: silence)
    }

    /// Goes on after an xrun: what should have been played meanwhile is rendered unheard, so that musical time does not
    /// stand still; then as much sound as the buffer takes, and on.
    func restartDevice() -> DeviceEvent {
        guard let lane = state.pointee.lane else { return .gone(ENODEV) }
        var silence = 0
        if state.pointee.clock.hasAnchor {
            let start = rt_monotonic_nanoseconds()
            let pointer = state.pointee.clock.time.sampleTime(atNanoseconds: start).rawValue + state.pointee.debt
            let clock = SubstituteClock(frame: pointer, at: start, sampleRate: request.sampleRate)
            state.pointee.substitute = clock
            var now = start
            // Beyond a second, or where rendering is too slow to catch up, the song waits. Where xruns come in a row, it
            // waits sooner: a machine that is too busy shall crackle, not fall silent.
            let limit = min(250_000_000, (start - state.pointee.restarted) / 4)
            while renderer.sampleTime.rawValue < clock.frame(atNanoseconds: now), now - start < limit,
                clock.frame(atNanoseconds: now) - renderer.sampleTime.rawValue < Int64(request.sampleRate)
            {
                if !breathe() { return .stop }
                renderSlice(isHeard: false)
                now = rt_monotonic_nanoseconds()
            }
            let ahead = Double(renderer.sampleTime.rawValue - clock.frame(atNanoseconds: now)) - framesAhead(of: 0, lane)
            if ahead > 0, ahead <= Double(state.pointee.sliceFrames) { silence = Int(ahead / lane.ratio) }
            silence = max(0, min(silence, lane.bufferFrames - lane.periodFrames))
            memset(lane.interleaved, 0, silence * lane.bytesPerFrame)
            if let event = writeAll(lane, silence) { return event }
        }
        let whole = (lane.bufferFrames - silence) / lane.periodFrames * lane.periodFrames
        var room = whole
        if let event = fill(lane, room: &room, rt_monotonic_nanoseconds()) { return event }
        state.pointee.restarted = rt_monotonic_nanoseconds()
        return go(lane, written: silence + whole - room)
    }

    /// Starts a device that has been given that many frames.
    private func go(_ lane: PCMStream.Lane, written: Int) -> DeviceEvent {
        let code = PCMCalls.start(lane.pcm)
        let now = rt_monotonic_nanoseconds()
        if code == -EPIPE { return xrun(lane, now) }
        if code == -ESTRPIPE { return .suspended }
        if code < 0 { return .gone(-code) }
        state.pointee.clock.reanchor()
        state.pointee.lastLateness = 0
        state.pointee.filling.start(written: written)
        let device = PCMCalls.status(lane.pcm, lane.status)
        if let event = trouble(device, lane, now) { return event }
        observe(device, lane, now)
        // Both sides begin at once: the first captured frame belongs to the first that is played.
        let origin = Int64(rt_floor_double(Double(renderer.sampleTime.rawValue) - framesAhead(of: written, lane) + 0.5))
        let late = state.pointee.substitute.frame(atNanoseconds: now) - origin
        state.pointee.debt = late > 0 && late < Int64(request.sampleRate) ? late : 0
        startCapture(from: origin)
        return .started
    }

    func prepare() -> DeviceEvent {
        guard let lane = state.pointee.lane else { return .gone(ENODEV) }
        let code = PCMCalls.prepare(lane.pcm)
        return code < 0 ? .prepareFailed(-code) : .prepared
    }

    func resume() -> DeviceEvent {
        guard let lane = state.pointee.lane else { return .gone(ENODEV) }
        let code = PCMCalls.resume(lane.pcm)
        if code == -EAGAIN { return .stillSuspended }
        return code < 0 ? .resumeFailed(-code) : .resumed
    }

    // MARK: - Element 1

    /// The capture side runs from the moment that the playback side does.
    private func startCapture(from origin: Int64) {
        guard let lane = state.pointee.captureLane else { return }
        state.pointee.captureOrigin = origin
        state.pointee.capturedFrames = 0
        // Linked devices have started by now.
        if PCMCalls.status(lane.pcm, lane.status).isXrun || stream?.isLinked != true { _ = PCMCalls.prepare(lane.pcm) }
        if stream?.isLinked != true { _ = PCMCalls.start(lane.pcm) }
    }

    /// Takes what was captured; an xrun there does not touch the playback side.
    private func readCapture() {
        guard let lane = state.pointee.captureLane, let inputTap else { return }
        let blockFrames = inputTap._withUnsafeGuaranteedRef { $0.blockFrames }
        var rounds = 0
        while rounds < 64 {
            rounds += 1
            let count = PCMCalls.read(lane.pcm, lane.interleaved, min(lane.periodFrames, blockFrames))
            if count > 0 {
                SampleConversion.read(
                    lane.interleaved, channels: lane.channels, frames: count, format: lane.format, to: lane.planar)
                let time = SampleTime(state.pointee.captureOrigin + Int64(state.pointee.capturedFrames))
                inputTap._withUnsafeGuaranteedRef {
                    $0.push(lane.planar, channelCount: lane.channels, frames: count, at: time)
                }
                state.pointee.capturedFrames += count
                state.pointee.published.capturedFrames += count
                continue
            }
            if count == -Int(EPIPE) {
                state.pointee.published.captureXruns += 1
                restartCapture(lane)
            }
            return
        }
    }

    private func restartCapture(_ lane: PCMStream.Lane) {
        if PCMCalls.prepare(lane.pcm) < 0 { return }
        state.pointee.captureOrigin = state.pointee.clock.time.sampleTime(
            atNanoseconds: rt_monotonic_nanoseconds()).rawValue
        state.pointee.capturedFrames = 0
        _ = PCMCalls.start(lane.pcm)
    }
}
