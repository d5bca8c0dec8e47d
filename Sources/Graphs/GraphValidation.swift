enum GraphValidation {
    struct Circle: Error { let places: [NodeID] }

    /// Sources first. Depth-first from the roots backwards, in the order of `edges`, so that equal graphs give equal plans. A
    /// unit of `loops` waits for no sound: what feeds it is needed too, but may come after it.
    static func order(roots: [NodeID], edges: [Connection], loops: Set<NodeID>) throws(Circle) -> [NodeID] {
        var sources: [NodeID: [NodeID]] = [:], later: [NodeID: [NodeID]] = [:]
        for edge in edges {
            if edge.isLate(loops) {
                later[edge.destination, default: []].append(edge.source)
            } else {
                sources[edge.destination, default: []].append(edge.source)
            }
        }
        var roots = roots, begun = 0
        var order: [NodeID] = []
        var finished: Set<NodeID> = [], onPath: Set<NodeID> = []
        while begun < roots.count {
            let root = roots[begun]
            begun += 1
            if finished.contains(root) { continue }
            // An explicit stack: a chain of a hundred thousand units must not overflow the thread's.
            var stack: [(id: NodeID, next: Int)] = [(root, 0)]
            onPath = [root]
            while let (id, next) = stack.last {
                let feeding = sources[id] ?? []
                if next < feeding.count {
                    stack[stack.count - 1].next += 1
                    let source = feeding[next]
                    if onPath.contains(source) {
                        let path = stack.map(\.id).drop { $0 != source }
                        throw Circle(places: (path + [source]).reversed())
                    }
                    if !finished.contains(source) {
                        stack.append((source, 0))
                        onPath.insert(source)
                    }
                } else {
                    stack.removeLast()
                    onPath.remove(id)
                    if finished.insert(id).inserted {
                        order.append(id)
                        roots += later[id] ?? []
                    }
                }
            }
        }
        return order
    }

    /// Sound must not run in a circle to the output or to a unit without outputs, but through a unit that closes loops.
    static func check(_ graph: Graph) throws(Fault) {
        try graph.checkRate()
        guard let output = graph.output else { throw .noOutput }
        let sinks = graph.nodes.filter { $0.instance.descriptor.outputs.isEmpty }.map(\.id)
        do { _ = try order(roots: [output.node] + sinks, edges: graph.connections, loops: graph.loops) } catch {
            var names: [String] = []
            for id in error.places { names.append(try graph.node(id).name) }
            throw .cycle(names)
        }
    }
}

extension Graph {
    /// The units that close loops.
    package var loops: Set<NodeID> { Set(nodes.filter { $0.instance.descriptor.closesLoop }.map(\.id)) }
}

extension Connection {
    /// Returns true if the edge leads sound to a unit that closes a loop, one of `loops`: there it is heard later.
    package func isLate(_ loops: Set<NodeID>) -> Bool { !carriesMusic && loops.contains(destination) }
}
