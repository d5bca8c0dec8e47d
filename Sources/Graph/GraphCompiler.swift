import RealtimeCore
import UnitAPI

/// Turns a description into a plan. Control side.
///
/// The plan's order is that of `GraphValidation.renderOrder`; every pointer is resolved here, so that the render thread
/// looks nothing up. Paths of different latency that meet are delayed to the longest.
public struct GraphCompiler {
    private let graph: Graph
    /// The graph's units, and those on their way out.
    private var nodes: [Graph.Node]
    private let memory = PlanMemory()
    private var outputs: [NodeID: UnsafeMutablePointer<RenderBus>] = [:]
    private var latencies: [NodeID: Int] = [:]
    private var feeds: [Feed] = []

    /// Compiles `graph`.
    ///
    /// - Parameters:
    ///   - former: what sounds now, and what may still be fading before it (`FadingGraphs`), oldest first; empty if
    ///     nothing sounds. Edges that are gone fade out in the new plan (with the units that feed them, removed or not),
    ///     edges that are new fade in. Compile once more with `former` being `graph` alone, after `fade` frames, and the
    ///     plan is free of them.
    ///   - fade: frames that an edge takes to appear or vanish.
    /// - Throws: `GraphError` when the graph has no output or runs in a circle.
    public static func compile(
        _ graph: Graph, after former: [Graph] = [], fade: Int = 256
    ) throws(GraphError) -> RenderPlan {
        var compiler = GraphCompiler(graph: graph)
        return try compiler.plan(after: former, fade: fade)
    }

    private init(graph: Graph) {
        self.graph = graph
        nodes = graph.nodes
    }

    private mutating func plan(after former: [Graph], fade: Int) throws(GraphError) -> RenderPlan {
        var edges = graph.connections.map { (edge: $0, target: Float(1)) }
        var order = try GraphValidation.renderOrder(graph, nodes: nodes, connections: graph.connections)
        let leaving = leavingEdges(after: former)
        if !leaving.isEmpty {
            let all = nodes + leavingNodes(after: former)
            // A connection that was turned round cannot leave slowly: the old way and the new would be a circle.
            do {
                order = try GraphValidation.renderOrder(
                    graph, nodes: all, connections: graph.connections + leaving.map(\.edge))
                nodes = all
                edges += leaving
            } catch .cycle {}
        }
        var edgesInto: [NodeID: [(edge: Connection, target: Float)]] = [:]
        for (edge, target) in edges {
            memory.keep(edge.gain)
            edgesInto[edge.destination, default: []].append((edge, target))
        }
        var steps: [RenderStep] = []
        for node in order { steps.append(step(node, edges: edgesInto[node.id] ?? [])) }
        guard let output = graph.output, let buses = outputs[output.node] else { throw .noOutput }
        return RenderPlan(
            tables(
                steps, order, output: buses + output.bus, latency: latencies[output.node] ?? 0,
                fade: former.isEmpty ? 0 : fade),
            memory: memory)
    }

    /// Edges of `former` that the graph no longer has, each once; those into units that are gone keep their level.
    private func leavingEdges(after former: [Graph]) -> [(edge: Connection, target: Float)] {
        let live = Set(graph.nodes.map(\.id))
        var known = Set(graph.connections.map { ObjectIdentifier($0.gain) })
        var leaving: [(edge: Connection, target: Float)] = []
        for edge in former.flatMap(\.connections) where known.insert(ObjectIdentifier(edge.gain)).inserted {
            leaving.append((edge, live.contains(edge.destination) ? 0 : 1))
        }
        return leaving
    }

    private func leavingNodes(after former: [Graph]) -> [Graph.Node] {
        var known = Set(graph.nodes.map(\.id))
        return former.flatMap(\.nodes).filter { known.insert($0.id).inserted }
    }

    /// One unit's buses, edges and pointers. Its sources have been laid out before.
    private mutating func step(_ node: Graph.Node, edges: [(edge: Connection, target: Float)]) -> RenderStep {
        let instance = node.instance
        memory.keep(instance)
        let arrival = edges.map { latencies[$0.edge.source] ?? 0 }.max() ?? 0
        latencies[node.id] = arrival + instance.latency
        let outs = instance.descriptor.outputs, ins = instance.inputs
        let outBuses = buses(outs)
        outputs[node.id] = outBuses
        let inBuses = buses(ins)
        let inlets = memory.allocate(
            ins.count, Inlet(firstFeed: 0, feedCount: 0, sum: inBuses.pointee.channels, isClear: true))
        for b in ins.indices {
            let first = feeds.count
            for (edge, target) in edges where edge.destinationBus == b {
                guard let source = outputs[edge.source] else { continue }   // the order has sources first
                feeds.append(feed(
                    edge, source + edge.sourceBus, target: target, delay: arrival - (latencies[edge.source] ?? 0),
                    channels: ins[b].channels))
            }
            inlets[b] = Inlet(
                firstFeed: first, feedCount: feeds.count - first, sum: inBuses[b].channels, isClear: true)
        }
        let parameters = instance.parameters
        let ports = memory.allocate(1, RenderPorts(
            inputs: inBuses, inputCount: ins.count, outputs: outBuses, outputCount: outs.count,
            parameters: parameters.ramps, elements: parameters.elements, readouts: instance.readouts,
            readoutCount: instance.descriptor.readouts.count))
        return RenderStep(
            instance: .passUnretained(instance), id: node.id, ports: ports, inlets: inlets, memory: instance.memory,
            parameterCount: parameters.specs.count, movingCount: parameters.movingCount, glides: parameters.glides,
            initials: parameters.initials, targets: parameters.targets,
            controllerParameters: parameters.controllerParameters,
            controllerValues: parameters.controllerValues, acceptsMusic: instance.descriptor.acceptsMusic,
            isScanned: instance.descriptor.component.type != .mixer,
            granularity: instance.descriptor.eventGranularity)
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

    private func feed(
        _ edge: Connection, _ source: UnsafeMutablePointer<RenderBus>, target: Float, delay: Int, channels: Int
    ) -> Feed {
        let ring = edge.gain.ring(frames: delay, channels: channels)
        if let ring { memory.keep(ring) }
        return Feed(
            source: source, gain: edge.gain.ramp, target: target, ring: ring.map { memory.table($0.audio) }, delay: delay,
            ringPosition: ring?.position ?? memory.allocate(1, 0), quietFrames: ring?.quietFrames ?? memory.allocate(1, 0))
    }

    private func tables(
        _ steps: [RenderStep], _ order: [Graph.Node], output: UnsafeMutablePointer<RenderBus>, latency: Int,
        fade: Int
    ) -> PlanTables {
        var stepOf: [NodeID: Int32] = [:]
        for (index, node) in order.enumerated() { stepOf[node.id] = Int32(index) }
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
        let nodeLimit = (nodes.map { Int($0.id.rawValue) }.max() ?? -1) + 1
        var stepOfNode = [Int32](repeating: -1, count: nodeLimit)
        for (id, index) in stepOf { stepOfNode[Int(id.rawValue)] = index }
        let poolCapacity = 4096 + order.count
        return PlanTables(
            steps: memory.buffer(steps), feeds: memory.buffer(feeds),
            routes: memory.buffer(routes), portRoutes: memory.buffer(portRoutes), routeTargets: memory.buffer(targets),
            stepOfNode: memory.buffer(stepOfNode), output: output,
            pool: memory.allocate(poolCapacity, SliceEvent(offset: 0, next: -1, event: .reset)),
            poolCapacity: Int32(poolCapacity), poolUsed: memory.allocate(1, 0),
            maximumFrames: graph.maximumFrames, latency: latency, fade: Int32(fade))
    }
}
