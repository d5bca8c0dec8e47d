import MIDI
import Patches
import Reports
import Units

/// The channels of a song that are heard, and the programs that they play; counted from 0 over all ports, as parts are.
public struct ChannelChoice: Hashable, Sendable {
    /// Channels whose strips are muted.
    public var muted = PartList()
    /// Channels whose strips are soloed: if there are any, nothing else is heard.
    public var soloed = PartList()
    /// The only channels whose notes are played at all; nil means all. No instrument renders anything for the others.
    public var only: PartList?

    /// The preset that a channel plays throughout: its own banks and programs, and messages that make it a drum part or a
    /// melodic one, are left out. If the song has chosen General MIDI, which has no banks, it is that program of bank 0.
    public var programs: [Int: PresetRequest] = [:]

    /// All channels, with the sounds of the song.
    public init() {}

    /// Parts, 0...255, whose notes are not played.
    var silent: Set<Int> { only.map { only in Set(0..<256).subtracting(only.parts) } ?? [] }

    func set(_ strip: inout PatchUnit, of part: Int) {
        if muted.parts.contains(part) { strip.values[ChannelStrip.Parameter.mute.spec.name] = [1] }
        if soloed.parts.contains(part) { strip.values[ChannelStrip.Parameter.solo.spec.name] = [1] }
    }

    /// Sets the switches of the strips of a patch that was given. - Throws: `option` for a channel without a strip.
    func set(_ patch: inout Patch) throws(Fault) {
        if muted.isEmpty, soloed.isEmpty { return }
        var found = PartList()
        for (name, part) in patch.strips {
            guard let index = patch.units.firstIndex(where: { $0.name == name }),
                patch.units[index].component == ChannelStrip.descriptor.name, (0...255).contains(part)
            else { continue }
            found.insert(part)
            set(&patch.units[index], of: part)
        }
        let known = found.isEmpty ? "the patch has no strips" : "the patch has strips for \(found)"
        try refuse(but: found, "\(known); choose only-channel, or set a parameter of the patch")
    }

    /// Refuses switches of channels that have no strips of their own.
    func refuse(but strips: PartList = PartList(), _ remedy: String) throws(Fault) {
        for (name, list) in [("mute", muted), ("solo", soloed)] {
            let missing = PartList(list.parts.subtracting(strips.parts))
            if !missing.isEmpty { throw .option(name: name, value: "\(missing)", remedy: remedy) }
        }
    }
}
