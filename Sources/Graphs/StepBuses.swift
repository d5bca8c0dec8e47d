// [render]
import CRealtime
import UnitAPI

extension UnsafeMutablePointer<RenderStep> {
    /// `room`: frames of a bus's buffers.
    @_noLocks func silence(_ room: Int) {
        let ports = pointee.ports
        if ports.pointee.isAtRest { return }
        for b in 0..<ports.pointee.outputCount { ports.pointee.outputs[b].isSilent = true }
        settle(room)
        ports.pointee.isAtRest = true
    }

    /// Clears, once, the buffers of buses that stayed silent for a whole slice.
    @_noLocks func settle(_ room: Int) {
        let ports = pointee.ports
        for b in 0..<ports.pointee.outputCount where ports.pointee.outputs[b].isSilent && !ports.pointee.outputs[b].isClear {
            for c in 0..<ports.pointee.outputs[b].channelCount { rt_zero(ports.pointee.outputs[b].channels[c], room) }
            ports.pointee.outputs[b].isClear = true
        }
    }

    @_noLocks func isFinite(_ frames: Int) -> Bool {
        let ports = pointee.ports
        for b in 0..<ports.pointee.outputCount where !ports.pointee.outputs[b].isSilent {
            for c in 0..<ports.pointee.outputs[b].channelCount {
                if !rt_is_finite(ports.pointee.outputs[b].channels[c], frames) { return false }
            }
        }
        return true
    }

    /// Returns true if all shares that this step adds up are at rest: they come before it.
    @_noLocks func sharesRest(_ side: Int) -> Bool {
        for share in 1...Int(pointee.shareCount) where !(self - share).pointee.bothPorts[side].isAtRest { return false }
        return true
    }

    /// Returns true if the edges that lead here were silent in an even slice, none fades, and the step need not start afresh.
    @_noLocks func edgesRest(_ feeds: UnsafeMutableBufferPointer<Feed>) -> Bool {
        if !pointee.isHeard { return true }
        if pointee.memory.pointee.restartsEven || pointee.memory.pointee.restartsOdd { return false }
        for b in 0..<pointee.ports.pointee.inputCount {
            let first = feeds.baseAddress.unsafelyUnwrapped + pointee.inlets[b].firstFeed
            for feed in first..<first + pointee.inlets[b].feedCount where !feed.isResting(0) { return false }
        }
        return true
    }
}
