/// A patch without patches inside, as a graph needs it, and the way back.
extension Patch {
    /// Returns the patch with nothing nested: a unit `echo` of the patch `drums` is called `drums.echo`.
    ///
    /// A patch's own units and edges come before those of the patches inside, so that `nested(as:)` finds the way back.
    ///
    /// - Throws: what `check` throws.
    public func flattened() throws(PatchError) -> Patch {
        try check()
        return flat(prefix: "")
    }

    func flat(prefix: String) -> Patch {
        var flat = Patch()
        (flat.zones, flat.controllers, flat.scenes, flat.clock) = (zones, controllers, scenes, clock)
        flat.soundFonts = soundFonts
        flat.units = units.map { unit in
            var unit = unit
            unit.name = prefix + unit.name
            return unit
        }
        let inside = patches.map { ($0.name, $0.patch.flat(prefix: prefix + $0.name + ".")) }
        for (_, patch) in inside {
            flat.units += patch.units
            flat.connections += patch.connections
        }
        // A nested patch's bus is the bus of the unit inside it.
        func resolve(_ port: PatchPort, _ side: KeyPath<Patch, [PatchPort]>) -> PatchPort {
            if let patch = inside.first(where: { $0.0 == port.unit })?.1 { return patch[keyPath: side][port.bus] }
            return PatchPort(prefix + port.unit, port.bus)
        }
        flat.connections += connections.map {
            PatchConnection(resolve($0.from, \.outputs), to: resolve($0.to, \.inputs))
        }
        flat.inputs = inputs.map { resolve($0, \.inputs) }
        flat.outputs = outputs.map { resolve($0, \.outputs) }
        return flat
    }

    /// The nesting of the patches, without their contents.
    package var layout: PatchLayout {
        var layout = PatchLayout(
            patches.map { nested in
                let flat = nested.patch.flat(prefix: nested.name + ".")
                return PatchLayout.Group(
                    name: nested.name, soundFonts: nested.patch.soundFonts, inputs: flat.inputs, outputs: flat.outputs,
                    inside: nested.patch.layout.prefixed(nested.name + "."))
            })
        layout.soundFonts = soundFonts
        return layout
    }
}

/// The nesting of patches: what `flattened` forgets. Ports are called as in the flattened patch.
package struct PatchLayout: Hashable, Sendable {
    /// One nested patch: its name, its buses, its content.
    struct Group: Hashable, Sendable {
        var name: String
        var soundFonts: [String]
        var inputs: [PatchPort]
        var outputs: [PatchPort]
        var inside: PatchLayout
    }
    var groups: [Group]
    /// The SoundFonts of the outermost patch.
    package internal(set) var soundFonts: [String] = []

    /// Nothing is nested.
    package init() { groups = [] }
    init(_ groups: [Group]) { self.groups = groups }

    func prefixed(_ prefix: String) -> PatchLayout {
        func port(_ port: PatchPort) -> PatchPort { PatchPort(prefix + port.unit, port.bus) }
        return PatchLayout(
            groups.map { group in
                Group(
                    name: group.name, soundFonts: group.soundFonts, inputs: group.inputs.map(port),
                    outputs: group.outputs.map(port), inside: group.inside.prefixed(prefix))
            })
    }

    /// The SoundFonts that the nearest patch around a flattened unit names, from the inside out.
    package func soundFonts(around unit: String) -> [String] {
        var found = soundFonts, groups = groups, prefix = ""
        while let group = groups.first(where: { unit.hasPrefix(prefix + $0.name + ".") }) {
            if !group.soundFonts.isEmpty { found = group.soundFonts }
            prefix += group.name + "."
            groups = group.inside.groups
        }
        return found
    }

    /// Both, as far as they can be; if both know a group, `newer` has its buses.
    package func merging(_ newer: PatchLayout) -> PatchLayout {
        var result = newer
        for group in groups {
            if let index = result.groups.firstIndex(where: { $0.name == group.name }) {
                result.groups[index].inside = group.inside.merging(result.groups[index].inside)
            } else {
                result.groups.append(group)
            }
        }
        return result
    }
}
