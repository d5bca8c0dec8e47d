import Carillon
import Patches

extension Patch {
    /// The zones of the patch that play external devices, and the devices that get its beat: one line each.
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
