import EngineCore
import Patches
import UnitAPI
import Units

/// The inputs of a patch's mixer, and the units that are heard through each of them.
struct StemInputs {
    /// An input that something leads to.
    struct Input {
        let number: Int
        /// The unit that leads to it, the first if there are several.
        let lead: String
        /// All units that are heard through it, up to the effects that several inputs share.
        var units: Set<String> = []
        var instruments: [String] = []
        var strips: [String] = []
        var parts: Set<Int> = []
        /// The shared effect that leads to it; nil for dry sound.
        var effect: String?
    }

    let mixer: String
    let count: Int
    package private(set) var inputs: [Input] = []
    /// The patch with nothing nested and every channel's bus connected.
    let flat: Patch

    /// Units that change the sound after the mixer, except limiters, which do nothing at the right level.
    var behindMixer: [String] {
        let following = Dictionary(grouping: flat.connections, by: \.from.unit)
        var found: [String] = [], left = [mixer]
        while let next = left.popLast() {
            for edge in following[next] ?? [] where edge.to.unit != mixer && !found.contains(edge.to.unit) {
                found.append(edge.to.unit)
                left.append(edge.to.unit)
            }
        }
        let quiet = [Limiter.descriptor.name, PeakMeter.descriptor.name, Junction.descriptor.name]
        return flat.units.filter { found.contains($0.name) && !quiet.contains($0.component) && !$0.isBypassed }.map(\.name)
    }

    /// Finds the mixer: a multichannel mixer of role master of the outermost patch.
    /// `played` are the parts that the song plays. - Throws: `option` without a mixer, and if stems cannot be separated.
    init(_ patch: Patch, playing played: Set<Int>, division: String) throws(Fault) {
        do { flat = try patch.flattened().joiningChannels } catch { throw .patch(Fault(error)) }
        let type = MultichannelMixer.descriptor.name
        guard let mixer = patch.units.first(where: { $0.component == type && $0.role == .master }) else {
            throw .option(
                name: "stems", value: division,
                remedy: "the patch has no \(type) of role master, at whose inputs stems are taken; give it one")
        }
        self.mixer = mixer.name
        count = max(mixer.inputCount, 1)
        let walk = UpstreamWalk(flat, playing: played)
        for number in 0..<count {
            guard let input = try walk.input(number, of: mixer.name, division) else { continue }
            inputs.append(input)
        }
        if inputs.isEmpty {
            throw .option(name: "stems", value: division, remedy: "nothing leads to \(mixer.name) of the patch")
        }
    }
}

/// A walk through a patch against the way of the sound.
struct UpstreamWalk {
    private let flat: Patch
    private let played: Set<Int>
    private let leading: [String: [PatchConnection]]
    private let units: [String: PatchUnit]

    init(_ flat: Patch, playing played: Set<Int> = []) {
        (self.flat, self.played) = (flat, played)
        leading = Dictionary(grouping: flat.connections, by: \.to.unit)
        units = Dictionary(flat.units.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The units that lead to some of a unit's inputs, without those of `stopping` and all units before them.
    func units(before unit: String, inputs: Set<Int>, stoppingAt stopping: Set<String> = []) -> Set<String> {
        var found: Set<String> = []
        var left = (leading[unit] ?? []).filter { inputs.contains($0.to.bus) }.map(\.from.unit)
        while let next = left.popLast() {
            if stopping.contains(next) || next == unit || !found.insert(next).inserted { continue }
            left += (leading[next] ?? []).map(\.from.unit)
        }
        return found
    }

    /// Returns the sound that reaches an input of the mixer; nil if nothing leads there.
    fileprivate func input(_ number: Int, of mixer: String, _ division: String) throws(Fault) -> StemInputs.Input? {
        let ends = (leading[mixer] ?? []).filter { $0.to.bus == number }
        guard let first = ends.first else { return nil }
        var input = StemInputs.Input(number: number, lead: first.from.unit)
        var left = ends.map(\.from), seen: Set<PatchPort> = []
        while let port = left.popLast() {
            if port.unit == mixer || !seen.insert(port).inserted { continue }
            let unit = units[port.unit]
            if unit?.role == .send {
                // The nearest effect names the stem.
                input.effect = input.effect ?? port.unit
                continue
            }
            if input.units.insert(port.unit).inserted {
                if unit?.role == .strip { input.strips.append(port.unit) }
                if unit?.role == .instrument { input.instruments.append(port.unit) }
            }
            if let unit, unit.role?.isPlayed == true { input.parts.formUnion(parts(of: unit, bus: port.bus)) }
            left += (leading[port.unit] ?? []).map(\.from)
        }
        if let effect = input.effect, !input.units.isEmpty, input.units.contains(where: { sounds($0) }) {
            throw .option(
                name: "stems", value: division,
                remedy: "\(effect) and what is dry lead to the same input \(number) of \(mixer); give each an input of its own")
        }
        return input
    }

    func sounds(_ unit: String) -> Bool { units[unit]?.role?.isPlayed == true || (leading[unit] ?? []).isEmpty }

    /// The parts of the song that a unit plays on one of its buses.
    private func parts(of unit: PatchUnit, bus: Int) -> Set<Int> {
        let heard = flat.heardParts(of: unit).parts.intersection(played)
        let buses = UnitCatalog.named(unit.component)?.descriptor(with: unit.properties).outputs ?? []
        guard let channels = Patch.channelCount(buses) else { return heard }
        return heard.filter { $0 % 16 == bus % channels }
    }
}
