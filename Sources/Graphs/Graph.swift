import Synchronization
import UnitAPI

/// A graph as a value: units, connections, the output, and the parts that each unit receives.
///
/// Changing it changes no sound; `GraphCompiler` makes a plan of it, and the renderer adopts the plan. Control side.
public struct Graph: Sendable {
    /// A unit in the graph.
    public struct Node: Sendable {
        public let id: NodeID
        /// The name that `--set` uses; unique.
        public internal(set) var name: String
        /// The unit.
        public let instance: UnitInstance
        /// The setup that was requested when the unit was made, which has less than the one it was made with: a patch has
        /// this one.
        public internal(set) var declared: UnitSetup
        /// The purpose of the unit; nil if no surface needs to know.
        public internal(set) var role: UnitRole?
        /// True if sound is led around the unit; see `Graph.bypass`.
        public internal(set) var isBypassed = false
        /// The part of a session that the unit belongs to.
        package internal(set) var owner = NodeOwner.patch
        /// True if the unit receives the ends of notes and nothing that begins one; see `Graph.leave`.
        public var isLeaving: Bool { owner == .leaving }
        /// The ways through it and around it; nil if there is none around.
        let bypass: Bypass?

        init(id: NodeID, name: String, instance: UnitInstance, declared: UnitSetup, role: UnitRole?) {
            (self.id, self.name, self.instance, self.declared, self.role) = (id, name, instance, declared, role)
            bypass = Bypass(id, instance)
        }
    }

    /// Frames per second on every bus, one of `UnitSetup.sampleRates`.
    public let sampleRate: Double
    /// The most frames of one slice.
    public let maximumFrames: Int
    /// The units, in the order in which they were added.
    public internal(set) var nodes: [Node] = []
    /// The names and the units that are taken.
    var taken = TakenNames()
    /// The edges, in the order in which they were made.
    public internal(set) var connections: [Connection] = []
    /// The bus whose sound leaves the graph.
    public var output: (node: NodeID, bus: Int)? { outputEdge.map { ($0.source, $0.sourceBus) } }
    /// The output is an edge like any other, so that it moves without a click.
    var outputEdge: Connection?
    /// The units that receive each part (port * 16 + channel, 0...255).
    public internal(set) var routes: [[NodeID]] = Array(repeating: [], count: 256)
    private var nextID: Int32 = 0
    /// Tells its units from those of all other graphs; a copy keeps it.
    private let number = Graph.numbers.add(1, ordering: .relaxed).newValue
    private static let numbers = Atomic<UInt32>(0)

    /// The most frames that a slice can have.
    public static let longestSlice = 1 << 20

    /// Creates an empty graph. With a rate that is none of `UnitSetup.sampleRates` nothing can be added to it.
    ///
    /// - Parameter maximumFrames: 1...`longestSlice`; any other number counts as the nearest of these.
    public init(sampleRate: Double, maximumFrames: Int = 4096) {
        self.sampleRate = sampleRate
        self.maximumFrames = min(max(maximumFrames, 1), Self.longestSlice)
    }

    /// Returns true if this graph, or one that it is a copy of, has handed out `id`; the unit may have gone since.
    public func hasNamed(_ id: NodeID) -> Bool { id.graph == number && (0..<nextID).contains(id.rawValue) }

    /// Refuses a rate that no graph can have. Throws `sampleRate`.
    package func checkRate() throws(Fault) {
        if UnitSetup.sampleRates.contains(sampleRate) { return }
        throw .sampleRate(sampleRate, supported: UnitSetup.sampleRates)
    }

    /// The unit `id`.
    public func node(_ id: NodeID) throws(Fault) -> Node {
        guard let node = self[id] else { throw .unknownNode(id) }
        return node
    }

    /// The unit `id`; nil if there is none.
    public subscript(id: NodeID) -> Node? { nodes.first { $0.id == id } }

    /// Returns the unit of that name.
    public func node(named name: String) -> Node? { nodes.first { $0.name == name } }

    /// Adds a unit that was made for this graph's rate. Its name is `name`, else its descriptor's, followed by the lowest
    /// free number from the second unit on: `reverb`, `reverb-2`, `reverb-3`.
    ///
    /// - Throws: `duplicateName` if `name` is taken, `unitInUse` if the graph has the unit, `channels` for a bus that cannot
    ///   be, `sampleRate` if the graph's rate is none.
    @discardableResult
    public mutating func add(
        _ instance: UnitInstance, name: String? = nil, role: UnitRole? = nil, declared: UnitSetup? = nil
    ) throws(Fault) -> NodeID {
        try checkRate()
        let name = name ?? taken.free(instance.descriptor.name)
        for bus in instance.inputs + instance.descriptor.outputs where !Self.channelCounts.contains(bus.channels) {
            throw .channels(unit: name, asked: bus.channels)
        }
        if taken.names.contains(name) { throw .duplicateName(name) }
        if taken.units.contains(ObjectIdentifier(instance)) { throw .unitInUse(name) }
        let id = NodeID(nextID, of: number)
        nextID += 1
        nodes.append(Node(id: id, name: name, instance: instance, declared: declared ?? instance.setup, role: role))
        taken.insert(nodes[nodes.count - 1])
        return id
    }

    /// Channels that a bus can have; one of music has none.
    static let channelCounts = 0...64

    /// Makes a unit of type `U` for this graph's rate and slices, and adds it.
    ///
    /// - Parameters:
    ///   - name: what `set` and patches call it; nil for its type's name, with a number if that is taken.
    ///   - inputs: the element count of a mixer; 0 for that of the descriptor.
    ///   - buses: the outputs of an instrument with a bus for each channel: one with all of them, or as many as it declares.
    ///   - startValues: parameters by name, for those that apply only at the start and for other starts than the default.
    /// - Throws: `unit` for what the unit cannot be made with, and for `channels` of one that has no such buses.
    @discardableResult
    public mutating func add<U: AudioUnit & ~Copyable>(
        _: U.Type, name: String? = nil, inputs: Int = 0, buses: OutputBuses = .main, startValues: [String: Float] = [:],
        properties: [String: PropertyValue] = [:], role: UnitRole? = nil
    ) throws(Fault) -> NodeID {
        try checkRate()
        let setup = UnitSetup(
            sampleRate: sampleRate, maximumFrames: maximumFrames, inputCount: inputs, startValues: startValues,
            properties: U.descriptor.choosing(buses, in: properties))
        let instance: UnitInstance
        do { instance = try UnitInstance.make(U.self, setup) } catch { throw Fault(error) }
        return try add(instance, name: name, role: role)
    }

    /// Adds a unit as `add(_:)` does, with start values by name: `["preset": "hall", "mix": 30, "mode": "hrtf"]`.
    ///
    /// - Parameter startValues: a number, a text as `set` reads it, or a list of these for each input or band; `preset` is one
    ///   of the unit's factory presets, which the others change.
    @discardableResult @_disfavoredOverload
    public mutating func add<U: AudioUnit & ~Copyable>(
        _: U.Type, name: String? = nil, inputs: Int = 0, buses: OutputBuses = .main,
        startValues: [String: FactoryPreset.Setting], properties: [String: PropertyValue] = [:], role: UnitRole? = nil
    ) throws(Fault) -> NodeID {
        try checkRate()
        var setup = UnitSetup(
            sampleRate: sampleRate, maximumFrames: maximumFrames, inputCount: inputs,
            properties: U.descriptor.choosing(buses, in: properties))
        let instance: UnitInstance
        do {
            try setup.start(with: startValues, of: U.descriptor, U.Parameter.allCases.map(\.spec))
            instance = try UnitInstance.make(U.self, setup)
        } catch { throw Fault(error) }
        return try add(instance, name: name, role: role)
    }

    /// Removes a unit with all its connections and routes.
    public mutating func remove(_ id: NodeID) throws(Fault) {
        _ = try node(id)
        nodes.removeAll { $0.id == id }
        taken = TakenNames(nodes)
        connections.removeAll { $0.source == id || $0.destination == id }
        for part in routes.indices { routes[part].removeAll { $0 == id } }
        if outputEdge?.source == id { outputEdge = nil }
    }

    /// Leads an output bus to an input bus. Formats go one way, from source to destination: one channel is heard on all
    /// channels of a wider bus, by `Connection.conversion`; any other difference is `formatMismatch`.
    ///
    /// A music bus leads to a unit that receives music: an instrument, a MIDI unit, or an effect with controllers; the input
    /// is 0 then. Events along the edge take effect on their frame, after those of the unit's parts on the same frame. When
    /// the edge is removed, notes that came along it end.
    public mutating func connect(
        _ source: NodeID, output sourceBus: Int = 0, to destination: NodeID, input destinationBus: Int = 0
    ) throws(Fault) {
        connections.append(try edge(Bus(source, sourceBus), Bus(destination, destinationBus)))
    }

    func edge(_ source: Bus, _ destination: Bus) throws(Fault) -> Connection {
        let from = try node(source.node), to = try node(destination.node)
        let outputs = from.instance.descriptor.outputs, inputs = to.instance.inputs
        guard outputs.indices.contains(source.index) else {
            throw .noSuchBus(unit: from.name, direction: "output", bus: source.index, count: outputs.count)
        }
        if outputs[source.index].carriesMusic { return try musicEdge(source, from, destination, to) }
        if inputs.isEmpty && to.instance.hearsMusic { throw .hearsNoSound(source: from.name, destination: to.name) }
        guard inputs.indices.contains(destination.index) else {
            throw .noSuchBus(unit: to.name, direction: "input", bus: destination.index, count: inputs.count)
        }
        let sourceFormat = StreamFormat(
            sampleRate: from.instance.setup.sampleRate, channels: outputs[source.index].channels)
        let destinationFormat = StreamFormat(
            sampleRate: to.instance.setup.sampleRate, channels: inputs[destination.index].channels)
        guard let conversion = Connection.Conversion(from: sourceFormat, to: destinationFormat) else {
            throw .formatMismatch(
                source: Self.place(from, source.index, outputs), sourceFormat: sourceFormat,
                destination: Self.place(to, destination.index, inputs), destinationFormat: destinationFormat)
        }
        let connection = Connection(
            source: source.node, sourceBus: source.index, destination: destination.node, destinationBus: destination.index,
            conversion: conversion)
        if connections.contains(where: { $0.joinsSame(as: connection) }) {
            throw .duplicateConnection(source: from.name, destination: to.name)
        }
        return connection
    }

    /// A bus in the notation of patches: the first is the unit's name alone.
    private static func place(_ node: Node, _ bus: Int, _ buses: [UnitDescriptor.Bus]) -> String {
        bus == 0 ? node.name : "\(node.name)[\(buses[bus].name)]"
    }

    private func musicEdge(
        _ source: Bus, _ from: Node, _ destination: Bus, _ to: Node
    ) throws(Fault) -> Connection {
        if !to.instance.hearsMusic { throw .hearsNoMusic(source: from.name, destination: to.name) }
        if destination.index != 0 {
            throw .noSuchBus(unit: to.name, direction: "music input", bus: destination.index, count: 1)
        }
        let connection = Connection(
            source: source.node, sourceBus: source.index, destination: destination.node, destinationBus: 0, carriesMusic: true)
        if connections.contains(where: { $0.joinsSame(as: connection) }) {
            throw .duplicateConnection(source: from.name, destination: to.name)
        }
        return connection
    }

    /// Takes an edge away. In the sounding graph it fades out.
    public mutating func disconnect(
        _ source: NodeID, output sourceBus: Int = 0, from destination: NodeID, input destinationBus: Int = 0
    ) throws(Fault) {
        guard
            let index = connections.firstIndex(where: {
                $0.source == source && $0.sourceBus == sourceBus && $0.destination == destination
                    && $0.destinationBus == destinationBus
            })
        else { throw .noSuchConnection(source: try node(source).name, destination: try node(destination).name) }
        connections.remove(at: index)
    }

    /// Makes a bus the graph's output. One channel is heard on all channels of what the graph is rendered into.
    public mutating func setOutput(_ id: NodeID, bus: Int = 0) throws(Fault) {
        let node = try node(id), count = node.instance.descriptor.outputs.count
        guard (0..<count).contains(bus) else {
            throw .noSuchBus(unit: node.name, direction: "output", bus: bus, count: count)
        }
        if node.instance.descriptor.outputs[bus].carriesMusic { throw .soundless(unit: node.name) }
        if let output, output == (id, bus) { return }
        outputEdge = Connection(source: id, sourceBus: bus, destination: .outside, destinationBus: 0)
    }

    /// Hands out no identifier again that `other` has handed out.
    public mutating func continueIdentifiers(of other: Graph) { nextID = max(nextID, other.nextID) }

    /// Routes part `part`, 0...255, to a unit. A unit that accepts no music receives the controllers that its parameters
    /// declare.
    ///
    /// - Throws: `unknownNode`; `noSuchPart` for any other number.
    public mutating func route(part: Int, to id: NodeID) throws(Fault) {
        _ = try node(id)
        guard routes.indices.contains(part) else { throw .noSuchPart(part) }
        if routes[part].contains(id) { return }
        routes[part].append(id)
    }

    /// Makes a unit end what it has begun and begin nothing new: of the music of its parts it receives everything but
    /// note-ons. For a unit that is replaced while it sounds.
    public mutating func leave(_ id: NodeID) throws(Fault) {
        _ = try node(id)
        give([id], to: .leaving)
    }
}
