internal import EngineCore
internal import Graphs
internal import Reports
internal import Units

/// The engine of one `AVAudioEngine`, and the units that its nodes have there.
final class EngineHost {
    /// The units of a node: a chain, whose first takes its input.
    struct Placed {
        let node: AVAudioNode
        var units: [NodeID]
        var first: NodeID { units[0] }
        var last: NodeID { units[units.count - 1] }
        /// What its units were made for.
        let needs: [Double]
        var isOutdated = false
    }

    private struct Edge: Hashable {
        let source: NodeID, destination: NodeID
        let bus: Int
    }

    let engine: Engine
    /// Adds up what leads to the output node.
    let output: NodeID
    private var placed: [ObjectIdentifier: Placed] = [:]
    private var edges: Set<Edge> = []
    /// True while nodes get their units and connections, and give these their values.
    var isFollowing = false

    init(sampleRate: Double, maximumFrames: Int) throws(Fault) {
        let engine = Engine(sampleRate: sampleRate, maximumFrames: maximumFrames)
        output = try engine.edit { (graph) throws(Fault) in
            let output = try graph.add(Junction.self, name: "output")
            try graph.setOutput(output)
            return output
        }
        self.engine = engine
    }

    func place(of node: AVAudioNode) -> Placed? { placed[ObjectIdentifier(node)] }

    /// A unit of a node was made anew, with other samples.
    func replace(_ former: NodeID, with new: NodeID, of node: AVAudioNode) {
        func now(_ unit: NodeID) -> NodeID { unit == former ? new : unit }
        if let place = place(of: node) { placed[ObjectIdentifier(node)]?.units = place.units.map(now) }
        edges = Set(edges.map { Edge(source: now($0.source), destination: now($0.destination), bus: $0.bus) })
    }

    /// The unit whose sound a node gives.
    func outlet(of node: AVAudioNode) -> NodeID? { node is AVAudioOutputNode ? output : place(of: node)?.last }

    private func needsEdit(_ nodes: [AVAudioNode], _ links: [NodeLink]) -> Bool {
        if edges != Set(links.compactMap({ edge($0, placed) })) { return true }
        let isSame = nodes.allSatisfy { node in
            node is AVAudioOutputNode || place(of: node).map { !$0.isOutdated && $0.needs == node.needs(self, links) } ?? false
        }
        return !isSame || placed.count != nodes.count { !($0 is AVAudioOutputNode) }
    }

    private func edge(_ link: NodeLink, _ placed: [ObjectIdentifier: Placed]) -> Edge? {
        guard let source = placed[ObjectIdentifier(link.source)]?.last else { return nil }
        if link.destination is AVAudioOutputNode { return Edge(source: source, destination: output, bus: 0) }
        return placed[ObjectIdentifier(link.destination)].map {
            Edge(source: source, destination: $0.first, bus: link.destinationBus)
        }
    }

    /// Makes the units of a node anew with the next change.
    func outdate(_ node: AVAudioNode) { placed[ObjectIdentifier(node)]?.isOutdated = true }

    /// Makes the graph what the nodes and their links say, in one edit.
    func follow(_ nodes: [AVAudioNode], _ links: [NodeLink]) throws(Fault) {
        var (placed, edges) = (placed, edges)
        var fresh: [Placed] = [], gone: [Placed] = []
        // A node has units from its first connection or tap on.
        let nodes = nodes.filter { node in
            placed[ObjectIdentifier(node)] != nil || node.hasTap || links.contains { $0.isFrom(node) || $0.isTo(node) }
        }
        if !needsEdit(nodes, links) { return }
        try engine.edit { (graph) throws(Fault) in
            let present = Set(nodes.map(ObjectIdentifier.init))
            for (key, old) in placed
            where !present.contains(key) || old.isOutdated || old.needs != old.node.needs(self, links) {
                for unit in old.units {
                    try graph.remove(unit)
                    edges = edges.filter { $0.source != unit && $0.destination != unit }
                }
                placed[key] = nil
                gone.append(old)
            }
            for node in nodes where placed[ObjectIdentifier(node)] == nil && !(node is AVAudioOutputNode) {
                let units = try node.addUnits(to: &graph, self, links)
                if units.isEmpty { continue }
                for (source, destination) in zip(units, units.dropFirst()) { try graph.connect(source, to: destination) }
                let place = Placed(node: node, units: units, needs: node.needs(self, links))
                placed[ObjectIdentifier(node)] = place
                fresh.append(place)
            }
            let now = Set(links.compactMap { edge($0, placed) })
            for edge in edges.subtracting(now) { try graph.disconnect(edge.source, from: edge.destination, input: edge.bus) }
            // In the order of the links, so that sums are the same each time.
            for link in links {
                guard let edge = edge(link, placed), !edges.contains(edge) else { continue }
                try graph.connect(edge.source, to: edge.destination, input: edge.bus)
                edges.insert(edge)
            }
            edges = now
        }
        (self.placed, self.edges) = (placed, edges)
        for place in gone { place.node.didLeave() }
        for place in fresh { place.node.didJoin(self, place) }
    }
}

struct NodeLink {
    let source: AVAudioNode
    let sourceBus: Int
    let destination: AVAudioNode
    let destinationBus: Int
    let format: AVAudioFormat?

    func isFrom(_ node: AVAudioNode, _ bus: Int? = nil) -> Bool { source === node && (bus ?? sourceBus) == sourceBus }
    func isTo(_ node: AVAudioNode, _ bus: Int? = nil) -> Bool {
        destination === node && (bus ?? destinationBus) == destinationBus
    }
}
