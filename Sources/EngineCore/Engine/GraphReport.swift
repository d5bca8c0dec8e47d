import Graphs
import RealtimeCore
import UnitAPI

/// A graph as a document: its units, the signal on every edge, its latency and its cost. Core Audio's `CAShow`, as a value.
///
/// `text(width:)` draws it for a terminal, `dot` for Graphviz, `svg` for a browser; encoded it is the JSON of
/// `carillon graph show`. Control side.
public struct GraphReport: Encodable, Sendable {
    /// A unit.
    public struct Unit: Encodable, Sendable {
        /// The name in the graph.
        public let name: String
        /// The name of its type: `channel-strip`.
        public let type: String
        /// Type, subtype and manufacturer: `aumx/strp/Cari`.
        public let component: String
        /// The purpose; nil if none is known.
        public let role: UnitRole?
        /// The delay of its output against its input, in frames.
        public let latency: Int
        /// The longest that it sounds after its input, in seconds.
        public let tail: Double
        /// True while sound is led around it.
        public let isBypassed: Bool
        /// True if it said in its newest slice that it is at rest.
        public let isAtRest: Bool
        /// The share, 0...1, of the time in which all units rendered, within 1/16 of the value; nil where nothing was
        /// measured.
        public package(set) var share: Double?
    }

    /// A connection.
    public struct Edge: Encodable, Sendable {
        /// The unit that sounds, by its name, its output bus and what that is called.
        public let source: String
        public let sourceBus: Int
        public let sourceBusName: String
        /// The unit that listens.
        public let destination: String
        public let destinationBus: Int
        public let destinationBusName: String
        /// The format of what flows: channels, and frames per second.
        public let channels: Int
        public let sampleRate: Double
        /// Channels of the bus that it is led to, and how they are filled.
        public let destinationChannels: Int
        public let conversion: Connection.Conversion
        /// Frames by which it is held back, so that parallel ways arrive together.
        public let delay: Int
        /// True if notes and controllers go along it, and no sound.
        public let carriesMusic: Bool
    }

    /// The point at which the sound leaves the graph.
    public struct Output: Encodable, Sendable {
        public let unit: String
        public let bus: Int
        public let channels: Int
    }

    /// Frames per second on every bus.
    public let sampleRate: Double
    /// The most frames of one slice.
    public let maximumFrames: Int
    /// The delay of the output against the events, in frames.
    public let latency: Int
    /// The units, sources first.
    public let units: [Unit]
    /// The connections, in the order in which they were made.
    public let edges: [Edge]
    /// nil if the graph has none.
    public let output: Output?
    /// Seconds of sound that were rendered to measure the shares; nil where nothing was.
    public package(set) var measuredSeconds: Double?
    /// The distance of each unit from the sources: those are in column 0.
    let columns: [Int]

    enum CodingKeys: CodingKey {
        case sampleRate, maximumFrames, latency, units, edges, output, measuredSeconds
    }

    /// The graph of an engine as it is now. Units have a share if `UnitInstance.measureTime` was called.
    public init(_ engine: Engine) { self.init(engine.graph) }

    init(_ graph: Graph) {
        sampleRate = graph.sampleRate
        maximumFrames = graph.maximumFrames
        let order = GraphColumns(graph)
        columns = order.nodes.map { order.columns[$0.id] ?? 0 }
        let times = order.nodes.map { $0.instance.renderTime?.total }
        let whole = times.reduce(0) { $0 + ($1 ?? 0) }
        units = zip(order.nodes, times).map { node, time in
            Unit(node, share: time.flatMap { whole > 0 ? Double($0) / Double(whole) : nil })
        }
        edges = graph.connections.compactMap { edge in
            guard let source = order.node(edge.source), let destination = order.node(edge.destination) else { return nil }
            return Edge(edge, from: source, to: destination, delay: order.delay(edge))
        }
        output = graph.output.flatMap { output in
            order.node(output.node).map {
                Output(unit: $0.name, bus: output.bus, channels: $0.instance.descriptor.outputs[output.bus].channels)
            }
        }
        latency = graph.output.map { order.departure($0.node) } ?? 0
    }
}

extension GraphReport.Unit {
    fileprivate init(_ node: Graph.Node, share: Double?) {
        let descriptor = node.instance.descriptor
        (name, type, component) = (node.name, descriptor.name, "\(descriptor.component)")
        (role, latency, tail) = (node.role, node.instance.latency, descriptor.tail)
        (isBypassed, isAtRest) = (node.isBypassed, node.instance.isAtRest)
        self.share = share
    }
}

extension GraphReport.Edge {
    fileprivate init(_ edge: Connection, from source: Graph.Node, to destination: Graph.Node, delay: Int) {
        let output = source.instance.descriptor.outputs[edge.sourceBus]
        let input = edge.carriesMusic ? .music() : destination.instance.inputs[edge.destinationBus]
        carriesMusic = edge.carriesMusic
        (self.source, sourceBus, sourceBusName) = (source.name, edge.sourceBus, output.name)
        (self.destination, destinationBus, destinationBusName) = (destination.name, edge.destinationBus, input.name)
        (channels, destinationChannels) = (output.channels, input.channels)
        (sampleRate, conversion) = (source.instance.setup.sampleRate, edge.conversion)
        self.delay = edge.carriesMusic ? 0 : delay
    }
}
