import RealtimeCore
import UnitAPI

/// Lays out one stage of a plan in memory. Control side.
struct TableBuilder {
    private let graph: Graph
    private let transition: Transition
    private let memory: PlanMemory
    private var outputs: [NodeID: UnsafeMutablePointer<RenderBus>] = [:]
    private var stepOf: [NodeID: Int32] = [:]
    private var feeds: [Feed] = []

    init(_ graph: Graph, _ transition: Transition, memory: PlanMemory) {
        self.graph = graph
        self.transition = transition
        self.memory = memory
    }

    /// The stage.
    ///
    /// - Parameters:
    ///   - latency: frames by which the outside lags behind the events.
    ///   - fade: frames that an edge takes to appear or vanish.
    mutating func tables(latency: Int, fade: Int) -> PlanTables {
        var into: [NodeID: [(lane: GraphLayout.Lane, role: Feed.Role)]] = [:]
        for entry in transition.lanes { into[entry.lane.edge.destination, default: []].append(entry) }
        var steps: [RenderStep] = []
        for place in transition.places {
            stepOf[place.id] = Int32(steps.count)
            steps.append(step(place, into[place.id] ?? []))
        }
        return tables(steps, latency: latency, fade: fade)
    }

    /// One place's buses, edges and pointers. Its sources have been laid out before.
    private mutating func step(
        _ place: GraphLayout.Place, _ lanes: [(lane: GraphLayout.Lane, role: Feed.Role)]
    ) -> RenderStep {
        let instance = place.instance ?? memory.wire
        memory.keep(instance)
        let inBuses = buses(inputs(of: place, lanes))
        let outBuses = place.instance == nil ? inBuses : buses(place.outputs)
        outputs[place.id] = outBuses
        let inlets = memory.allocate(
            place.inputs.count, Inlet(firstFeed: 0, feedCount: 0, sum: inBuses.pointee.channels, isClear: true))
        for b in place.inputs.indices {
            let first = feeds.count
            for (lane, role) in lanes where lane.edge.destinationBus == b {
                if let feed = feed(lane, role, channels: inBuses[b].channelCount) { feeds.append(feed) }
            }
            inlets[b] = Inlet(
                firstFeed: first, feedCount: feeds.count - first, sum: inBuses[b].channels, isClear: true)
        }
        let parameters = instance.parameters
        let ports = memory.allocate(1, RenderPorts(
            inputs: inBuses, inputCount: place.inputs.count, outputs: outBuses,
            outputCount: place.instance == nil ? 0 : place.outputs.count, parameters: parameters.ramps,
            elements: parameters.elements, readouts: instance.readouts,
            readoutCount: instance.descriptor.readouts.count))
        return RenderStep(
            instance: .passUnretained(instance), role: role(of: place), id: place.id, ports: ports, inlets: inlets,
            memory: instance.memory, parameterCount: parameters.specs.count, movingCount: parameters.movingCount,
            glides: parameters.glides, initials: parameters.initials, targets: parameters.targets,
            controllerParameters: parameters.controllerParameters, controllerValues: parameters.controllerValues,
            acceptsMusic: instance.descriptor.acceptsMusic,
            isScanned: instance.descriptor.component.type != .mixer,
            granularity: instance.descriptor.eventGranularity)
    }

    private func role(of place: GraphLayout.Place) -> RenderStep.Role {
        if place.instance == nil { return .wire }
        if place.rests && !place.leaves { return .resting }
        return place.leaves ? .leaving : .live
    }

    /// The outside takes the widest of what is led there while an output moves.
    private func inputs(
        of place: GraphLayout.Place, _ lanes: [(lane: GraphLayout.Lane, role: Feed.Role)]
    ) -> [UnitDescriptor.Bus] {
        guard place.id == .outside else { return place.inputs }
        let widths = lanes.map { (lane, _) in
            outputs[lane.edge.source].map { $0[lane.edge.sourceBus].channelCount } ?? 0
        }
        return [UnitDescriptor.Bus("main", channels: widths.max() ?? 0)]
    }

    /// Buses with buffers of their own, one arena for all of a unit's channels.
    private func buses(_ list: [UnitDescriptor.Bus]) -> UnsafeMutablePointer<RenderBus> {
        let audio = memory.audio(channels: list.reduce(0) { $0 + $1.channels }, frames: graph.maximumFrames)
        let table = memory.table(audio)
        let buses = memory.allocate(list.count, RenderBus(channels: table, channelCount: 0))
        var next = 0
        for (index, bus) in list.enumerated() {
            buses[index] = RenderBus(channels: table + next, channelCount: bus.channels)
            next += bus.channels
        }
        return buses
    }

    private func feed(_ lane: GraphLayout.Lane, _ role: Feed.Role, channels: Int) -> Feed? {
        let edge = lane.edge
        guard let source = outputs[edge.source], let step = stepOf[edge.source] else { return nil }
        // What is new begins at 0; an edge around or through a unit that had none of its own was there all the time.
        let isNew = role == .live || role == .filling || role == .full
        let kept = edge.gain.lane(delay: lane.delay, channels: channels, value: isNew ? 0 : 1)
        memory.keep(kept)
        return Feed(
            source: source + edge.sourceBus, sourceStep: step, role: role, gain: kept.gain,
            ring: kept.ring.map { memory.table($0) }, delay: lane.delay, ringPosition: kept.position,
            quietFrames: kept.quietFrames)
    }

    private func tables(_ steps: [RenderStep], latency: Int, fade: Int) -> PlanTables {
        var targets: [Int32] = []
        func route(_ nodes: [NodeID]) -> PartRoute {
            let found = nodes.compactMap { stepOf[$0] }
            targets += found
            return PartRoute(first: Int32(targets.count - found.count), count: Int32(found.count))
        }
        let routes = graph.routes.map(route)
        let portRoutes = (0..<16).map { port in
            var nodes: [NodeID] = []
            for part in graph.routes[port * 16..<port * 16 + 16] {
                for id in part where !nodes.contains(id) { nodes.append(id) }
            }
            return route(nodes)
        }
        let units = stepOf.filter { $0.key.rawValue >= 0 }.sorted { $0.key < $1.key }
        let poolCapacity = 4096 + steps.count
        return PlanTables(
            steps: memory.buffer(steps), feeds: memory.buffer(feeds),
            routes: memory.buffer(routes), portRoutes: memory.buffer(portRoutes), routeTargets: memory.buffer(targets),
            nodes: memory.buffer(units.map(\.key.rawValue)), stepOfNode: memory.buffer(units.map { Int32($0.value) }),
            output: steps[Int(stepOf[.outside] ?? 0)].ports.pointee.inputs,
            pool: memory.allocate(poolCapacity, SliceEvent(offset: 0, next: -1, event: .reset)),
            poolCapacity: Int32(poolCapacity), poolUsed: memory.allocate(1, 0),
            maximumFrames: graph.maximumFrames, latency: latency, fade: Int32(fade), hold: fade == 0 ? 0 : transition.hold)
    }
}
