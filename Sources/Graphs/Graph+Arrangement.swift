import UnitAPI

extension Graph {
    /// Puts units and edges into this order: surfaces list units by it, and edges into one bus are added up by it.
    ///
    /// Units and edges without a name in the lists keep their order after the others.
    public mutating func arrange(
        nodes names: [NodeID], connections order: [(source: NodeID, sourceBus: Int, destination: NodeID, destinationBus: Int)]
    ) {
        var places: [NodeID: Int] = [:]
        for (place, id) in names.enumerated() { places[id] = place }
        nodes = Self.sorted(nodes) { places[$0.id] }
        var edges: [Edge: Int] = [:]
        for (place, edge) in order.enumerated() {
            edges[Edge(edge.source, edge.sourceBus, edge.destination, edge.destinationBus)] = place
        }
        connections = Self.sorted(connections) {
            edges[Edge($0.source, $0.sourceBus, $0.destination, $0.destinationBus)]
        }
    }

    /// Renames units, given the new name by the current one; the units stay what they are.
    ///
    /// - Throws: `duplicateName` if two would be called the same; nothing has changed then.
    public mutating func rename(_ names: [String: String]) throws(Fault) {
        var renamed = nodes, now: Set<String> = []
        for index in nodes.indices {
            renamed[index].name = names[nodes[index].name] ?? nodes[index].name
            if !now.insert(renamed[index].name).inserted { throw .duplicateName(renamed[index].name) }
        }
        nodes = renamed
        taken = TakenNames(nodes)
    }

    /// Removes units from a copy that is not rendered, such as one that is written as a patch.
    package mutating func forget(_ ids: Set<NodeID>) {
        if ids.isEmpty { return }
        nodes.removeAll { ids.contains($0.id) }
        taken = TakenNames(nodes)
        connections.removeAll { ids.contains($0.source) || ids.contains($0.destination) }
        for part in routes.indices { routes[part].removeAll { ids.contains($0) } }
    }

    /// Sets the purpose of a unit.
    public mutating func setRole(_ role: UnitRole?, of id: NodeID) throws(Fault) {
        _ = try node(id)
        for index in nodes.indices where nodes[index].id == id { nodes[index].role = role }
    }

    /// Sets the values that a unit is requested with, though it stays the one that it is.
    public mutating func redeclare(
        _ startValues: [String: Float], _ elementValues: [String: [Float]], of id: NodeID
    ) throws(Fault) {
        _ = try node(id)
        for index in nodes.indices where nodes[index].id == id {
            nodes[index].declared.startValues = startValues
            nodes[index].declared.elementValues = elementValues
        }
    }

    /// Takes a part, 0...255, away from a unit. Of any other number no unit has the part, and nothing happens.
    public mutating func unroute(part: Int, from id: NodeID) {
        if routes.indices.contains(part) { routes[part].removeAll { $0 == id } }
    }

    /// Stable, what has no place at the end.
    private static func sorted<Element>(_ list: [Element], by place: (Element) -> Int?) -> [Element] {
        list.enumerated().sorted { a, b in
            let first = place(a.element) ?? .max, second = place(b.element) ?? .max
            return first == second ? a.offset < b.offset : first < second
        }.map(\.element)
    }

    struct Edge: Hashable {
        let source: NodeID, sourceBus: Int, destination: NodeID, destinationBus: Int

        init(_ edge: Connection) { self.init(edge.source, edge.sourceBus, edge.destination, edge.destinationBus) }

        init(_ source: NodeID, _ sourceBus: Int, _ destination: NodeID, _ destinationBus: Int) {
            (self.source, self.sourceBus) = (source, sourceBus)
            (self.destination, self.destinationBus) = (destination, destinationBus)
        }
    }
}
