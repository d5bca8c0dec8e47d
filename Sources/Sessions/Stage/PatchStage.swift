import EngineCore
import Graphs
import Patches
import RealtimeCore
import SongRendering
import UnitAPI
import Units

/// The graph of a set list: the patch that sounds, under its own names, and those before it as far as they still ring.
///
/// ```
/// the patch's units -----------+
/// former-7: units, no new key -+-> set-list.sum -> out, set-list.meter
/// former-6: units, no new key -+
/// ```
/// A change is one edit: the units that sound are called `former-N.NAME` and are otherwise left alone, the new ones come with
/// ports of their own. A second edit takes a former patch away once it is silent. Control side.
final class PatchStage {
    static let sum = "\(ReservedNames.setList).sum", meter = "\(ReservedNames.setList).meter"
    /// Former patches that may ring at once; the oldest fades when another comes.
    static let mostFormers = 4
    private struct Active {
        let nodes: Set<NodeID>
        let granted: [UInt8]
        let ports: PartPorts
    }

    private let engine: Engine
    private var active: Active?
    private(set) var formers: [FormerPatch] = []
    /// The engine's ports that are not in use; the one that was freed last is used last.
    private var free: [UInt8] = (0..<16).map { UInt8($0) }
    private var changes = 0
    private var junction = NodeID(rawValue: -1), levels = NodeID(rawValue: -1)
    /// Units that have left the graph; plans may still know them.
    private var leaving: [UnitInstance] = []

    init(_ engine: Engine) { self.engine = engine }

    /// Makes `prepared` the patch that sounds, with the next slice: its units come, those that sounded go on under other names.
    /// Units that sound by themselves, a player or a microphone, fade with the change.
    /// Returns the units by their part. Throws the refusal of the graph; nothing has changed then.
    func enter(_ prepared: PreparedPatch, at now: SampleTime) throws(LiveError) -> SongGraph {
        var formers = formers, free = free, gone: [FormerPatch] = []
        while !formers.isEmpty, formers.count >= Self.mostFormers || free.count < prepared.ports.count {
            let oldest = formers.removeFirst()
            free += oldest.granted
            gone.append(oldest)
        }
        let granted = Array(free.prefix(prepared.ports.count))
        free.removeFirst(granted.count)
        let ports = PartPorts(granted, of: prepared.ports, takesAll: prepared.zones.isEmpty)
        let group = "\(ReservedNames.former)\(changes)", names = Set(prepared.graph.nodes.map(\.name))
        var left: FormerPatch?, made: [NodeID] = [], junction = junction, levels = levels
        do throws(GraphError) {
            let former = active
            made = try engine.edit { (graph) throws(GraphError) in
                for id in gone.flatMap(\.nodes) { try graph.remove(id) }
                if let former {
                    left = try Self.leave(&graph, former, group, names, at: now)
                } else {
                    junction = try graph.add(Junction.self, name: Self.sum)
                    levels = try graph.add(PeakMeter.self, name: Self.meter, role: .meter)
                    try graph.connect(junction, to: levels)
                    try graph.setOutput(junction)
                }
                return try Self.add(prepared, to: &graph, ports, junction)
            }
        } catch { throw .sound(RenderError(error)) }
        // A change of patch cannot be undone, so the history must not keep the old units alive.
        engine.forgetHistory()
        engine.notePresets(zip(made, prepared.presets))
        (engine.layout, engine.zones) = (prepared.layout, prepared.zones)
        (engine.controllers, engine.scenes) = (prepared.controllers, prepared.scenes)
        (self.junction, self.levels, self.free) = (junction, levels, free)
        if let left { formers.append(left) }
        self.formers = formers
        leaving += gone.flatMap(\.instances)
        active = Active(nodes: Set(made), granted: granted, ports: ports)
        changes += 1
        let output = prepared.graph.output.flatMap { output in
            prepared.graph.nodes.firstIndex { $0.id == output.node }.map { made[$0] }
        }
        return SongGraph(
            of: engine, prepared.song,
            within: SongGraph.Scope(nodes: Set(made), ports: ports, output: output ?? junction, meter: levels))
    }

    /// Turns the patch that sounds into a former one.
    private static func leave(
        _ graph: inout Graph, _ active: Active, _ group: String, _ names: Set<String>, at now: SampleTime
    ) throws(GraphError) -> FormerPatch {
        var names = names, nodes = active.nodes
        // The session's own metronome goes if the new patch has a unit of its name.
        for node in graph.nodes where names.contains(node.name) { nodes.insert(node.id) }
        names = []
        for node in graph.nodes where nodes.contains(node.id) {
            if node.instance.inputs.isEmpty, !node.instance.descriptor.acceptsMusic {
                try graph.remove(node.id)
                nodes.remove(node.id)
            } else {
                names.insert(node.name)
            }
        }
        try graph.rename(Dictionary(uniqueKeysWithValues: names.map { ($0, "\(group).\($0)") }))
        return FormerPatch(group, graph, nodes: nodes, granted: active.granted, ports: active.ports, left: now)
    }

    /// Adds the units and edges of a patch, in their order, and leads it to the junction.
    private static func add(
        _ prepared: PreparedPatch, to graph: inout Graph, _ ports: PartPorts, _ junction: NodeID
    ) throws(GraphError) -> [NodeID] {
        var made: [NodeID: NodeID] = [:], order: [NodeID] = []
        for (node, parts) in zip(prepared.graph.nodes, prepared.parts) {
            let id = try graph.add(node.instance, name: node.name, role: node.role, declared: node.declared)
            for part in parts.sorted { if let part = ports.engine(part: part) { try graph.route(part: part, to: id) } }
            if node.isBypassed { try graph.bypass(id) }
            made[node.id] = id
            order.append(id)
        }
        func id(_ node: NodeID) -> NodeID { made[node] ?? NodeID(rawValue: -1) }
        for edge in prepared.graph.connections {
            try graph.connect(
                id(edge.source), output: edge.sourceBus, to: id(edge.destination), input: edge.destinationBus)
        }
        if let output = prepared.graph.output { try graph.connect(id(output.node), output: output.bus, to: junction) }
        return order
    }

    /// Those that have rung out by `now`. `isHeld`: a key or a pedal holds anything on these ports. `loader` frees the units.
    func clear(
        now: SampleTime, isHeld: (Set<UInt8>) -> Bool, rate: Int, loader: PatchLoader
    ) throws(LiveError) {
        sweep(loader)
        var gone: [FormerPatch] = []
        for index in formers.indices.reversed() {
            if formers[index].isOver(now: now, isHeld: isHeld(Set(formers[index].granted)), rate: rate) {
                gone.append(formers[index])
            }
        }
        if gone.isEmpty { return }
        do throws(GraphError) {
            try engine.edit { (graph) throws(GraphError) in for id in gone.flatMap(\.nodes) { try graph.remove(id) } }
        } catch { throw .sound(RenderError(error)) }
        engine.forgetHistory()
        let groups = Set(gone.map(\.group))
        formers.removeAll { groups.contains($0.group) }
        free += gone.flatMap(\.granted)
        leaving += gone.flatMap(\.instances)
    }

    /// Gives units that no plan knows any more to the loader: freeing a synthesizer may mean waiting for one that loads.
    private func sweep(_ loader: PatchLoader) {
        var dead: [UnitInstance] = []
        for index in leaving.indices.reversed() where isKnownUniquelyReferenced(&leaving[index]) {
            dead.append(leaving.remove(at: index))
        }
        if !dead.isEmpty { loader.discard(dead) }
    }

    /// Returns the number that a part of the engine has in the patch that it belongs to.
    func patchPart(_ part: Int) -> Int {
        active?.ports.patch(part: part) ?? formers.lazy.compactMap { $0.ports.patch(part: part) }.first ?? part
    }
}
