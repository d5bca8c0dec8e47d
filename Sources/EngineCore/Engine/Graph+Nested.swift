import Graphs
import Patches
import UnitAPI

/// The result of adding a patch to a graph.
public struct NestedPatch: Sendable {
    /// The name in the graph.
    public let name: String
    /// The units by their names inside the patch: `echo`, or `section.echo` of a patch inside.
    public let units: [String: NodeID]
    /// The buses that the patch offers to sound from outside, by number.
    public let inputs: [Bus]
    /// The buses whose sound leaves the patch, by number.
    public let outputs: [Bus]

    /// The unit of that name inside; nil where there is none.
    public subscript(unit: String) -> NodeID? { units[unit] }
}

/// Patches as parts of a graph.
extension Graph {
    /// Adds the units and edges of a patch, its own nested ones too: unit `echo` of a patch that is added as `drums` is
    /// called `drums.echo`, and `Engine.patch` says it as a patch inside. Nothing of the graph is connected to it yet.
    ///
    /// - Parameters:
    ///   - patch: its `inputs` and `outputs` are the ports for the graph around it.
    ///   - name: without a dot, of no unit, and before the dot of none.
    /// - Throws: `PatchError` for an invalid patch or name, `Fault` for impossible units and edges. The graph is then as it
    ///   was.
    @discardableResult
    public mutating func add(patch: Patch, name: String) throws(Fault) -> NestedPatch {
        let flat: Patch, inside: Patch
        do throws(PatchError) {
            var outer = Patch()
            outer.patches = [SubPatch(name, patch)]
            flat = try outer.flattened()
            inside = try patch.flattened()
        } catch { throw Fault(error) }
        if nodes.contains(where: { $0.name == name || $0.name.hasPrefix(name + ".") }) {
            throw Fault.duplicateName(name)
        }
        let layout = patch.layout
        var next = self
        var ids: [String: NodeID] = [:]
        for (unit, inner) in zip(flat.units, inside.units) {
            let id = try next.add(unit, soundFonts: layout.soundFonts(around: inner.name))
            ids[inner.name] = id
            try next.setRole(unit.role, of: id)
            for part in unit.parts.parts.sorted() { try next.route(part: part, to: id) }
            if unit.isBypassed { try next.bypass(id) }
        }
        func bus(_ port: PatchPort) -> Bus { Bus(ids[port.unit] ?? NodeID(rawValue: -1), port.bus) }
        for edge in inside.connections {
            let from = bus(edge.from), to = bus(edge.to)
            try next.connect(from.node, output: from.index, to: to.node, input: to.index)
        }
        self = next
        return NestedPatch(
            name: name, units: ids, inputs: inside.inputs.map(bus), outputs: inside.outputs.map(bus))
    }
}
