/// Changes that are made once more, of another graph: an edit is carried over into edits that wait for a later time.
extension Graph {
    /// Returns this graph with the changes that lead from `old` to `new`. What they need of units that it lacks is left out.
    package func changed(from old: Graph, to new: Graph) -> Graph {
        var result = self
        let before = Dictionary(uniqueKeysWithValues: old.nodes.map { ($0.id, $0) })
        let after = Dictionary(uniqueKeysWithValues: new.nodes.map { ($0.id, $0) })
        let own = Set(nodes.map(\.id))
        result.nodes = nodes.compactMap { node in
            guard let was = before[node.id] else { return node }
            guard var now = after[node.id] else { return nil }
            if was.isBypassed == now.isBypassed { now.isBypassed = node.isBypassed }
            if was.owner == now.owner { now.owner = node.owner }
            return now
        }
        result.nodes += new.nodes.filter { before[$0.id] == nil && !own.contains($0.id) }
        result.taken = TakenNames(result.nodes)
        let units = Set(result.nodes.map(\.id))
        func isThere(_ edge: Connection) -> Bool { units.contains(edge.source) && units.contains(edge.destination) }
        let olds = Set(old.connections.map(Edge.init)), news = Set(new.connections.map(Edge.init))
        let owns = Set(connections.map(Edge.init))
        result.connections = connections.filter { !olds.contains(Edge($0)) || news.contains(Edge($0)) }
        result.connections += new.connections.filter { !olds.contains(Edge($0)) && !owns.contains(Edge($0)) }
        result.connections.removeAll { !isThere($0) }
        let output = old.outputEdge.map(Edge.init)
        if output != new.outputEdge.map(Edge.init), output == outputEdge.map(Edge.init) { result.outputEdge = new.outputEdge }
        if let edge = result.outputEdge, !units.contains(edge.source) { result.outputEdge = nil }
        for part in routes.indices where old.routes[part] != new.routes[part] || units != own {
            let was = old.routes[part], now = new.routes[part]
            result.routes[part].removeAll { was.contains($0) && !now.contains($0) }
            result.routes[part] += now.filter { !was.contains($0) && !routes[part].contains($0) }
            result.routes[part].removeAll { !units.contains($0) }
        }
        result.continueIdentifiers(of: new)
        return result
    }
}
