import RealtimeCore

/// Something the render side could not hide and must not throw: a code for the control side to turn into a sentence.
package struct RenderFault: BitwiseCopyable, Sendable {
    /// The kind of a fault.
    package enum Code: UInt8, BitwiseCopyable, Sendable {
        /// A unit produced a sample that is infinite or no number; it was muted for the slice and reset.
        case notFinite
    }

    /// The kind of this fault.
    package var code: Code
    /// The unit, if one is to blame.
    package var node: NodeID
    /// The slice's first frame.
    package var time: SampleTime

    @_noLocks init(_ code: Code, node: NodeID, time: SampleTime) {
        (self.code, self.node, self.time) = (code, node, time)
    }
}
