import UnitAPI

/// The edges that solo silences in a graph: those that carry a channel to where channels are added up, and to the effects that
/// they share, each with the switches that leave it open. Control side.
///
/// Channels are the inputs of a mixer whose inputs can be soloed, or the signals that are added up at the bus where the path
/// of a unit that can be soloed first meets another. A channel's switches are the mixer's own for the input and those of all
/// units on its path, so that a strip that is soloed in a group is heard through the mixers after that group. An input that
/// receives another input's channel through a send is a return: it stays open, and what the channels send it is silenced. So
/// channels that are soloed one after the other add up to the mix, effects included. If a bus leads several ways, the first
/// is the channel's, or the one that ends where channels are added up; the others, and those of a bus for sends, are sends.
struct SoloGroups {
    struct Switch: Hashable {
        let node: NodeID
        /// The parameter, and its place in the unit's block: index * elements + element.
        let index: Int, place: Int
    }

    /// An edge that is silent as soon as any of a group's switches is on, unless one of `openers` is.
    struct Gate {
        let edge: ObjectIdentifier
        let group: Int
        let openers: [Switch]
    }

    private(set) var groups: [[Switch]] = []
    private(set) var gates: [Gate] = []

    init(_ graph: Graph) {
        let map = SoundMap(graph)
        for sum in map.sums { add(SoloChannels(sum, map), map) }
    }

    private mutating func add(_ channels: SoloChannels, _ map: SoundMap) {
        let switches = channels.switches.flatMap { $0 }
        if switches.isEmpty || channels.switches.count < 2 { return }
        let group = groups.count
        groups.append(Array(Set(switches)))
        for (edge, inputs) in channels.gates(map) {
            let openers = Set(inputs.flatMap { channels.switches[$0] })
            gates.append(Gate(edge: ObjectIdentifier(edge.gain), group: group, openers: Array(openers)))
        }
    }
}

/// The ways of sound in a graph, by the places of its units.
private struct SoundMap {
    struct Port: Hashable {
        let unit: Int, bus: Int
    }

    struct Sum {
        let unit: Int
        /// True if each input is a bus of the unit, which has a switch for it.
        let hasSwitches: Bool
        let inputs: [[Edge]]
    }

    struct Edge: Hashable {
        let connection: Connection
        let from: Port
        let to: Int

        static func == (one: Edge, other: Edge) -> Bool { one.connection.gain === other.connection.gain }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(connection.gain)) }
    }

    let nodes: [Graph.Node]
    private(set) var into: [[Edge]], out: [[Edge]]

    init(_ graph: Graph) {
        nodes = graph.nodes
        into = Array(repeating: [], count: nodes.count)
        out = into
        let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
        for connection in graph.connections where !connection.carriesMusic {
            guard let from = places[connection.source], let to = places[connection.destination],
                nodes[to].instance.inputs[connection.destinationBus].use != .key
            else { continue }
            let edge = Edge(connection: connection, from: Port(unit: from, bus: connection.sourceBus), to: to)
            into[to].append(edge)
            out[from].append(edge)
        }
    }

    /// The parameters of a unit that solo, all their elements; or, of a mixer's, the element of one input.
    func switches(of unit: Int, input: Int? = nil) -> [SoloGroups.Switch] {
        let block = nodes[unit].instance.parameters
        var switches: [SoloGroups.Switch] = []
        for (index, spec) in block.specs.enumerated() where spec.solos && (input == nil || spec.scope == .input) {
            for element in input.map({ $0..<$0 + 1 }) ?? 0..<block.elementCount(of: index) {
                switches.append(
                    SoloGroups.Switch(node: nodes[unit].id, index: index, place: index * block.elements + element))
            }
        }
        return switches
    }

    func isSend(_ port: Port) -> Bool { nodes[port.unit].instance.descriptor.outputs[port.bus].use == .send }

    private func solos(_ unit: Int, _ scope: ParameterSpec.Scope) -> Bool {
        nodes[unit].instance.parameters.specs.contains { $0.solos && $0.scope == scope }
    }

    /// The places where the channels of a graph are added up, each once.
    var sums: [Sum] {
        var sums: [Sum] = [], known: Set<[Int]> = []
        func add(_ unit: Int, bus: Int?) {
            if !known.insert([unit, bus ?? -1]).inserted { return }
            if let bus {
                let edges = into[unit].filter { $0.connection.destinationBus == bus }
                sums.append(Sum(unit: unit, hasSwitches: false, inputs: edges.map { [$0] }))
            } else {
                let inputs = nodes[unit].instance.inputs.indices.map { bus in
                    into[unit].filter { $0.connection.destinationBus == bus }
                }
                sums.append(Sum(unit: unit, hasSwitches: solos(unit, .input), inputs: inputs))
            }
        }
        for unit in nodes.indices {
            if solos(unit, .input) { add(unit, bus: nil) }
            if !solos(unit, .global) { continue }
            // Along the sound until it meets another's. If whole patches take turns, nothing is soloed.
            var left = out[unit].filter { !isSend($0.from) }, passed: Set<Int> = [unit]
            while let edge = left.popLast() {
                let to = edge.to, descriptor = nodes[to].instance.descriptor
                let isShared = into[to].count { $0.connection.destinationBus == edge.connection.destinationBus } > 1
                if isShared || descriptor.repeatsLastInput {
                    if descriptor.alignsInputs && !descriptor.outputs.isEmpty {
                        add(to, bus: isShared ? edge.connection.destinationBus : nil)
                    }
                } else if passed.insert(to).inserted {
                    left += out[to].filter { !isSend($0.from) }
                }
            }
        }
        return sums
    }

    func reach(of unit: Int) -> Set<Int> {
        var reached: Set<Int> = [unit], left = [unit]
        while let next = left.popLast() {
            for edge in out[next] where reached.insert(edge.to).inserted { left.append(edge.to) }
        }
        return reached
    }
}

/// The inputs of one sum: the sources of each, which of them are returns, and their switches.
private struct SoloChannels {
    private let sum: SoundMap.Sum
    private let ports: [Set<SoundMap.Port>], units: [Set<Int>]
    private let isReturn: [Bool]
    private let ofChannels: Set<Int>
    let switches: [[SoloGroups.Switch]]

    init(_ sum: SoundMap.Sum, _ map: SoundMap) {
        self.sum = sum
        let ways = sum.inputs.map { Self.ways($0, map) }
        let ports = ways.map { Set($0.map(\.from)) }, units = ports.map { Set($0.map(\.unit)) }
        isReturn = Self.returns(sum, ways, map)
        let ofChannels = zip(units, isReturn).reduce(into: Set<Int>()) { if !$1.1 { $0.formUnion($1.0) } }
        switches = sum.inputs.indices.map { [isReturn] input in
            let own = sum.hasSwitches ? map.switches(of: sum.unit, input: input) : []
            let way = isReturn[input] ? units[input].subtracting(ofChannels) : units[input]
            return own + way.filter { $0 != sum.unit }.flatMap { map.switches(of: $0) }
        }
        (self.ports, self.units, self.ofChannels) = (ports, units, ofChannels)
    }

    private static func ways(_ ends: [SoundMap.Edge], _ map: SoundMap) -> [SoundMap.Edge] {
        var ways = ends, units: Set<Int> = [], next = 0
        while next < ways.count {
            let unit = ways[next].from.unit
            next += 1
            if units.insert(unit).inserted { ways += map.into[unit] }
        }
        return ways
    }

    /// The inputs that receive by a send what another input receives as its channel.
    private static func returns(_ sum: SoundMap.Sum, _ ways: [[SoundMap.Edge]], _ map: SoundMap) -> [Bool] {
        let ends = Set(sum.inputs.joined()), known = ways.map(Set.init), all = known.reduce(into: Set()) { $0.formUnion($1) }
        /// The edge along which a port's sound is a channel's.
        func main(_ port: SoundMap.Port) -> SoundMap.Edge? {
            let edges = map.out[port.unit].filter { $0.from == port && all.contains($0) }
            return edges.first(where: ends.contains) ?? edges.first
        }
        return ways.indices.map { input in
            ways[input].contains { edge in
                let others = ways.indices.filter { $0 != input }
                if map.isSend(edge.from) {
                    return others.contains { ways[$0].contains { $0.from.unit == edge.from.unit && !map.isSend($0.from) } }
                }
                guard let main = main(edge.from), main != edge, !known[input].contains(main) else { return false }
                return others.contains { known[$0].contains(main) }
            }
        }
    }

    /// The edges that are silent while others are soloed, and for each the inputs that open it when they are soloed.
    func gates(_ map: SoundMap) -> [(edge: Connection, openers: [Int])] {
        let inputs = Array(sum.inputs.indices)
        var gates: [(Connection, [Int])] = []
        for input in inputs {
            let feeders = inputs.filter { other in
                if other == input || !isReturn[input] { return false }
                return !isReturn[other] || sum.inputs[other].contains { units[input].contains($0.from.unit) }
            }
            gates += sum.inputs[input].map { ($0.connection, [input] + feeders) }
        }
        let ends = Set(sum.inputs.joined()), reached = map.reach(of: sum.unit)
        for unit in ofChannels.sorted() {
            for edge in map.out[unit]
            where !ofChannels.contains(edge.to) && !ends.contains(edge) {
                // Another mix of the same channels does not affect this one.
                let descriptor = map.nodes[edge.to].instance.descriptor
                let isShown = descriptor.outputs.isEmpty && descriptor.component.type != .mixer
                if !isShown && map.reach(of: edge.to).isDisjoint(with: reached) { continue }
                gates.append(
                    (edge.connection, inputs.filter { isReturn[$0] ? ports[$0].contains(edge.from) : units[$0].contains(unit) }))
            }
        }
        return gates
    }
}
