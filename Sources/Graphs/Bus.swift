/// One input or output of a unit in a graph: `mixer[1]`. The context decides which of the two it is.
public struct Bus: Hashable, Sendable {
    /// The unit.
    public let node: NodeID
    /// The bus, counted from 0.
    public let index: Int

    /// Bus `index` of `node`.
    public init(_ node: NodeID, _ index: Int) {
        self.node = node
        self.index = index
    }
}

/// A value that names a bus: the bus itself, or a unit, which means its bus 0.
public protocol BusPlace: Sendable {
    /// The bus that is meant.
    var bus: Bus { get }
}

extension Bus: BusPlace {
    public var bus: Bus { self }
}

extension NodeID: BusPlace {
    public var bus: Bus { Bus(self, 0) }

    /// One of the unit's inputs or outputs.
    public subscript(index: Int) -> Bus { Bus(self, index) }
}
