import UnitAPI

/// Units that are set by a preset.
extension PatchUnit {
    /// Sets it by `preset`: the preset's values and properties go before those that it has.
    public mutating func set(by preset: UnitPreset) {
        self.preset = preset
        values.merge(preset.values) { $1 }
        properties.merge(preset.properties) { $1 }
    }

    /// The unit with the values of its preset's parameters as a file gives them back: none that is at its default, and in the
    /// preset's way of writing if it is the preset's. Sounds the same.
    package func canonical(_ entry: UnitEntry) -> PatchUnit {
        guard let preset else { return self }
        var unit = self
        if !entry.takesPresets {
            unit.preset = nil
            return unit
        }
        for spec in entry.parameters {
            guard let base = preset.values[spec.name] else { continue }
            let count = elementCount(of: spec, entry)
            let own = UnitPreset.expanded(values[spec.name], spec, count: count)
            if own == UnitPreset.expanded(nil, spec, count: count) {
                unit.values[spec.name] = nil
            } else if own == UnitPreset.expanded(base, spec, count: count) {
                unit.values[spec.name] = base
            }
        }
        return unit
    }

    /// Returns true if a parameter is where the preset has it, so that it need not be written.
    package func isAsPreset(_ spec: ParameterSpec, _ entry: UnitEntry) -> Bool {
        guard let base = preset?.values[spec.name] else { return false }
        let count = elementCount(of: spec, entry)
        return UnitPreset.expanded(values[spec.name], spec, count: count) == UnitPreset.expanded(base, spec, count: count)
    }

    private func elementCount(of spec: ParameterSpec, _ entry: UnitEntry) -> Int {
        spec.elementCount(inputs: max(inputCount, entry.descriptor.inputs.count), bands: entry.descriptor.bands)
    }
}

extension UnitEntry {
    /// True if a file can name the preset of a unit of the entry: not if it has a parameter of that name.
    package var takesPresets: Bool { !parameters.contains { $0.name == "preset" } }
}

extension Patch {
    /// The patch with every unit as `PatchUnit.canonical` has it, those of the patches inside too.
    package func canonical(_ units: [UnitEntry]) -> Patch {
        var patch = self
        for index in patch.units.indices where patch.units[index].preset != nil {
            guard let entry = units.first(where: { $0.name == patch.units[index].component }) else { continue }
            patch.units[index] = patch.units[index].canonical(entry)
        }
        patch.patches = patches.map { SubPatch($0.name, $0.patch.canonical(units)) }
        return patch
    }
}
