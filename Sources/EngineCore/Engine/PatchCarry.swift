import Patches
import UnitAPI
import Units

extension Patch {
    /// This patch with the values that were set by hand since `former` was applied: where both patches agree on a parameter,
    /// its current value stays. A metronome and sounds that were requested stay with their edges.
    package func keeping(_ current: Patch, since former: Patch) -> Patch {
        var result = keepingValues(current, since: former)
        // Learned controllers stay if both patches have the same ones.
        if controllers == former.controllers { result.controllers = current.controllers }
        guard let output = result.outputs.first,
            let target = result[unit: output.unit].flatMap({ UnitCatalog.named($0.component) }),
            !target.descriptor.inputs.isEmpty
        else { return result }
        let names = Set(result.units.map(\.name) + result.patches.map(\.name))
        for unit in current.units where Self.belongsToSession(unit) && !names.contains(unit.name) {
            result.units.append(unit)
            let ends = current.connections.filter { $0.from.unit == unit.name }.map(\.to)
            // Units that led to the end of the graph lead to its new end.
            for end in ends {
                let isOwn = current[unit: end.unit].map(Self.belongsToSession) ?? false
                result.connections.append(PatchConnection(PatchPort(unit.name), to: isOwn ? end : PatchPort(output.unit)))
            }
        }
        return result
    }

    private static func belongsToSession(_ unit: PatchUnit) -> Bool {
        unit.name == Metronome.descriptor.name && unit.component == Metronome.descriptor.name || ReservedNames.ownsSound(unit)
    }

    /// Returns this patch with the values that were set by hand since `former` was applied, and nothing else: what only the
    /// file's patch says of the graph stays.
    package func keepingValues(_ current: Patch, since former: Patch) -> Patch {
        var result = self
        for index in result.units.indices {
            let unit = result.units[index]
            guard let old = former[unit: unit.name], let now = current[unit: unit.name], old.component == unit.component,
                now.component == unit.component
            else { continue }
            if now.preset != old.preset, Self.isSame(old.preset, unit.preset) { result.units[index].preset = now.preset }
            for name in Set(old.values.keys).union(unit.values.keys).union(now.values.keys)
            where old.values[name] == unit.values[name] {
                // Values of single inputs cannot be assigned once the number of inputs has changed.
                if let values = now.values[name], values.count > 1, now.inputCount != unit.inputCount { continue }
                result.units[index].values[name] = now.values[name]
            }
        }
        for index in result.patches.indices {
            let name = result.patches[index].name
            guard let old = former.patches.first(where: { $0.name == name }),
                let now = current.patches.first(where: { $0.name == name })
            else { continue }
            result.patches[index].patch = result.patches[index].patch.keepingValues(now.patch, since: old.patch)
        }
        return result
    }

    /// Returns whether two presets are the same: a file may have a different name once the patch is made playable.
    private static func isSame(_ one: UnitPreset?, _ other: UnitPreset?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        let areFiles = one.name.contains("/") && other.name.contains("/")
        return (areFiles || one.name == other.name) && one.values == other.values && one.properties == other.properties
    }
}
