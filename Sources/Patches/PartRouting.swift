/// The units that receive each part of a patch, and the part that each of its zones plays. Users need not count parts: a zone
/// that names a unit plays that unit and no other.
///
/// - If only the zone's unit and the units after it (its strip, say) receive the part, the zone plays that part.
/// - If another unit receives it too, the zone plays a part of the unit's own: the same channel of a port that no unit names
///   (else of one whose channel no unit names), counted from the last one down, so that it is none of a song's. Units after
///   the unit that receive the part receive this one too, and units that name no parts leave that port alone.
///
/// It is the routing of a patch as its file has it: in `Patch.hearing` parts of their own count among those that units name.
package struct PartRouting: Sendable {
    /// Ports that may belong to units of zones: all but the first.
    package static let mostPorts = 15

    /// The part of each zone that names a unit, by the zone's name.
    private var zones: [String: Int] = [:]
    /// The units' own parts for a part of the patch, in order: music on that part for all its units reaches these on their
    /// own parts.
    package private(set) var ownParts: [Int: [Int]] = [:]
    /// The first zone with a unit for which no port is left.
    private(set) var crowded: String?

    /// Units that receive all parts, since they name none.
    private let open: Set<String>
    /// Units that MIDI units lead to: they play notes, at any place.
    private let led: Set<String>
    private let followers: [String: [String]]
    private let units: [PatchUnit]
    /// The unit that has a port to itself.
    private var owners: [Int: String] = [:]
    /// Own parts of units, and of the units after them, besides those that they name.
    private var added: [String: Set<Int>] = [:]

    /// The routing of `patch`, which has nothing nested.
    package init(_ patch: Patch) {
        let fed = Set(patch.inputs.map(\.unit)).union(patch.connections.map(\.to.unit))
        let players = Set(patch.units.filter { $0.role == .midi }.map(\.name))
        open = Set(patch.units.filter { $0.parts.isEmpty && $0.role?.isPlayed == true && !fed.contains($0.name) }.map(\.name))
        led = Set(patch.connections.filter { players.contains($0.from.unit) }.map(\.to.unit))
        units = patch.units
        let named = patch.zones.filter { $0.unit != nil }
        followers =
            named.isEmpty ? [:] : Dictionary(grouping: patch.connections, by: \.from.unit).mapValues { $0.map(\.to.unit) }
        var known: [String: [Int: Int]] = [:]
        for zone in named {
            guard let unit = zone.unit.flatMap({ patch[unit: $0] }), let said = zone.saidPart(in: patch) else { continue }
            let part: Int
            if let found = known[unit.name]?[said] {
                part = found
            } else if let found = self.part(of: unit, said) {
                part = found
                known[unit.name, default: [:]][said] = part
                if part != said { ownParts[said, default: []].append(part) }
            } else {
                crowded = zone.name
                return
            }
            zones[zone.name] = part
        }
    }

    /// The routing of a patch with others inside; empty for a faulty one: applying the patch reports the fault.
    package init(of patch: Patch) {
        let flat: Patch
        do { flat = try patch.flattened() } catch { flat = Patch() }
        self.init(flat)
    }

    /// The part that a zone of the patch plays, numbered from 0; nil if the keyboard's own channel counts.
    package func part(of zone: Zone) -> Int? { zone.unit == nil ? zone.channel.map { $0 - 1 } : zones[zone.name] }

    /// The parts that a unit of the patch receives.
    package func parts(of unit: PatchUnit) -> PartList {
        if !open.contains(unit.name) { return PartList(unit.parts.parts.union(added[unit.name] ?? [])) }
        return PartList((0..<256).filter { hears(unit, $0) })
    }

    /// Returns true if the output of a unit passes through another one.
    package func leads(_ unit: String, to other: String) -> Bool { behind(unit).contains(other) }

    private func hears(_ unit: PatchUnit, _ part: Int) -> Bool {
        if open.contains(unit.name) { return owners[part / 16].map { $0 == unit.name } ?? true }
        return unit.parts.parts.contains(part) || added[unit.name]?.contains(part) == true
    }

    /// The part on which a unit is played that is to be played on `said`; nil if no port is left.
    private mutating func part(of unit: PatchUnit, _ said: Int) -> Int? {
        let behind = behind(unit.name)
        // A strip after the unit receives its controllers with it.
        func accompanies(_ other: PatchUnit) -> Bool {
            behind.contains(other.name) && other.role?.isPlayed != true && !led.contains(other.name)
        }
        let others = units.filter { $0.name != unit.name && !accompanies($0) }
        func isItsOwn(_ part: Int) -> Bool { !others.contains { hears($0, part) } }
        if isItsOwn(said) { return said }
        let channel = said % 16
        let part: Int
        if let heard = (1..<16).reversed().first(where: { hears(unit, $0 * 16 + channel) && isItsOwn($0 * 16 + channel) }) {
            part = heard * 16 + channel
        } else {
            let mine = owners.filter { $0.value == unit.name }.keys.sorted().last { isItsOwn($0 * 16 + channel) }
            guard let port = mine ?? freePort(channel) else { return nil }
            part = port * 16 + channel
        }
        // A port that a unit has taken among all that it receives belongs to no other unit.
        if open.contains(unit.name) || !unit.parts.parts.contains(part) { owners[part / 16] = unit.name }
        if !open.contains(unit.name) { added[unit.name, default: []].insert(part) }
        for other in units where accompanies(other) && other.parts.parts.contains(said) {
            added[other.name, default: []].insert(part)
        }
        return part
    }

    /// A port that no unit names; if there is none, one whose channel no unit names.
    private func freePort(_ channel: Int) -> Int? {
        let ports = (1...Self.mostPorts).reversed().filter { owners[$0] == nil }
        let named = units.reduce(into: Set<Int>()) { $0.formUnion($1.parts.parts) }, taken = Set(named.map { $0 / 16 })
        return ports.first { !taken.contains($0) } ?? ports.first { !named.contains($0 * 16 + channel) }
    }

    /// All that a unit leads to, through others or not.
    private func behind(_ unit: String) -> Set<String> {
        var found: Set<String> = [], left = [unit]
        while let next = left.popLast() {
            for follower in followers[next] ?? [] where found.insert(follower).inserted { left.append(follower) }
        }
        return found
    }
}

extension Patch {
    /// Returns the patch with the parts that each of its units receives, those of the patches inside too: an instrument that
    /// names none receives all of them, and a unit that zones name beside others of the same parts has some of its own
    /// (`PartRouting`).
    public func hearing() -> Patch {
        let flat: Patch
        // Applying the patch reports its faults.
        do { flat = try flattened() } catch { return self }
        let routing = PartRouting(flat)
        return hearing(Dictionary(flat.units.map { ($0.name, routing.parts(of: $0)) }) { $1 }, prefix: "")
    }

    private func hearing(_ parts: [String: PartList], prefix: String) -> Patch {
        var patch = self
        for index in units.indices { patch.units[index].parts = parts[prefix + units[index].name] ?? units[index].parts }
        patch.patches = patches.map { SubPatch($0.name, $0.patch.hearing(parts, prefix: prefix + $0.name + ".")) }
        return patch
    }
}
