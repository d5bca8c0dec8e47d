internal import EngineCore
internal import Graphs
internal import Reports
internal import UnitAPI
internal import Units

/// The engine of one `AVAudioEngine`, and the units that its nodes have there.
final class EngineHost {
    /// The units of a node: a chain, whose first takes its input.
    struct Placed {
        let node: AVAudioNode
        let first: NodeID, last: NodeID
        var units: [NodeID] = []
        /// What its units were made for.
        let needs: [Double]
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

    /// The unit whose sound a node gives.
    func outlet(of node: AVAudioNode) -> NodeID? { node is AVAudioOutputNode ? output : place(of: node)?.last }

    /// Makes the graph what the nodes and their links say, in one edit.
    func follow(_ nodes: [AVAudioNode], _ links: [NodeLink]) throws(Fault) {
        var (placed, edges) = (placed, edges)
        var fresh: [Placed] = []
        try engine.edit { (graph) throws(Fault) in
            let wanted = Set(nodes.map(ObjectIdentifier.init))
            for (key, old) in placed
            where !wanted.contains(key) || old.needs != old.node.needs(self, links) {
                for unit in old.units {
                    try graph.remove(unit)
                    edges = edges.filter { $0.source != unit && $0.destination != unit }
                }
                placed[key] = nil
            }
            for node in nodes where placed[ObjectIdentifier(node)] == nil && !(node is AVAudioOutputNode) {
                let units = try node.addUnits(to: &graph, self, links)
                guard let first = units.first, let last = units.last else { continue }
                for (source, destination) in zip(units, units.dropFirst()) { try graph.connect(source, to: destination) }
                let place = Placed(node: node, first: first, last: last, units: units, needs: node.needs(self, links))
                placed[ObjectIdentifier(node)] = place
                fresh.append(place)
            }
            var now: Set<Edge> = []
            for link in links {
                guard let source = placed[ObjectIdentifier(link.source)]?.last else { continue }
                let isOutput = link.destination is AVAudioOutputNode
                guard let target = isOutput ? output : placed[ObjectIdentifier(link.destination)]?.first else { continue }
                now.insert(Edge(source: source, destination: target, bus: isOutput ? 0 : link.destinationBus))
            }
            for edge in edges.subtracting(now) { try graph.disconnect(edge.source, from: edge.destination, input: edge.bus) }
            // In the order of the links, so that sums are the same each time.
            for link in links {
                for edge in now where placed[ObjectIdentifier(link.source)]?.last == edge.source && !edges.contains(edge) {
                    try graph.connect(edge.source, to: edge.destination, input: edge.bus)
                    edges.insert(edge)
                }
            }
            edges = now
        }
        (self.placed, self.edges) = (placed, edges)
        for place in fresh { place.node.didJoin(self, place) }
    }
}

/// A connection of two nodes.
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
