import MIDI
import Patches
import UnitAPI
import Units

/// The insertion effects of the songs: all types that they have, side by side from the start, of which messages open one.
///
/// ```
/// strip-3 -> efx-switch-3 -> mixer                       soundfont -> insertion-1-switch-3 -> strip-3
///                 \-> efx-0110-... -> efx-0110-strip -/                       \-> insertion-1-... -/
/// ```
/// GS's is one for all its parts, with sends of its own; those of XG belong to one part at a time, before its strip.
extension SongPatch {
    /// Leads parts through the insertion effect of GS, after their strips. Returns the units that lead on in place of the strips;
    /// and the strips after the effects, with the place in the list of the one part that goes through; nil for several.
    mutating func addRolandInsertions(_ strips: [String], _ parts: [Int]) throws(ParameterError) -> (
        ways: [String], returns: [(strip: String, place: Int?)]
    ) {
        var ways = strips, returns: [(strip: String, place: Int?)] = []
        for port in Set(parts.map { $0 / 16 }).sorted() {
            guard let (types, inserted) = effects.insertions.slot(0, port: port, among: parts) else { continue }
            // Several parts share an effect; it is one part's alone if no other ever goes through it.
            let only = inserted.count == 1 ? parts.firstIndex(of: inserted[0]) : nil
            let name = port == 0 ? "efx" : "efx-\(port + 1)", role: UnitRole? = only == nil ? .send : nil
            var forks: [PatchPort] = []
            for (place, part) in parts.enumerated() where inserted.contains(part) {
                let fork = addSwitch("\(name)-switch-\(part + 1)", slot: 0, part)
                for bus in 0..<4 { connect(strips[place], output: bus, to: fork, input: bus) }
                forks.append(PatchPort(fork, 4))
                ways[place] = fork
            }
            for type in types {
                returns.append(
                    (addType(type, isOnly: types.count == 1, slot: 0, port: port, name: name, role: role, after: forks), only))
            }
        }
        return (ways, returns)
    }

    /// Leads a part from `source` through its insertions of XG. Returns the ports that lead on.
    mutating func addYamahaInsertions(_ part: Int, after source: PatchPort) -> [PatchPort] {
        var ports = [source]
        for (slot, title) in [(1, "insertion-1"), (2, "insertion-2"), (3, "insertion-3"), (4, "insertion-4"), (5, "variation")] {
            guard let (types, _) = effects.insertions.slot(slot, port: part / 16, among: [part]) else { continue }
            let fork = addSwitch("\(title)-switch-\(part + 1)", slot: UInt8(slot), part)
            for port in ports { connect(port.unit, output: port.bus, to: fork) }
            ports = [PatchPort(fork)]
            for type in types {
                let name = "\(title)-part-\(part + 1)"
                ports.append(
                    PatchPort(
                        addType(
                            type, isOnly: types.count == 1, slot: UInt8(slot), port: part / 16, name: name, role: nil,
                            after: [PatchPort(fork, 4)])))
            }
        }
        return ports
    }

    /// XG's variation as an effect that the parts of a port send to. Returns the strips through which it comes back.
    mutating func addVariations(_ ways: [String], _ parts: [Int]) -> [String] {
        Set(parts.map { $0 / 16 }).sorted().compactMap { port in
            let types = effects.insertions.variation(port: port), name = port == 0 ? "variation" : "variation-\(port + 1)"
            if types.subtracting([0]).isEmpty { return nil }
            let sources = parts.indices.filter { parts[$0] / 16 == port }.map { PatchPort(ways[$0], 3) }
            let strips = types.subtracting([0]).sorted().map {
                addType($0, isOnly: types.count == 1, isWet: true, slot: 5, port: port, name: name, role: .send, after: sources)
            }
            let back = add(ChannelStrip.descriptor.name, name, InsertionLink(slot: 5, .system), port: port, .send)
            let values: [ChannelStrip.Parameter: Float] = [.mute: 1, .reverbSend: 0]
            for (parameter, value) in values { patch.units[patch.units.count - 1].values[parameter.spec.name] = [value] }
            for strip in strips { connect(strip, to: back) }
            return back
        }
    }

    private mutating func addSwitch(_ name: String, slot: UInt8, _ part: Int) -> String {
        add(InsertionSwitch.descriptor.name, name, InsertionLink(slot: slot, .part(UInt8(part % 16))), port: part / 16, nil)
    }

    /// The units of a type in a row, and the strip after them; one before them if it is not the slot's only type. Returns the
    /// last strip.
    private mutating func addType(
        _ number: Int, isOnly: Bool, isWet: Bool = false, slot: UInt8, port: Int, name: String, role: UnitRole?,
        after sources: [PatchPort]
    ) -> String {
        let type = InsertionType.all[number]
        let prefix = "\(name)-\(number < InsertionType.roland.count ? "" : "xg-")\(type.address.lowercased())"
        var sources = sources
        let strip = ChannelStrip.descriptor.name
        for (place, component) in ([strip] + type.units + [strip]).enumerated() where place > 0 || !isOnly {
            let title = place == 0 ? "gate" : place > type.units.count ? "strip" : component
            let link = InsertionLink(slot: slot, .unit(place - 1, ofType: number, isWet: isWet))
            let unit = add(component, "\(prefix)-\(title)", link, port: port, role)
            for source in sources { connect(source.unit, output: source.bus, to: unit) }
            sources = [PatchPort(unit)]
            if isWet, type.settings.contains(where: { $0.unit == place - 1 && $0.parameter == "mix" }) {
                patch.units[patch.units.count - 1].values["mix"] = [100]
            }
            if place == 0, number > 0 { patch.units[patch.units.count - 1].values[ChannelStrip.Parameter.mute.spec.name] = [1] }
        }
        return sources[0].unit
    }

    private mutating func add(
        _ component: String, _ name: String, _ link: InsertionLink, port: Int, _ role: UnitRole?
    ) -> String {
        var unit = PatchUnit(name, component, role: role)
        unit.parts = PartList(port * 16..<port * 16 + 16)
        unit.properties[InsertionLink.property] = .text(link.text)
        patch.units.append(unit)
        return name
    }
}
