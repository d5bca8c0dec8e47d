import Graphs

/// The order in which sound passes units, how far each is from the sources, and how late sound gets there.
///
/// Unlike a plan it includes units that lead nowhere, circles too: there the first unit of the list is taken for a source. In a
/// loop that sounds, the unit that closes it is the source, and edges to it run back.
package struct GraphColumns {
    /// Sources first.
    private(set) var nodes: [Graph.Node] = []
    /// The longest way from a source, in edges.
    private(set) var columns: [NodeID: Int] = [:]
    /// The delay of the sound at a unit's inputs against the events, in frames.
    private(set) var arrivals: [NodeID: Int] = [:]
    private var places: [NodeID: Int] = [:]
    private let loops: Set<NodeID>

    package init(_ graph: Graph) {
        var waiting = graph.nodes, missing: [NodeID: Int] = [:]
        loops = graph.loops
        let connections = graph.connections.filter { !$0.isLate(graph.loops) }
        for edge in connections { missing[edge.destination, default: 0] += 1 }
        let leaving = Dictionary(grouping: connections, by: \.source)
        while !waiting.isEmpty {
            let next = waiting.firstIndex { missing[$0.id, default: 0] == 0 } ?? 0
            let node = waiting.remove(at: next)
            places[node.id] = nodes.count
            nodes.append(node)
            for edge in leaving[node.id] ?? [] where places[edge.destination] == nil {
                missing[edge.destination, default: 0] -= 1
                let column = (columns[node.id] ?? 0) + 1
                columns[edge.destination] = max(columns[edge.destination] ?? 0, column)
                // Music waits for no sound, and nothing waits for a loop.
                if edge.carriesMusic || loops.contains(node.id) { continue }
                let arrival = (arrivals[node.id] ?? 0) + node.instance.latency
                arrivals[edge.destination] = max(arrivals[edge.destination] ?? 0, arrival)
            }
        }
    }

    func node(_ id: NodeID) -> Graph.Node? { places[id].map { nodes[$0] } }

    /// The delay of the sound at a unit's outputs against the events, in frames.
    package func departure(_ id: NodeID) -> Int {
        loops.contains(id) ? 0 : (arrivals[id] ?? 0) + (node(id)?.instance.latency ?? 0)
    }

    /// Frames by which an edge is held back, so that parallel ways arrive together. Loops are not delayed.
    func delay(_ edge: Connection) -> Int {
        if edge.isLate(loops) || loops.contains(edge.source) { return 0 }
        return (arrivals[edge.destination] ?? 0) - departure(edge.source)
    }
}
