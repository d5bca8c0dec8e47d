// [render]
import CRealtime
import RealtimeCore
import UnitAPI

/// The one kind of unit that gets input from units after it: its inputs are 64 frames late, and so its turn comes before that
/// of the units that feed it.
extension PlanTables {
    var hasLoops: Bool { @_noLocks get { loops.count > 0 } }

    /// Points every input bus of such a unit at what was led there 64 frames ago. Returns true if all of it is silence.
    @_noLocks func recall(
        _ step: UnsafeMutablePointer<RenderStep>, _ ring: LoopRing, _ frames: Int, at time: SampleTime
    ) -> Bool {
        ring.begin(frames, at: time.rawValue)
        let ports = step.pointee.ports
        var isQuiet = true, channel = 0
        for b in 0..<ports.pointee.inputCount {
            let bus = ports.pointee.inputs + b, inlet = step.pointee.inlets + b
            bus.pointee.channels = inlet.pointee.sum
            bus.pointee.isSilent = ring.isSilent(b)
            if bus.pointee.isSilent {
                clear(inlet, bus.pointee.channelCount)
            } else {
                for c in 0..<bus.pointee.channelCount { ring.read(channel &+ c, to: inlet.pointee.sum[c]) }
                inlet.pointee.isClear = false
                isQuiet = false
            }
            channel &+= bus.pointee.channelCount
        }
        return isQuiet
    }

    /// Hands what a slice has led to such units over to their rings: every step of it has been rendered.
    @_noLocks func closeLoops(_ frames: Int) {
        for k in 0..<loops.count {
            let step = steps.baseAddress.unsafelyUnwrapped + Int(loops[k])
            guard step.pointee.isHeard, let ring = step.pointee.memory.pointee.loop else { continue }
            _ = gather(step, 0, frames)
            let ports = step.pointee.ports
            var channel = 0
            for b in 0..<ports.pointee.inputCount {
                let bus = ports.pointee.inputs + b, isSilent = isSilent(bus, frames)
                for c in 0..<bus.pointee.channelCount {
                    ring.write(channel &+ c, isSilent ? nil : UnsafePointer(bus.pointee.channels[c]))
                }
                ring.note(b, isSilent: isSilent)
                channel &+= bus.pointee.channelCount
            }
            ring.finish()
        }
    }

    /// A loop has to check the samples: without that, its units would keep each other marked as not silent for ever.
    @_noLocks private func isSilent(_ bus: UnsafeMutablePointer<RenderBus>, _ frames: Int) -> Bool {
        if bus.pointee.isSilent { return true }
        for c in 0..<bus.pointee.channelCount where !rt_is_silent(bus.pointee.channels[c], frames) { return false }
        return true
    }
}

extension UnsafeMutablePointer<RenderStep> {
    /// From a frame of the slice on: its input in the rest of the slice too, and what was led to it before that frame.
    @_noLocks func forgetLoop(at offset: Int) {
        guard let ring = pointee.memory.pointee.loop else { return }
        let left = ring.clear(before: offset), ports = pointee.ports
        if left <= 0 { return }
        for b in 0..<ports.pointee.inputCount {
            let bus = ports.pointee.inputs + b
            for c in 0..<bus.pointee.channelCount { rt_zero(pointee.inlets[b].sum[c] + offset, left) }
        }
    }
}
