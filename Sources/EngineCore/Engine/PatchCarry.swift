import Patches
import UnitAPI

extension Patch {
    /// This patch with the values that were set by hand since `former` was applied: where both patches agree on a parameter,
    /// its current value stays.
    package func keeping(_ current: Patch, since former: Patch) -> Patch {
        var result = keepingValues(current, since: former)
        // Learned controllers stay if both patches have the same ones.
        if controllers == former.controllers { result.controllers = current.controllers }
        return result
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
