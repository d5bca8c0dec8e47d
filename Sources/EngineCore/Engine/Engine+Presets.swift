import Graphs
import Patches
import RealtimeCore
import Reports
import UnitAPI

/// Presets of the units that play: Audio Units' `FactoryPresets`, `PresentPreset` and `ClassInfo`.
extension Engine {
    /// Returns the settings that a unit brings along, in its order: Audio Units' `FactoryPresets`.
    ///
    /// - Throws: `ParameterError` when the unit is not there.
    public func presets(of node: NodeID) throws(Fault) -> [UnitPreset] {
        let found = try presetNode(node)
        do { return try found.instance.descriptor.presets(found.instance.parameters.specs) } catch {
            throw Fault(error)
        }
    }

    /// Returns the preset that a unit was last set by, even if values have moved since; nil if none was. `PresentPreset`.
    public func presentPreset(of node: NodeID) throws(Fault) -> UnitPreset? {
        asked.presets[try presetNode(node).id]
    }

    /// Returns a unit's present settings, as a value that can be kept, sent and applied elsewhere: Audio Units' `ClassInfo`. It
    /// has every parameter that moves while the unit sounds, those at their default too; for those that are fixed when it is
    /// made, it has the requested values.
    public func preset(of node: NodeID, named name: String = "present") throws(Fault) -> UnitPreset {
        let found = try presetNode(node), block = found.instance.parameters
        var values: [String: [Float]] = [:]
        for (index, spec) in block.specs.enumerated() {
            let list = (0..<block.elementCount(of: index)).map { block.target(index, $0) }
            let isDefault = list.indices.allSatisfy { list[$0] == spec.initial(of: $0) }
            if spec.applies == .atStart, isDefault { continue }
            values[spec.name] = list.allSatisfy { $0 == list[0] } ? [list[0]] : list
        }
        return UnitPreset(name, values: values, properties: found.declared.properties)
    }

    /// Sets a unit by a preset while it sounds, with the next slice or at `time`: parameters glide as their declarations say. A
    /// parameter that the preset does not name goes to its default if one of the unit's own presets names it, and else stays.
    ///
    /// - Throws: `ParameterError` when the unit is not there, for a value that it cannot be set to, and for one that it takes
    ///   only when it is made and has otherwise; `Fault` for a property that it was made with otherwise; `PatchFileError` for
    ///   lists that are of another number of inputs; `queueFull` if the renderer has no room for all of it. Nothing has changed
    ///   then.
    public func apply(
        preset: UnitPreset, to node: NodeID, at time: SampleTime? = nil
    ) throws(Fault) { try apply([(node, preset)], at: time) }

    /// Sets several units by a preset each: all of them, or none.
    package func apply(_ presets: [(node: NodeID, preset: UnitPreset)], at time: SampleTime? = nil) throws(Fault) {
        var targets: [ParameterSetting.Target] = []
        for (node, preset) in presets { targets += try self.targets(of: preset, for: node) }
        if renderer.commandRoom < targets.count { throw .queueFull }
        for target in targets { try set(target, at: time) }
        for (node, preset) in presets { asked.presets[node] = preset }
    }

    /// Returns the values that a preset sets of a unit. Throws as `apply`.
    private func targets(of preset: UnitPreset, for node: NodeID) throws(Fault) -> [ParameterSetting.Target] {
        let found = try presetNode(node), block = found.instance.parameters
        let named = Set(found.instance.descriptor.factoryPresets.flatMap { $0.settings.keys })
        if let name = preset.values.keys.sorted().first(where: { name in !block.specs.contains { $0.name == name } }) {
            throw Fault(ParameterError.unknownParameter(name, unit: found.name, known: block.specs.map(\.name)))
        }
        for (name, value) in preset.properties.sorted(by: { $0.key < $1.key })
        where found.declared.properties[name] != value {
            throw Fault(
                UnitError.invalidProperty(
                    unit: found.name, property: name, reason: "the preset wants another, which only a new unit can have"))
        }
        let inputs = block.specs.firstIndex { $0.scope == .input }.map(block.elementCount)
        if let inputs, let misfit = preset.misfit(inputs: inputs, found.instance.descriptor, block.specs) {
            throw Fault(PatchFileError(.refused("preset \(preset.name): \(misfit)"), path: found.name))
        }
        var targets: [ParameterSetting.Target] = []
        for (index, spec) in block.specs.enumerated() {
            let values = preset.values[spec.name]
            if values == nil, !named.contains(spec.name) { continue }
            let count = block.elementCount(of: index)
            if let values, values.isEmpty || values.count > count {
                throw Fault(
                    ParameterError.outOfRange(
                        parameter: spec.name, text: "\(values.count) values", low: "1", high: "\(count)"))
            }
            for (element, value) in UnitPreset.expanded(values, spec, count: count).enumerated() {
                do { try spec.check(Double(value)) } catch { throw Fault(error) }
                if spec.applies == .atStart {
                    if value != block.target(index, element) { throw Fault(ParameterError.onlyAtStart(parameter: spec.name)) }
                    continue
                }
                targets.append(.init(node: node, index: Int32(index), element: Int32(element), value: value))
            }
        }
        return targets
    }

    /// Sets a unit by a preset's name while it sounds: one of the unit's own, or one of the user's.
    ///
    /// - Parameter shelf: the location of the user's presets; by default `$XDG_CONFIG_HOME/carillon/presets`.
    /// - Throws: `PatchFileError` for an unknown name, and for faults of a file; the rest as above.
    public func apply(
        preset name: String, to node: NodeID, on shelf: PresetShelf = PresetShelf(ofPatchAt: ""), at time: SampleTime? = nil
    ) throws(Fault) { try apply([(node, try preset(named: name, for: node, on: shelf))], at: time) }

    /// Returns the preset of that name: the unit's own, or one of the user's. Throws as `apply`.
    package func preset(
        named name: String, for node: NodeID, on shelf: PresetShelf = PresetShelf(ofPatchAt: "")
    ) throws(Fault) -> UnitPreset {
        let found = try presetNode(node)
        let entry = try UnitCatalog.required(found.instance.descriptor.name, for: found.name)
        do { return try shelf.preset(name, of: entry, for: found.name) } catch { throw Fault(error) }
    }

    private func presetNode(_ id: NodeID) throws(Fault) -> Graph.Node {
        guard let node = graph[id] else {
            throw Fault(ParameterError.unknownUnitName("\(id)", known: graph.knownNames))
        }
        return node
    }

    /// Notes for each unit of a patch the preset that it was set by, and forgets units that are gone.
    func notePresets(of flat: Patch) {
        for node in graph.nodes { if let unit = flat[unit: node.name] { asked.presets[node.id] = unit.preset } }
        asked.forgetAll(but: Set(graph.nodes.map(\.id)))
    }

    /// A flat patch of the graph with what its units were set by.
    func withPresets(_ flat: Patch) -> Patch {
        if asked.presets.isEmpty { return flat }
        var patch = flat
        for node in graph.nodes {
            if let preset = asked.presets[node.id] { patch[unit: node.name]?.preset = preset }
        }
        return patch
    }
}
