import Patch

/// The strips through which the zones of a patch are heard, as far as these play parts that their units have of their own.
struct ZoneStrips {
    private var parts: [String: Set<Int>] = [:]

    init(_ song: SongPatch) {
        let routing = song.routing, own = Set(routing.ownParts.values.joined())
        if own.isEmpty { return }
        let flat: Patch
        // A patch that cannot be has no graph, and nobody asks for its strips.
        do { flat = try song.patch.flattened() } catch { return }
        let strips = flat.units.filter { $0.role == .strip }
        for zone in flat.zones {
            guard let unit = zone.unit, let part = routing.part(of: zone), own.contains(part) else { continue }
            let behind = strips.filter { routing.leads(unit, to: $0.name) }
            // One that hears no part is the zone's where no other can be.
            for strip in behind where strip.parts.parts.contains(part) || strip.parts.isEmpty && behind.count == 1 {
                parts[strip.name, default: []].insert(part)
            }
        }
    }

    /// The part that zones play through a strip; nil where they play none, or several.
    func part(through strip: String) -> Int? { parts[strip].flatMap { $0.count == 1 ? $0.first : nil } }
}
