import Carillon

extension Patch {
    /// The parts of the patch that play out, and what gets its beat, for a person: a line each.
    var outside: [String] {
        let zones = zones.compactMap { zone in
            zone.output.map { output in
                let channel = zone.channel.map { "channel \($0)" } ?? "the keyboard's channel"
                return "zone \(zone.name)" + (zone.unit.map { ": unit \($0) and" } ?? ":")
                    + " MIDI port \(output), \(channel)"
            }
        }
        return zones + clock.map { "beat: MIDI port \($0)" }
    }
}
