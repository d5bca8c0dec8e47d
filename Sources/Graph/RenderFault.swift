import RealtimeCore

/// Something the render side could not hide and must not throw: a code for the control side to turn into a sentence.
public struct RenderFault: BitwiseCopyable, Sendable {
    /// The kind of a fault.
    public enum Code: UInt8, BitwiseCopyable, Sendable {
        /// A unit produced a sample that is infinite or no number; it was muted for the slice and reset.
        case notFinite
    }

    /// The kind of this fault.
    public var code: Code
    /// The unit, if one is to blame.
    public var node: NodeID
    /// The slice's first frame.
    public var time: SampleTime

    @_noLocks init(_ code: Code, node: NodeID, time: SampleTime) {
        (self.code, self.node, self.time) = (code, node, time)
    }
}
