import MIDI
import Reports
import Sequencer

/// The rule that says to which stem an input of the mixer belongs.
struct StemDivision {
    /// A stem that inputs belong to: those of one key are added up.
    struct Place {
        let key: String
        let order: Int
        let name: String
    }

    private let division: StemChoice.Division
    private let sounds: PartSounds
    private let names: SoundNames
    /// The tracks that play each part, counted from 1, and the names of all.
    private var tracks: [Int: [Int]] = [:]
    private var trackNames: [String] = []
    /// Channels that play sounds of several families.
    private(set) var remarks: [Remark] = []

    /// - Parameter track: the only one that is played, from 1; nil means all are.
    init(_ division: StemChoice.Division, _ song: Song, _ sounds: PartSounds, _ names: SoundNames, track: Int?) {
        (self.division, self.sounds, self.names) = (division, sounds, names)
        if division != .track { return }
        trackNames = song.tracks.map(\.name)
        for (index, content) in song.tracks.enumerated() where track == nil || track == index + 1 {
            var port = content.port & 15, parts: Set<Int> = []
            for event in content.events {
                switch event.kind {
                case .port(let next): port = next & 15
                case .message(let message) where message.beginsNote: parts.insert(Int(port) * 16 + Int(message.channel))
                default: break
                }
            }
            for part in parts { tracks[part, default: []].append(index + 1) }
        }
    }

    /// The stem of an input. Throws `option` with the reason if there is none.
    mutating func place(of input: StemInputs.Input) throws(Fault) -> Place {
        let parts = input.parts.sorted()
        // An input that no note of the song reaches is a stem by itself.
        if parts.isEmpty || division == .channel { return Place(key: "input \(input.number)", order: .max, name: name(input)) }
        switch division {
        case .channel: return Place(key: "input \(input.number)", order: .max, name: name(input))
        case .group: return group(input, parts)
        case .track: return try track(input, parts)
        case .instrument: return try instrument(input, parts)
        }
    }

    /// An input of one part is named by its sound, any other by the unit that leads to it.
    private func name(_ input: StemInputs.Input) -> String {
        if input.parts.count == 1, let part = input.parts.first {
            let sound = sounds.main(part).flatMap(names.sound)?.name.trimmed
            if let sound, !sound.isEmpty { return sound }
            if sounds.main(part)?.isDrums == true { return "Drums" }
        }
        if input.instruments.count == 1, input.strips.count < 2 { return input.instruments[0] }
        return input.lead
    }

    private mutating func group(_ input: StemInputs.Input, _ parts: [Int]) -> Place {
        for part in parts {
            let families = Set(sounds[part].map { InstrumentFamily.place(of: $0.request) })
            guard families.count > 1, let main = sounds.main(part) else { continue }
            let others = families.subtracting([InstrumentFamily.place(of: main)]).sorted().map { InstrumentFamily.names[$0] }
            remarks.append(
                Remark(
                    .substituted, "channel \(part + 1)",
                    "it plays \(others.joined(separator: ", ")) too, and is in the stem "
                        + "\(InstrumentFamily.names[InstrumentFamily.place(of: main)]), which most of its notes are for"))
        }
        let families = Set(parts.compactMap { sounds.main($0).map(InstrumentFamily.place) })
        // Channels that the patch has added up already are a group that it has made.
        guard families.count == 1, let family = families.first else {
            return Place(key: "input \(input.number)", order: InstrumentFamily.names.count, name: name(input))
        }
        return Place(key: "family \(family)", order: family, name: InstrumentFamily.names[family])
    }

    private func track(_ input: StemInputs.Input, _ parts: [Int]) throws(Fault) -> Place {
        for part in parts {
            let owners = tracks[part] ?? []
            if owners.count > 1 {
                throw refused(
                    "channel \(part + 1) is played by \(Self.list("track", owners.map(title))); choose channel or group")
            }
        }
        let owners = Set(parts.compactMap { tracks[$0]?.first }).sorted()
        guard owners.count == 1, let owner = owners.first else {
            throw refused(
                "\(input.lead) adds channels of \(Self.list("track", owners.map(title))) up before the mixer; choose channel")
        }
        let name = trackNames[owner - 1].trimmed
        return Place(key: "track \(owner)", order: owner, name: name.isEmpty ? "Track \(owner)" : name)
    }

    private func instrument(_ input: StemInputs.Input, _ parts: [Int]) throws(Fault) -> Place {
        for part in parts where Set(sounds[part].map { sound($0.request).key }).count > 1 {
            let played = sounds[part].map { sound($0.request).name }
            throw refused("channel \(part + 1) plays \(Self.list("", played)); choose channel or group")
        }
        let all = parts.compactMap { sounds.main($0) }.map(sound), keys = Set(all.map(\.key))
        guard keys.count == 1, let sound = all.first else {
            throw refused(
                "\(input.lead) adds \(Self.list("", all.map(\.name))) up before the mixer; choose channel")
        }
        return Place(key: "sound \(sound.key)", order: 0, name: sound.name)
    }

    private func sound(_ request: PresetRequest) -> (key: Int, name: String) {
        if let sound = names.sound(request) {
            let name = sound.name.trimmed
            if !name.isEmpty { return (sound.bank * 128 + sound.program, name) }
        }
        return (Int(request.code), request.isDrums ? "Drums \(request.program + 1)" : "Program \(request.program + 1)")
    }

    private func title(_ track: Int) -> String {
        let name = trackNames[track - 1].trimmed
        return name.isEmpty ? "\(track)" : "\(track) (\(name))"
    }

    /// Several things in one sentence: `tracks 2 and 3`.
    private static func list(_ noun: String, _ names: [String]) -> String {
        var distinct: [String] = []
        for name in names where !distinct.contains(name) { distinct.append(name) }
        let all =
            distinct.count < 2
            ? distinct.joined() : distinct.dropLast().joined(separator: ", ") + " and " + distinct[distinct.count - 1]
        return noun.isEmpty ? all : "\(noun)\(distinct.count == 1 ? "" : "s") \(all)"
    }

    private func refused(_ reason: String) -> Fault { .option(name: "stems", value: division.rawValue, remedy: reason) }
}

extension String {
    /// The text without white space and control characters at its ends.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar.value < 32 }
        guard let first = scalars.firstIndex(where: { !isBlank($0) }), let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[first...last])
    }
}
