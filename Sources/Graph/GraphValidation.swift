/// What must hold of a graph before it is compiled, and the order that follows from it.
enum GraphValidation {
    /// The units that the output or a sink (a unit without outputs) needs, sources first.
    ///
    /// Depth-first from the output backwards, in the order in which connections were made, so that equal descriptions
    /// give equal plans.
    static func renderOrder(
        _ graph: Graph, nodes: [Graph.Node], connections: [Connection]
    ) throws(GraphError) -> [Graph.Node] {
        guard let output = graph.output else { throw .noOutput }
        var byID: [NodeID: Graph.Node] = [:]
        for node in nodes { byID[node.id] = node }
        func named(_ id: NodeID) throws(GraphError) -> Graph.Node {
            guard let node = byID[id] else { throw .unknownNode(id) }
            return node
        }
        var order: [Graph.Node] = []
        var finished: Set<NodeID> = []
        var path: [NodeID] = []
        var sources: [NodeID: [NodeID]] = [:]
        for connection in connections { sources[connection.destination, default: []].append(connection.source) }

        // An explicit stack: a chain of a hundred thousand units must not overflow the thread's.
        func visit(_ root: NodeID) throws(GraphError) {
            var stack: [(id: NodeID, next: Int)] = [(root, 0)]
            path = [root]
            while let (id, next) = stack.last {
                let feeding = sources[id] ?? []
                if next < feeding.count {
                    stack[stack.count - 1].next += 1
                    let source = feeding[next]
                    if let start = path.firstIndex(of: source) {
                        var names: [String] = []
                        for id in path[start...] + [source] { names.append(try named(id).name) }
                        throw .cycle(names.reversed())
                    }
                    if !finished.contains(source) {
                        stack.append((source, 0))
                        path.append(source)
                    }
                } else {
                    stack.removeLast()
                    path.removeLast()
                    if finished.insert(id).inserted { order.append(try named(id)) }
                }
            }
        }

        try visit(output.node)
        for node in graph.nodes where node.instance.descriptor.outputs.isEmpty && !finished.contains(node.id) {
            try visit(node.id)
        }
        return order
    }
}
