import SongRendering
import UnitAPI

/// Verbs that ask for something that changes seldom, or is long.
extension Verb {
    static let songSheet = Verb(
        "song", help: "Reports the bars, markers and words of the current song.", "song"
    ) { (songs: SongsPart, _) in songs.sheet }
    static let songNotes = Verb(
        "notes", [.init("FROM", .number(VerbArgument.songTime)), .init("TO", .number(VerbArgument.songTime))],
        help: "Lists the song's notes between two times: start, length, channel, key, velocity.", "notes 0:30 1:00"
    ) { (songs: SongsPart, values) throws(LiveError) in
        let (start, end) = (values.number(0), values.number(1)), most = SongSheet.Passage.mostSeconds
        guard start <= end, end - start <= most else {
            throw .outOfRange(
                name: "notes", value: "\(start) to \(end) s", remedy: "give FROM before TO, at most \(Int(most)) s apart")
        }
        return songs.sheet.passage(from: start, to: end)
    }
    package static let songList = Verb(
        "songs", [.init("TEXT", .name, isOptional: true)],
        help: "Lists the songs that can be requested: all, or those whose titles and playlists have these words.", "songs gavotte"
    ) { (songs: SongsPart, values) in SongList(songs.playlist.items.listed, having: values.optionalText(0)) }
    static let soundList = Verb(
        "sounds", help: "Lists the sounds that channels can have.", "sounds"
    ) { (sounds: SoundsPart, _) in SoundList(sounds: sounds.presets) }
    static let unitList = Verb(
        "parameters", help: "Lists the units in use and their parameters.", "parameters"
    ) { (mix: MixPart, _) in UnitList(parameterEdition: mix.edition, units: mix.units) }
    static let presets = Verb(
        "presets", [.unit], help: "Lists the presets of a unit, yours last.", "presets reverb"
    ) { (mix: MixPart, values) throws(LiveError) in PresetList(presets: try mix.presets(of: values.text(0))) }
    package static let hardware = Verb(
        "volume hardware", help: "Reports the sound card's own volume.", "volume hardware"
    ) { (card: CardPart, _) throws(LiveError) in try card.volume }
}

private struct SoundList: Fielded {
    let sounds: [SoundPreset]

    static let fields: [Field<Self>] = [Field("sounds", \.sounds, "The sounds, drum kits last.")]
}

extension SoundPreset: Fielded {
    package static let fields: [Field<Self>] = [
        Field("bank", \.bank, "The bank, 0 to 127; 128 has the drum kits."),
        Field("program", \.program, "The program, 0 to 127."),
        Field("name", \.name, "The name in the SoundFont."),
        Field("isDrums", \.isDrums, "Whether it is a drum kit."),
    ]
}

private struct PresetList: Fielded {
    let presets: [String]

    static let fields: [Field<Self>] = [Field("presets", \.presets, "The presets' names.")]
}

private struct UnitList: Fielded {
    let parameterEdition: Int
    let units: [SessionUnit]

    static let fields: [Field<Self>] = [
        Field("parameterEdition", \.parameterEdition, "The edition of these values, as in the status."),
        Field("units", \.units, "The units, in the order of the graph."),
    ]
}

extension SessionUnit: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "Its name in the graph."), Field("type", \.type, "The name of its type."),
        Field("parameters", { unit in unit.parameters.map { Movable(unit: unit.name, parameter: $0) } }, "The parameters."),
    ]
}

/// A parameter of a unit as a surface draws it.
private struct Movable: Fielded {
    let unit: String
    let parameter: SessionUnit.Parameter

    private var spec: ParameterSpec { parameter.spec }

    static let fields: [Field<Self>] = [
        Field("name", \.parameter.name, "The name, as in a setting: decay, gain[2]."),
        Field("value", { Double($0.parameter.value) }, "The value that it has or glides to."),
        Field("text", { $0.spec.text($0.parameter.value) }, "The value with its unit."),
        Field("min", { Double($0.spec.range.lowerBound) }, "The lowest value."),
        Field("max", { Double($0.spec.range.upperBound) }, "The highest value."),
        Field("initial", { Double($0.spec.initial(of: $0.parameter.element ?? 0)) }, "The value at the start."),
        Field("unit", { $0.spec.unit.counted }, "The unit that is counted."),
        Field("steps", { $0.spec.unit.names }, "The names of the values."),
        Field("isWhole", { $0.spec.unit.isWhole }, "Whether values are whole numbers."),
        Field("isLogarithmic", { $0.spec.curve == .logarithmic }, "Whether equal turns of a knob are equal ratios."),
        Field("help", \.spec.help, "One sentence."),
        Field("setting", { "\($0.unit).\($0.parameter.name)" }, "The name that set accepts."),
    ]
}

extension ParameterSpec.Unit {
    /// The unit that is counted; nil for bare numbers and names.
    fileprivate var counted: String? {
        switch self {
        case .none, .toggle, .choice: nil
        default: "\(self)"
        }
    }

    /// The names of the values; nil where they have none.
    fileprivate var names: [String]? {
        switch self {
        case .toggle: ["off", "on"]
        case .choice(let names): names
        default: nil
        }
    }

    fileprivate var isWhole: Bool { [.voices, .frames].contains(self) || names != nil }
}

extension SongSheet: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The song's name."),
        Field("length", \.length, "Its length in seconds, at its own tempo, as all times here."),
        Field("bars", \.bars, "When each bar begins."),
        Field("markers", \.markers, "The markers."),
        Field("words", \.words, "The lines that are sung."),
    ]
}

extension SongSheet.Mark: Fielded {
    package static let fields: [Field<Self>] = [
        Field("at", \.at, "Seconds."), Field("text", \.text, "The text."),
    ]
}

extension SongSheet {
    struct Passage: Fielded {
        let from, to: Double
        let isWhole: Bool
        let notes: [Note]

        /// The longest passage of a song in one answer, in seconds.
        static let mostSeconds = 120.0

        static let fields: [Field<Self>] = [
            Field("from", \.from, "Seconds."), Field("to", \.to, "Seconds."),
            Field("isWhole", \.isWhole, "Whether these are all of them."),
            Field("notes", \.notes, "Start and length in seconds, channel, key, velocity of each."),
        ]
    }

    /// Returns the notes between two times, as an answer.
    func passage(from start: Double, to end: Double) -> Passage {
        let (notes, isWhole) = notes(from: start, to: end)
        return Passage(from: start, to: end, isWhole: isWhole, notes: notes)
    }
}

extension SongSheet.Note: FieldConvertible {
    package static var shape: FieldShape { .list(.number) }
    package var fieldValue: FieldValue {
        .list([.number(start), .number(length), .whole(channel), .whole(key), .whole(velocity)])
    }
}

extension CardVolume: Fielded {
    package static let fields: [Field<Self>] = [
        Field("device", \.device, "The device, as it was named."),
        Field("control", \.control, "The control of the card's mixer."),
        Field("decibels", \.decibels, "The volume in decibels, if the card reports it."),
        Field("from", \.range?.lowerBound, "The quietest, in decibels."),
        Field("to", \.range?.upperBound, "The loudest, in decibels."),
        Field("percent", \.percent, "The share of the card's own steps."),
        Field("isMuted", \.isMuted, "Whether the card is muted."),
    ]
}
