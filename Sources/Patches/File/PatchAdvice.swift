import MIDI
import Reports
import UnitAPI

/// Remarks on settings that a patch may have and that are probably not meant: it plays, and something in it is not heard.
struct PatchAdvice {
    /// The subject of a remark.
    enum Subject: Hashable {
        case unit(String)
        case zone(String)
        case controller(String)
        case scene(String)
    }

    /// The patch with nothing nested.
    let patch: Patch
    /// The catalogue.
    let units: [UnitEntry]

    /// The remarks, units first.
    var remarks: [(subject: Subject, kind: Remark.Kind, text: String)] {
        // One list a statement: as one expression they are too much for Swift 6.2's type checker.
        var remarks: [(subject: Subject, kind: Remark.Kind, text: String)] = []
        for unit in patch.units { remarks += advice(unit).map { (.unit(unit.name), .notFollowed, $0) } }
        remarks += patch.units.compactMap { unit in sideChain(unit).map { (.unit(unit.name), $0.kind, $0.text) } }
        remarks += SendMix.all(of: patch, units).map { (.unit($0.unit), .level, $0.remark) }
        for (index, zone) in patch.zones.enumerated() {
            remarks += advice(zone, index).map { (.zone(zone.name), .notFollowed, $0) }
        }
        for map in patch.controllers { remarks += advice(map).map { (.controller(map.name), .notFollowed, $0) } }
        for scene in patch.scenes { remarks += advice(scene).map { (.scene(scene.name), .notFollowed, $0) } }
        return remarks
    }

    /// A controller that a player misses, as a sentence names it.
    private static func control(_ number: Int) -> String? {
        guard [1, 7, 10, 11, 64, 66, 67].contains(number), let name = Controller(rawValue: UInt8(number)).name else { return nil }
        return name.hasSuffix("pedal") || name.hasSuffix("wheel") ? "the \(name)" : name
    }

    private func advice(_ map: ControllerMap) -> [String] { taken(map) + unheard(map) }

    /// A foot switch of scenes, which hear it first.
    private func taken(_ map: ControllerMap) -> [String] {
        let scene = patch.scenes.first { scene in
            scene.controller.map { map.control == .controller($0) } == true && PartList.meet(scene.channels, map.channels)
                && (scene.keyboard == nil || map.keyboard == nil || scene.keyboard == map.keyboard)
        }
        guard let scene, let number = scene.controller else { return [] }
        return [
            "controller \(number) calls the scene \(scene.name), so it moves nothing here; give one of them another controller"
        ]
    }

    private func unheard(_ map: ControllerMap) -> [String] {
        guard case .controller(let number) = map.control, let control = Self.control(number), number >= 64, !map.passes else {
            return []
        }
        return ["controller \(number) is \(control), which no longer reaches instruments; passes: on lets it through"]
    }

    private func descriptor(_ unit: PatchUnit) -> UnitDescriptor? {
        units.first { $0.name == unit.component }?.descriptor(with: unit.properties)
    }

    private func advice(_ unit: PatchUnit) -> [String] { unused(unit) + hearing(unit) }

    /// The parameters of a unit that controllers and scenes move.
    private func moved(_ unit: PatchUnit) -> Set<String> {
        let addresses = patch.controllers.map(\.parameter) + patch.scenes.flatMap(\.values.keys)
        return Set(addresses.filter { $0.unit == unit.name }.map(\.parameter))
    }

    /// A side-chain that is connected and off, or on and not connected.
    private func sideChain(_ unit: PatchUnit) -> (kind: Remark.Kind, text: String)? {
        guard let entry = units.first(where: { $0.name == unit.component }),
            let bus = entry.descriptor.inputs.firstIndex(where: { $0.use == .key })
        else { return nil }
        let switches = ["key", "auto-key"].compactMap { name in entry.parameters.first { $0.name == name } }
        if switches.count < 2 || !moved(unit).isDisjoint(with: switches.map(\.name)) { return nil }
        let isOn = switches.map { (unit.values[$0.name]?.first ?? $0.initial) >= 0.5 }
        let port = PatchPort(unit.name, bus), source = patch.connections.first { $0.to == port }?.from.unit
        if let source, !isOn.contains(true) {
            return (.notFollowed, "\(source) is connected to its side-chain, which is off; set key: on")
        }
        if !isOn[0] || source != nil || patch.inputs.contains(port) { return nil }
        let name = "\(unit.name)[\(entry.descriptor.inputs[bus].name)]"
        return (.missing, "its side-chain is on and nothing is connected to it; connect something to \(name), or set key: off")
    }

    /// Properties that are given and have no effect, because a choice has another value and nothing in the patch moves it.
    private func unused(_ unit: PatchUnit) -> [String] {
        guard let entry = units.first(where: { $0.name == unit.component }) else { return [] }
        let moved = moved(unit)
        return entry.descriptor.propertyConditions.compactMap { condition in
            guard unit.properties[condition.property] != nil, !moved.contains(condition.parameter),
                let spec = entry.parameters.first(where: { $0.name == condition.parameter })
            else { return nil }
            let choice = spec.text(unit.values[spec.name]?.first ?? spec.initial)
            return choice == condition.choice
                ? nil
                : "its \(condition.property) are not used while \(spec.name) is \(choice); "
                    + "say \(spec.name): \(condition.choice)"
        }
    }

    private func hearing(_ unit: PatchUnit) -> [String] {
        guard let descriptor = descriptor(unit) else { return [] }
        let leadsOn = (patch.outputs + patch.connections.map(\.from)).contains { $0.unit == unit.name }
        let isFed = (patch.inputs + patch.connections.map(\.to)).contains { $0.unit == unit.name }
        let isPlayed = descriptor.acceptsMusic && descriptor.inputs.isEmpty
        if !descriptor.outputs.isEmpty, !leadsOn {
            return ["it is connected to nothing and not heard; connect it, or remove it"]
        }
        if !descriptor.inputs.isEmpty, !descriptor.acceptsMusic, !isFed {
            return ["nothing is connected to it; connect something to it, or remove it"]
        }
        if descriptor.isMIDIUnit, !playsSomething(unit.name) {
            return ["no instrument hears it: what it is connected to plays no notes; connect it to an instrument"]
        }
        if isPlayed, !isFed, patch.heardParts(of: unit).isEmpty {
            return [
                descriptor.isMIDIUnit
                    ? "it hears no part and plays nothing; set role: midi, which hears all of them, or parts: 1-16"
                    : "it hears no part and plays nothing; give it some: parts: 1-16"
            ]
        }
        if isPlayed, !isFed, !patch.zones.isEmpty,
            patch.zones.allSatisfy({ $0.unit != nil ? $0.unit != unit.name : $0.output != nil })
        {
            return ["no zone plays it: songs do, keyboards do not"]
        }
        let parts = unit.parts.isEmpty || isFed ? Array(0..<16) : unit.parts.sorted
        return isPlayed ? unheard(parts, of: unit, descriptor) : []
    }

    /// Returns true if an instrument receives a MIDI unit, through others or not.
    private func playsSomething(_ name: String) -> Bool {
        var seen: Set<String> = [name], left = [name]
        while let next = left.popLast() {
            for edge in patch.connections where edge.from.unit == next && seen.insert(edge.to.unit).inserted {
                guard let unit = patch[unit: edge.to.unit], let descriptor = descriptor(unit) else { return true }
                if descriptor.isMIDIUnit { left.append(unit.name) } else if descriptor.acceptsMusic { return true }
            }
        }
        return false
    }

    /// Finds parts of an instrument with a bus for each channel that no connection leads on.
    private func unheard(_ parts: [Int], of unit: PatchUnit, _ descriptor: UnitDescriptor) -> [String] {
        let joined = patch.joiningChannels { self.descriptor($0) }
        let led = Set((joined.outputs + joined.connections.map(\.from)).filter { $0.unit == unit.name }.map(\.bus))
        let lost = parts.filter { part in
            descriptor.outputs.indices.contains(part % 16) && descriptor.outputs[part % 16].name == "channel-\(part % 16 + 1)"
                && !led.contains(part % 16)
        }
        guard let first = lost.first else { return [] }
        let bus = "\(unit.name)[channel-\(first % 16 + 1)]"
        return lost.count == 1
            ? ["its part \(first + 1) sounds on the bus \(bus), which is connected to nothing; connect it"]
            : [
                "its parts \(PartList(lost)) each sound on a bus of their own, such as \(bus), which are connected to nothing; "
                    + "connect them, or lead \(unit.name) alone to a mixer: without brackets it is all of them"
            ]
    }

    private func advice(_ zone: Zone, _ index: Int) -> [String] {
        var remarks: [String] = []
        if zone.unit == nil, zone.output == nil {
            let isHeard = patch.units.contains { unit in
                if descriptor(unit)?.acceptsMusic != true { return false }
                return !patch.heardParts(of: unit).parts.isDisjoint(with: zone.playedChannels)
            }
            if !isHeard { remarks.append("it names no unit, and no unit hears its channels; add unit: NAME") }
        }
        if let name = zone.unit, let unit = patch[unit: name], let descriptor = descriptor(unit), !descriptor.acceptsMusic {
            remarks.append("\(name) plays no notes; name an instrument")
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
        if let key = scene.key.flatMap({ UInt8(exactly: $0) }),
            let zone = patch.zones.first(where: { $0.keys.keys.contains(key) })
        {
            remarks.append("its key \(KeySpan.name(of: key)) lies in \(zone.name), where it no longer plays")
        }
        if let number = scene.controller, let control = Self.control(number) {
            remarks.append(
                "controller \(number) is \(control), which no longer reaches any unit; foot switches have 80-83 for this")
        }
        return remarks
    }
}

extension Zone {
    /// Returns true if the two are neighbours that share one key at their ends, most likely by mistake: layers share more.
    fileprivate func sharesOneKey(with other: Zone) -> Bool {
        guard keyboard == nil || other.keyboard == nil || keyboard == other.keyboard, PartList.meet(channels, other.channels),
            softest <= other.hardest, other.softest <= hardest
        else { return false }
        let own = keys.keys, others = other.keys.keys
        return own.clamped(to: others).count == 1 && own.overlaps(others) && own.count > 1 && others.count > 1
    }
}

extension PartList {
    /// Returns whether two lists of channels have one in common; an empty list means all.
    fileprivate static func meet(_ a: PartList, _ b: PartList) -> Bool {
        a.isEmpty || b.isEmpty || a.sorted.contains { b.parts.contains($0) }
    }
}
