import UnitAPI

/// Instruments with a bus for each channel, as those of SoundFonts are, in a patch with nothing nested.
extension Patch {
    /// Returns the patch with explicit connections for the plain names of instruments that have a bus for each channel. An
    /// instrument that is connected by its plain name alone sounds there with every channel that it receives. As soon as a
    /// connection names the bus of another channel, each channel sounds where its own bus leads, and the plain name is the
    /// first.
    ///
    /// The sends of channels to effects by buses of their own follow in the same way. The patch has one output bus: that of
    /// the first channel, or of the only one that the instrument receives.
    ///
    /// - Parameter descriptor: the declaration of a unit; nil if it is unknown.
    public func joiningChannels(_ descriptor: (PatchUnit) -> UnitDescriptor?) -> Patch {
        var joined = self
        for unit in units {
            guard let buses = descriptor(unit)?.outputs, let count = Self.channelCount(buses) else { continue }
            let ends = connections.filter { $0.from.unit == unit.name }
            let used = Set((ends.map(\.from) + outputs).filter { $0.unit == unit.name }.map(\.bus))
            if used.contains(where: { (1..<count).contains($0) }) { continue }
            let heard = channels(of: unit), channels = heard.filter { $0 > 0 && $0 < count }
            if heard.count == 1, let channel = channels.first {
                joined.outputs = joined.outputs.map { $0 == PatchPort(unit.name) ? PatchPort(unit.name, channel) : $0 }
            }
            for end in ends where end.from.bus % count == 0 {
                // A send of another channel that has a place is explicit.
                if used.contains(where: { $0 / count == end.from.bus / count && $0 % count != 0 }) { continue }
                for channel in channels where end.from.bus + channel < buses.count {
                    joined.connections.append(PatchConnection(PatchPort(unit.name, end.from.bus + channel), to: end.to))
                }
            }
        }
        return joined
    }

    /// The channels on which a unit plays, from 0: those of its parts, and all if MIDI units may play it on any.
    func channels(of unit: PatchUnit) -> [Int] {
        let isLedTo = inputs.contains { $0.unit == unit.name } || connections.contains { $0.to.unit == unit.name }
        return isLedTo ? Array(0..<16) : Set(heardParts(of: unit).parts.map { $0 % 16 }).sorted()
    }

    /// Returns the number of channels that have a bus of their own, the first ones; nil if channels share one.
    public static func channelCount(_ buses: [UnitDescriptor.Bus]) -> Int? {
        let count = buses.indices.prefix { buses[$0].name == "channel-\($0 + 1)" }.count
        return count > 1 ? count : nil
    }
}
