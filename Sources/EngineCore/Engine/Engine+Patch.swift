import Graphs
import Patches
import RealtimeCore
import Reports
import UnitAPI

extension Patch {
    /// This flat patch with every bus connected that the plain names of instruments mean, by the units of the catalogue.
    package var joiningChannels: Patch { joiningChannels { UnitCatalog.named($0.component)?.descriptor(with: $0.properties) } }
}

/// The graph as data: an engine makes its graph of a patch, and says its graph as one.
extension Engine {
    /// Creates an engine with the graph that `patch` describes; the rest as in `init(sampleRate:)`.
    ///
    /// - Throws: `Fault` as `apply`.
    public convenience init(
        patch: Patch, sampleRate: Double = 48_000, maximumFrames: Int = 4096, recordsScore: Bool = false,
        start: SampleTime = .zero
    ) throws(Fault) {
        self.init(sampleRate: sampleRate, maximumFrames: maximumFrames, recordsScore: recordsScore, start: start)
        try apply(patch)
    }

    /// The graph as a value, with the values that its parameters have now. `apply` makes it again, here or elsewhere.
    public var patch: Patch { whole(graph.patch) }

    /// The graph as a value, with the requested values: those that its units were made with, and those that commands have
    /// set since, without what music has moved.
    package var askedPatch: Patch { whole(graph.patch(asked: asked)) }

    private func whole(_ flat: Patch) -> Patch {
        var patch = withPresets(flat).nested(as: layout)
        patch.soundFonts = layout.soundFonts
        (patch.zones, patch.controllers, patch.scenes, patch.clock) = (zones, controllers, scenes, clock)
        return patch
    }

    /// Changes the graph to `patch`, in one edit, with the next slice or on the frame `time`: units that are there already go
    /// on sounding, edges fade, values glide. On an error nothing has changed.
    ///
    /// - Throws: `patch` for a patch that is invalid in itself or has not exactly one output, `graph` for impossible units and
    ///   edges, `parameter` for an impossible value.
    public func apply(_ patch: Patch, at time: SampleTime? = nil) throws(Fault) {
        try apply(patch, as: PatchTakeover(), at: time)
    }

    package func apply(_ patch: Patch, as takeover: PatchTakeover, at time: SampleTime? = nil) throws(Fault) {
        let flat: Patch
        do throws(PatchError) { flat = try patch.flattened().joiningChannels } catch { throw Fault(error) }
        do { for unit in flat.units { try check(unit) } } catch { throw Fault(error) }
        try build(flat, layout: patch.layout, as: takeover, at: time)
        (zones, controllers, scenes, clock) = (flat.zones, flat.controllers, flat.scenes, flat.clock)
        notePresets(of: flat)
        for command in commands(to: flat) { try set(command, at: time) }
    }

    /// Applies a difference of structures. The values of units that stay are set by others: by the journal, for example, which
    /// has them as commands.
    package func restructure(_ difference: PatchDifference) throws(Fault) {
        let flat: Patch
        do { flat = try graph.structure.applying(difference) } catch { throw Fault(error) }
        try build(flat, layout: PatchLayout(), renaming: difference.renamed ?? [:])
    }

    private func build(
        _ flat: Patch, layout wanted: PatchLayout, renaming names: [String: String] = [:],
        as takeover: PatchTakeover = PatchTakeover(),
        at time: SampleTime? = nil
    ) throws(Fault) {
        guard flat.outputs.count == 1 else { throw Fault(PatchError.outputCount(flat.outputs.count)) }
        let layout = layout.merging(wanted)
        try edit(at: time) { (graph) throws(Fault) in
            try graph.rename(names)
            for node in graph.nodes where names.values.contains(node.name) {
                graph.give([node.id], to: ReservedNames.owner(of: node.name))
            }
            try takeover.first(&graph)
            try graph.become(flat, as: takeover) { layout.soundFonts(around: $0) }
        }
        self.layout = layout
    }

    /// Refuses values that the unit, there already or still to be made, could not be set to.
    private func check(_ unit: PatchUnit) throws(ParameterError) {
        guard let entry = UnitCatalog.named(unit.component) else { return }
        let inputs = max(unit.inputCount, entry.descriptor.inputs.count)
        for (name, values) in unit.values.sorted(by: { $0.key < $1.key }) {
            guard let spec = entry.parameters.first(where: { $0.name == name }) else {
                throw .unknownParameter(name, unit: unit.name, known: entry.parameters.map(\.name))
            }
            let count = spec.elementCount(inputs: inputs, bands: entry.descriptor.bands)
            if values.isEmpty || values.count > count {
                throw .outOfRange(
                    parameter: "\(unit.name).\(name)", text: "\(values.count) values", low: "1", high: "\(count)")
            }
            if let value = values.first(where: { !spec.range.contains($0) }) {
                throw .outOfRange(
                    parameter: "\(unit.name).\(name)", text: spec.text(value), low: spec.text(spec.range.lowerBound),
                    high: spec.text(spec.range.upperBound))
            }
        }
    }

    private func commands(to flat: Patch) -> [ParameterSetting.Target] {
        var commands: [ParameterSetting.Target] = []
        for node in graph.nodes {
            guard let unit = flat[unit: node.name] else { continue }
            let block = node.instance.parameters
            for (index, spec) in block.specs.enumerated() where spec.applies == .live {
                let wanted = unit.values[spec.name] ?? []
                for element in 0..<block.elementCount(of: index) {
                    let value =
                        element < wanted.count
                        ? wanted[element]
                        : wanted.count == 1 ? wanted[0] : spec.initial(of: element)
                    if value != block.target(index, element) {
                        commands.append(
                            .init(
                                node: node.id, index: Int32(index), element: Int32(element), value: spec.clamped(value)))
                    }
                }
            }
        }
        return commands
    }
}
