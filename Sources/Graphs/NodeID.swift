/// Names one unit of one graph. Counted up from 0 and never used twice, so a stale name finds nothing, and neither does that of
/// another engine's unit.
public struct NodeID: RawRepresentable, Hashable, Comparable, BitwiseCopyable, Sendable, CustomStringConvertible {
    public var rawValue: Int32
    /// The number of the graph that handed it out; 0 for a name that no graph did.
    let graph: UInt32

    @_noLocks public init(rawValue: Int32) { self.init(rawValue, of: 0) }
    @_noLocks init(_ rawValue: Int32, of graph: UInt32) { (self.rawValue, self.graph) = (rawValue, graph) }

    public static func == (a: NodeID, b: NodeID) -> Bool { a.rawValue == b.rawValue && a.graph == b.graph }
    public static func < (a: NodeID, b: NodeID) -> Bool { (a.rawValue, a.graph) < (b.rawValue, b.graph) }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
        hasher.combine(graph)
    }
    public var description: String { "node \(rawValue)" }

    // Places in a plan that are not units: below zero, so that no command finds them.

    static var outside: NodeID { NodeID(rawValue: -1) }
    /// The places before and after a unit that can be bypassed.
    var entrance: NodeID { NodeID(-2 - 2 * rawValue, of: graph) }
    var exit: NodeID { NodeID(-3 - 2 * rawValue, of: graph) }
}
