/// Names one unit in a graph. Counted up from 0 and never used twice, so a stale name finds nothing.
public struct NodeID: RawRepresentable, Hashable, Comparable, BitwiseCopyable, Sendable, CustomStringConvertible {
    public var rawValue: Int32
    @_noLocks public init(rawValue: Int32) { self.rawValue = rawValue }
    public static func < (a: NodeID, b: NodeID) -> Bool { a.rawValue < b.rawValue }
    public var description: String { "node \(rawValue)" }

    // Places in a plan that are no units: below zero, so that no command finds them.

    static var outside: NodeID { NodeID(rawValue: -1) }
    /// The places before and after a unit that can be bypassed.
    var entrance: NodeID { NodeID(rawValue: -2 - 2 * rawValue) }
    var exit: NodeID { NodeID(rawValue: -3 - 2 * rawValue) }
}
