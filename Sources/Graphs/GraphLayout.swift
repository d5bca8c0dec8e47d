import UnitAPI

/// The form of a graph on the render side: the places that sound passes, sources first, and the edges between them, each with
/// the delay that aligns parallel paths. Control side.
struct GraphLayout {
    /// A unit; or a wire: the outside, the entrance or the exit of a unit that can be bypassed.
    struct Place {
        let id: NodeID
        /// nil for a wire.
        let instance: UnitInstance?
        let inputs: [UnitDescriptor.Bus]
        let outputs: [UnitDescriptor.Bus]
        /// True for a place that receives events but no sound and is not rendered: a bypassed effect.
        var rests = false
        /// True for a place that is there only until its edges have faded.
        var leaves = false
        /// True for a MIDI unit that the layout before did not have.
        var returns = false
        /// True for a bypassed MIDI unit: what is played passes it by.
        var passes = false
    }

    struct Lane {
        let edge: Connection
        let delay: Int

        struct Key: Hashable {
            let gain: ObjectIdentifier
            let delay: Int
        }
        var key: Key { Key(gain: ObjectIdentifier(edge.gain), delay: delay) }
    }

    private(set) var places: [NodeID: Place] = [:]
    private(set) var order: [NodeID] = []
    /// The connections at work, in the order in which they were made.
    private(set) var lanes: [Lane] = []
    /// The connections that carry music, in the order in which they were made.
    private(set) var links: [Connection] = []
    let loops: Set<NodeID>
    /// Frames by which the output is later than the events.
    private(set) var latency = 0

    /// Lays out a graph that has been checked. `wired`: units that need an entrance and an exit, as they are bypassed or were.
    init(_ graph: Graph, wired: Set<NodeID>) throws(Fault) {
        guard let output = graph.outputEdge else { throw .noOutput }
        loops = graph.loops
        var edges: [Connection] = []
        var roots = [NodeID.outside]
        for node in graph.nodes {
            let instance = node.instance, id = node.id, outputs = instance.descriptor.outputs
            guard let bypass = node.bypass, wired.contains(id), !instance.descriptor.isMIDIUnit else {
                places[id] = Place(id: id, instance: instance, inputs: instance.inputs, outputs: outputs)
                places[id]?.passes = node.isBypassed
                if outputs.isEmpty { roots.append(id) }
                continue
            }
            let rests = node.isBypassed && !instance.inputs.isEmpty
            places[id] = Place(id: id, instance: instance, inputs: instance.inputs, outputs: outputs, rests: rests)
            places[id.entrance] = Place(
                id: id.entrance, instance: nil, inputs: instance.inputs, outputs: instance.inputs)
            places[id.exit] = Place(id: id.exit, instance: nil, inputs: outputs, outputs: outputs)
            if node.isBypassed {
                if let dry = bypass.dry { edges.append(dry) }
                roots.append(id)
            } else {
                edges += bypass.taps + bypass.wets
            }
        }
        for edge in graph.connections + [output] where !edge.carriesMusic {
            edges.append(
                edge.led(
                    from: wired.contains(edge.source) ? edge.source.exit : edge.source,
                    to: wired.contains(edge.destination) ? edge.destination.entrance : edge.destination))
        }
        let channels = (places[output.source]?.outputs)?[output.sourceBus].channels ?? 0
        places[.outside] = Place(
            id: .outside, instance: nil, inputs: [UnitDescriptor.Bus("main", channels: channels)], outputs: [])
        links = graph.connections.filter(\.carriesMusic)
        do { order = try GraphValidation.order(roots: roots, edges: edges + links, loops: loops) } catch { throw .cycle([]) }
        layLanes(edges)
        links.removeAll { places[$0.source] == nil || places[$0.destination] == nil }
    }

    /// To the latest of those that end at its place, unless that place has them as they come. Edges of a loop are not aligned
    /// with others: the time around the loop is part of its sound.
    private mutating func layLanes(_ edges: [Connection]) {
        var into: [NodeID: [Int]] = [:]
        for (index, edge) in edges.enumerated() { into[edge.destination, default: []].append(index) }
        var latencies: [NodeID: Int] = [:], delays: [Int: Int] = [:]
        for id in order {
            if loops.contains(id) {
                for index in into[id] ?? [] { delays[index] = edges[index].latency }
                latencies[id] = 0
                continue
            }
            let arrivals = (into[id] ?? []).map { ($0, (latencies[edges[$0].source] ?? 0)) }
            let arrival = arrivals.map { $0.1 + edges[$0.0].latency }.max() ?? 0
            let aligns = places[id]?.instance?.descriptor.alignsInputs ?? true
            for (index, latency) in arrivals {
                let waits = aligns && !loops.contains(edges[index].source)
                delays[index] = waits ? arrival - latency : edges[index].latency
            }
            latencies[id] = arrival + (places[id]?.instance?.latency ?? 0)
        }
        for (index, edge) in edges.enumerated() {
            if let delay = delays[index] { lanes.append(Lane(edge: edge, delay: delay)) }
        }
        latency = latencies[.outside] ?? 0
        let used = Set(order)
        places = places.filter { used.contains($0.key) }
    }
}
