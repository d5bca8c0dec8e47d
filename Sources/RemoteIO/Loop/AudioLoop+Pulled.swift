// [render]
import CRealtime
import RealtimeCore
import SampleRate

/// The loop with a device that pulls in a thread of its own: JACK, PipeWire. Each cycle renders just what it asks for.
///
/// As seen from the clock the device has two cycles in its buffer: an event that comes during one is placed in the one after
/// the next, as far from its stamp as every other.
extension AudioLoop {
    /// Brings the next slice to its place in time; the first cycle goes on there.
    @_noLocks mutating func startPulled() -> DeviceEvent {
        if let event = meetTime() { return event }
        clock.reanchor()
        lastLateness = 0
        debt = 0
        pulled?.hasPosition = false
        pulled?.hears = false
        return .started
    }

    /// `xruns` counts since the last cycle. Called on the device's thread, while the gate is open.
    @_noLocks mutating func pull(_ cycle: rt_cycle, xruns: Int) {
        guard var lane = pulled else { return }
        let begin = now, frames = Int(cycle.frames)
        if PulledLane.isOther(frames, than: lane.periodFrames) { adapt(&lane, to: frames) }
        if cycle.is_freewheeling != lane.isFreewheeling { freewheel(&lane, cycle.is_freewheeling) }
        if !lane.isFreewheeling {
            for _ in 0..<min(xruns, 1000) { machine.note(cause(lane, begin &- min(cycle.time, begin))) }
            if lane.hasPosition, cycle.position > lane.position { makeUp(for: cycle.position &- lane.position, lane) }
            observe(cycle, lane, begin)
        }
        lane.position = cycle.position &+ cycle.frames
        lane.hasPosition = !lane.isFreewheeling
        if lane.captureChannels > 0 { listen(&lane, cycle) }
        pulled = lane
        var done = 0
        while done < frames {
            let count = min(lane.limit, frames &- done)
            capture(cycle, lane, from: done, count)
            write(cycle, lane, from: done, count)
            done &+= count
        }
        publish()
    }

    @_noLocks private mutating func adapt(_ lane: inout PulledLane, to frames: Int) {
        lane.periodFrames = max(frames, 1)
        lane.captureDelay = 2 &* lane.periodFrames
        if converter == nil { sliceFrames = lane.periodFrames }
        bufferFrames = Int(rt_floor_double(Double(2 &* lane.periodFrames) * lane.ratio + 0.5))
        clock.reanchor()
    }

    /// True if the device asks as fast as it is answered: then no time is measured.
    var isFreewheeling: Bool {
        @_noLocks get {
            guard let pulled else { return false }
            return pulled.isFreewheeling
        }
    }

    /// Begins or ends to run as fast as it can: no clock, no hurry, nothing is shed.
    @_noLocks private mutating func freewheel(_ lane: inout PulledLane, _ begins: Bool) {
        lane.isFreewheeling = begins
        lane.hasPosition = false
        clock.reanchor()
        if begins, published.sheddingLevel > 0 {
            published.sheddingLevel = 0
            renderer._withUnsafeGuaranteedRef { $0.shed(0) }
        }
    }

    /// The most likely one; this cycle woke the thread `late` nanoseconds late.
    @_noLocks private func cause(_ lane: PulledLane, _ late: Int64) -> XrunCause {
        .judge(
            render: max(lastRender, shortRender), lateness: max(lastLateness, late), period: lane.periodTime,
            inHand: lane.periodTime)
    }

    /// Renders unheard what the device went on by without having asked, so that the song is where it would have been, as after
    /// an xrun of a sound card. Beyond a second, or if that would take more than half a cycle, the song waits.
    @_noLocks private mutating func makeUp(for lost: Int64, _ lane: PulledLane) {
        let start = now, limit = lane.periodTime / 2
        var left = Int(rt_floor_double(Double(min(lost, Int64(lane.sampleRate))) * lane.ratio + 0.5))
        renderer._withUnsafeGuaranteedRef { $0.holdLive() }
        while left > 0, now &- start < limit {
            let frames = min(left, sliceFrames)
            renderSlice(isHeard: false, isMeasured: false, frames: frames)
            left &-= frames
        }
        resumeLive()
        fadeLeft = fadeFrames
        clock.reanchor()
    }

    @_noLocks private mutating func observe(_ cycle: rt_cycle, _ lane: PulledLane, _ now: Int64) {
        let time = min(cycle.time, now)
        lastLateness = now &- time
        let late = lastLateness
        wakeLateness._withUnsafeGuaranteedRef { $0.add(late) }
        let ahead = framesAhead(of: lane.periodFrames, ratio: lane.ratio)
        let whole = rt_floor_double(ahead)
        clock.update(time: time, pointer: nextFrame.rawValue &- Int64(whole) &- 1, fraction: 1 - (ahead - whole))
        let error = Int64(rt_floor_double(clock.lastError + 0.5))
        clockError._withUnsafeGuaranteedRef { $0.add(error) }
    }

    @_noLocks private mutating func listen(_ lane: inout PulledLane, _ cycle: rt_cycle) {
        published.captureSlips &+= Int(cycle.input_slips)
        if cycle.is_deaf, lane.hears { published.captureXruns &+= 1 }
        lane.hears = !cycle.is_deaf
    }

    /// Passes on the captured frames, with the sample time that was heard meanwhile.
    @_noLocks private mutating func capture(_ cycle: rt_cycle, _ lane: PulledLane, from first: Int, _ count: Int) {
        // Without input the frames are missing: the reader of the queue counts them.
        guard let input, lane.hears else { return }
        for channel in 0..<lane.captureChannels {
            if channel < cycle.input_count, let from = cycle.inputs[channel] {
                rt_copy(lane.captured[channel], from + first, count)
            } else {
                rt_zero(lane.captured[channel], count)
            }
        }
        // Later pieces of a cycle come after the earlier ones were rendered, which moved the next frame along.
        let time = nextFrame + -lane.captureDelay
        input._withUnsafeGuaranteedRef {
            $0.push(lane.captured, channelCount: lane.captureChannels, frames: count, at: time)
        }
        published.capturedFrames &+= count
    }

    @_noLocks private mutating func write(_ cycle: rt_cycle, _ lane: PulledLane, from first: Int, _ count: Int) {
        var source = block, isWhole = true
        if let converter {
            isWhole = convert(lane.planar, count, converter)
            source = lane.planar
        } else {
            renderSlice(isHeard: true, isMeasured: !isFreewheeling, frames: count)
        }
        if isWhole, let fold = lane.fold {
            let made = source
            source = fold._withUnsafeGuaranteedRef { $0.fold(made, frames: count) }
        }
        for channel in 0..<min(Int(cycle.output_count), lane.channels) {
            guard let to = cycle.outputs[channel] else { continue }
            if isWhole, lane.map[channel] >= 0 {
                let from = source[Int(lane.map[channel])]
                rt_copy(to + first, from, count)
                noteClipping(from, count)
            } else {
                rt_zero(to + first, count)
            }
        }
    }

    /// A server takes floating point as it is; samples beyond full scale, which may be turned down after it, are counted.
    @_noLocks private mutating func noteClipping(_ samples: UnsafePointer<Float>, _ count: Int) {
        if rt_peak(samples, count) <= 1 { return }
        for i in 0..<count where samples[i] > 1 || samples[i] < -1 { published.clippedSamples &+= 1 }
    }
}
