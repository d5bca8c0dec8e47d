import Patch
import UnitAPI
import Units

extension Patch {
    /// This patch with what was set by hand since `former` was applied: where both say the same of a parameter, what it is
    /// now stays; and a metronome that was asked for stays with its edge.
    ///
    /// - Parameter current: the graph as it stands.
    func keeping(_ current: Patch, since former: Patch) -> Patch {
        var result = keepingValues(current, since: former)
        // What was learned stays where both say the same.
        if controllers == former.controllers { result.controllers = current.controllers }
        let name = SessionMetronome.name
        guard let metronome = current[unit: name], metronome.component == Metronome.descriptor.name,
            !(result.units.map(\.name) + result.patches.map(\.name)).contains(name), let output = result.outputs.first,
            let target = result[unit: output.unit].flatMap({ UnitCatalog.named($0.component) }),
            !target.descriptor.inputs.isEmpty
        else { return result }
        result.units.append(metronome)
        result.connections.append(PatchConnection(PatchPort(name), to: PatchPort(output.unit)))
        return result
    }

    func keepingValues(_ current: Patch, since former: Patch) -> Patch {
        var result = self
        for index in result.units.indices {
            let unit = result.units[index]
            guard let old = former[unit: unit.name], let now = current[unit: unit.name], old.component == unit.component,
                now.component == unit.component
            else { continue }
            for name in Set(old.values.keys).union(unit.values.keys).union(now.values.keys)
            where old.values[name] == unit.values[name] {
                // What each input had is nobody's where there are fewer or more of them.
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
}
