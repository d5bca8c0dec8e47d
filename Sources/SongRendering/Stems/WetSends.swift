import Patches
import Reports
import UnitAPI
import Units

/// Effects that several channels send to, made once for each stem, so that each has its own share of them.
struct WetSends {
    private let mixer: String
    /// The dry inputs of each stem.
    private let members: [[Int]]
    private let division: String

    init(_ mixer: String, _ members: [[Int]], division: String) {
        (self.mixer, self.members, self.division) = (mixer, members, division)
    }

    /// Makes the copies in `patch`, and adds the inputs at which they come back to those of their stems.
    /// The first stem keeps the effects that are there; every other that sends to them gets copies with the same settings.
    /// - Throws: `option` for an effect that cannot be assigned to a stem.
    func share(_ patch: inout Patch, _ inputs: inout [[Int]]) throws(Fault) {
        guard var unit = patch[unit: mixer] else { return }
        let count = max(unit.inputCount, 1), walk = UpstreamWalk(patch)
        let owners = members.map { walk.units(before: mixer, inputs: Set($0)) }
        let dry = owners.reduce(into: Set<String>()) { $0.formUnion($1) }
        let returns = (0..<count).filter { input in !members.contains { $0.contains(input) } }
        let shared = walk.units(before: mixer, inputs: Set(returns), stoppingAt: dry)
        if shared.isEmpty { return }
        if !patch.patches.isEmpty { throw refused("the effects of a patch with patches inside cannot be shared out") }
        let sources = shared.filter { walk.sounds($0) && patch[unit: $0]?.role != .send }
        if let source = sources.min() { throw refused("\(source) is heard through effects alone, and is in no stem") }
        let led = patch.connections.filter { shared.contains($0.to.unit) && dry.contains($0.from.unit) }
        for edge in led where owners.count(where: { $0.contains(edge.from.unit) }) > 1 {
            throw refused("\(edge.from.unit) sends to \(edge.to.unit) for several stems at once; lead it through strips")
        }
        let inside = patch.connections.filter { shared.contains($0.to.unit) && shared.contains($0.from.unit) }
        let back = patch.connections.filter {
            shared.contains($0.from.unit) && $0.to.unit == mixer && returns.contains($0.to.bus)
        }
        inputs[0] += returns
        unit.inputCount = count
        var next = count
        for stem in members.indices.dropFirst() {
            let own = led.filter { owners[stem].contains($0.from.unit) }
            if own.isEmpty { continue }
            func copy(_ port: PatchPort) -> PatchPort {
                shared.contains(port.unit) ? PatchPort("\(port.unit)-stem-\(stem + 1)", port.bus) : port
            }
            for name in patch.units.map(\.name) where shared.contains(name) {
                guard var effect = patch[unit: name] else { continue }
                effect.name = copy(PatchPort(name)).unit
                patch.units.append(effect)
            }
            patch.connections.removeAll { own.contains($0) }
            patch.connections += (own + inside).map { PatchConnection(copy($0.from), to: copy($0.to)) }
            for (place, input) in returns.enumerated() {
                patch.connections += back.filter { $0.to.bus == input }.map {
                    PatchConnection(copy($0.from), to: PatchPort(mixer, next + place))
                }
                extend(&unit, by: input)
            }
            inputs[stem] += next..<next + returns.count
            next += returns.count
        }
        patch[unit: mixer] = unit
    }

    /// Extends the mixer's values per input by one more, which is set as `input` is.
    private func extend(_ unit: inout PatchUnit, by input: Int) {
        for (name, values) in unit.values where values.count > 1 {
            let initial = MultichannelMixer.Parameter.allCases.map(\.spec).first { $0.name == name }?.initial ?? 0
            let whole = values + [Float](repeating: initial, count: max(unit.inputCount - values.count, 0))
            unit.values[name] = whole + [whole[input]]
        }
        unit.inputCount += 1
    }

    private func refused(_ reason: String) -> Fault { .option(name: "stems-wet", value: division, remedy: reason) }
}
