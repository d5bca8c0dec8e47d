/// Parts that the same several units receive, and which of these units each zone plays there.
package struct SharedParts: Hashable, Sendable, CustomStringConvertible {
    /// A zone on these parts.
    package struct Player: Hashable, Sendable {
        /// The name.
        package let zone: String
        /// The units that it plays: the one that it names, else all that receive the part.
        package let units: [String]
    }

    /// The parts, as songs play them, and keyboards if there are no zones.
    package let parts: PartList
    /// The units that receive them, in the patch's order: two at least.
    package let units: [String]
    /// The zones that play there, in the patch's order.
    package let zones: [Player]

    package var description: String {
        func list(_ words: [String]) -> String {
            words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
        }
        let place = parts.parts.count == 1 ? "part \(parts) is" : "parts \(parts) are"
        let players = zones.map { zone in
            "; zone \(zone.zone) plays \(list(zone.units))" + (zone.units.count == 1 ? " alone" : ", since it names no unit")
        }
        return "\(place) heard by \(list(units))" + players.joined()
    }
}

extension Patch {
    /// The parts that several units of the patch, which has nothing nested, receive in common, the first ones first.
    ///
    /// - Parameter isPlayed: whether a unit plays notes; a unit that receives a part only for its controllers is not counted.
    package func sharedParts(_ isPlayed: (PatchUnit) -> Bool) -> [SharedParts] {
        var listeners = [[String]](repeating: [], count: 256)
        for unit in units where isPlayed(unit) { for part in heardParts(of: unit).parts { listeners[part].append(unit.name) } }
        var groups: [[String]: PartList] = [:], order: [[String]] = []
        for (part, names) in listeners.enumerated() where names.count > 1 {
            if groups[names] == nil { order.append(names) }
            groups[names, default: PartList()].insert(part)
        }
        return order.compactMap { names in
            guard let parts = groups[names] else { return nil }
            let players = zones.compactMap { zone -> SharedParts.Player? in
                if let unit = zone.unit {
                    let isHere = names.contains(unit) && zone.saidPart(in: self).map(parts.parts.contains) == true
                    return isHere ? SharedParts.Player(zone: zone.name, units: [unit]) : nil
                }
                if zone.output != nil || zone.playedChannels.isDisjoint(with: parts.parts) { return nil }
                return SharedParts.Player(zone: zone.name, units: names)
            }
            return SharedParts(parts: parts, units: names, zones: players)
        }
    }
}

extension Zone {
    /// The channels that it plays for all their units, from 0, if it names no unit.
    public var playedChannels: Set<Int> { channel.map { [$0 - 1] } ?? (channels.isEmpty ? Set(0..<16) : channels.parts) }
}
