import Patches

/// The strips through which the zones of a patch are heard, if they play parts that belong to one unit alone.
struct ZoneStrips {
    private var parts: [String: Set<Int>] = [:]

    init(_ song: SongPatch) {
        let routing = song.routing, own = Set(routing.ownParts.values.joined())
        if own.isEmpty { return }
        let flat: Patch
        // A patch that cannot be flattened has no graph, so its strips are not needed.
        do { flat = try song.patch.flattened() } catch { return }
        let strips = flat.units.filter { $0.role == .strip }
        for zone in flat.zones {
            guard let unit = zone.unit, let part = routing.part(of: zone), own.contains(part) else { continue }
            let behind = strips.filter { routing.leads(unit, to: $0.name) }
            // A strip that hears no part is the zone's if no other strip follows the unit.
            for strip in behind where strip.parts.parts.contains(part) || strip.parts.isEmpty && behind.count == 1 {
                parts[strip.name, default: []].insert(part)
            }
        }
    }

    /// The part that zones play through a strip; nil if they play none, or several.
    func part(through strip: String) -> Int? { parts[strip].flatMap { $0.count == 1 ? $0.first : nil } }
}
