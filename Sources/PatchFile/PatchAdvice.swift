import Patch
import UnitAPI

/// What a patch may say and is hardly meant so: it plays, but somebody will wonder why nothing is heard.
struct PatchAdvice {
    /// What a remark is about.
    enum Subject: Hashable {
        case unit(String)
        case zone(String)
        case scene(String)
    }

    /// The patch with nothing nested.
    let patch: Patch
    /// The catalogue.
    let units: [UnitEntry]

    /// The remarks, units first.
    var remarks: [(subject: Subject, text: String)] {
        patch.units.flatMap { unit in advice(unit).map { (.unit(unit.name), $0) } }
            + patch.zones.enumerated().flatMap { index, zone in advice(zone, index).map { (.zone(zone.name), $0) } }
            + patch.scenes.flatMap { scene in advice(scene).map { (.scene(scene.name), $0) } }
    }

    private func descriptor(_ unit: PatchUnit) -> UnitDescriptor? {
        units.first { $0.name == unit.component }?.descriptor
    }

    private func advice(_ unit: PatchUnit) -> [String] {
        guard let descriptor = descriptor(unit) else { return [] }
        let leadsOn = (patch.outputs + patch.connections.map(\.from)).contains { $0.unit == unit.name }
        let isFed = (patch.inputs + patch.connections.map(\.to)).contains { $0.unit == unit.name }
        let isPlayed = descriptor.acceptsMusic && descriptor.inputs.isEmpty
        if !descriptor.outputs.isEmpty, !leadsOn {
            return ["it leads nowhere and is not heard; connect it, or take it out"]
        }
        if !descriptor.inputs.isEmpty, !descriptor.acceptsMusic, !isFed {
            return ["nothing leads into it; connect something to it, or take it out"]
        }
        // An instrument for which nothing is said hears all parts.
        if isPlayed, unit.parts.isEmpty, unit.role != .instrument {
            return ["it hears no part and plays nothing; give it some: parts: 1-16"]
        }
        if isPlayed, !patch.zones.isEmpty,
            patch.zones.allSatisfy({ $0.unit != nil ? $0.unit != unit.name : $0.output != nil })
        {
            return ["no zone plays it: songs do, keyboards do not"]
        }
        return []
    }

    private func advice(_ zone: Zone, _ index: Int) -> [String] {
        var remarks: [String] = []
        if zone.unit == nil, zone.output == nil {
            let wanted = zone.channel.map { PartList([$0 - 1]) } ?? (zone.channels.isEmpty ? PartList(0..<16) : zone.channels)
            let isHeard = patch.units.contains { unit in
                if descriptor(unit)?.acceptsMusic != true { return false }
                return unit.parts.isEmpty ? unit.role == .instrument : !unit.parts.parts.isDisjoint(with: wanted.parts)
            }
            if !isHeard { remarks.append("it names no unit, and no unit hears its channels; add unit: NAME") }
        }
        for other in patch.zones[..<index] where zone.sharesOneKey(with: other) {
            let key = max(zone.keys.keys.lowerBound, other.keys.keys.lowerBound)
            remarks.append("it shares \(KeySpan.name(of: key)) alone with \(other.name): that key sounds in both")
        }
        return remarks
    }

    private func advice(_ scene: Scene) -> [String] {
        var remarks: [String] = []
        if scene.values.isEmpty, scene.zones == nil { remarks.append("it changes nothing; give it values or zones") }
        let controls = [1: "the modulation wheel", 7: "volume", 10: "pan", 11: "expression", 64: "the sustain pedal",
            66: "the sostenuto pedal", 67: "the soft pedal"]
        if let number = scene.controller, let control = controls[number] {
            remarks.append(
                "controller \(number) is \(control), which reaches no unit any more; foot switches have 80-83 for this")
        }
        return remarks
    }
}

extension Zone {
    /// Whether the two are neighbours whose ends meet on one key, by mistake most likely: layers share more.
    fileprivate func sharesOneKey(with other: Zone) -> Bool {
        func canMeet(_ a: PartList, _ b: PartList) -> Bool {
            a.isEmpty || b.isEmpty || a.sorted.contains { b.parts.contains($0) }
        }
        guard keyboard == nil || other.keyboard == nil || keyboard == other.keyboard, canMeet(channels, other.channels),
            softest <= other.hardest, other.softest <= hardest
        else { return false }
        let own = keys.keys, others = other.keys.keys
        return own.clamped(to: others).count == 1 && own.overlaps(others) && own.count > 1 && others.count > 1
    }
}
