import RealtimeCore
import Reports
import Sequencer
import SongFiles
import SoundFonts

extension SongInspection: Fielded {
    /// The facts in the object of `carillon inspect --json`, and the columns of its table, in the order of these.
    package static let fields: [Field<SongInspection>] = [
        Field("song", \.song, column: "song", "The file, as it was named."),
        Field("bytes", \.bytes, in: "bytes", "Its length."),
        Field("container", \.container.rawValue, "`SMF`, or `RMID` inside a RIFF file."),
        Field("format", { Int($0.format.rawValue) }, "0, 1 or 2."),
        .group(
            "division", "The length of a tick.",
            [
                Field("ticksPerQuarter", \.division.ticksPerQuarter, "Ticks of a quarter note."),
                Field("ticksPerFrame", \.division.smpte?.ticks, "In an SMPTE division, ticks of a film frame."),
                Field("framesPerSecond", \.division.smpte?.rate, "Its film frames in a second."),
            ]),
        Field("title", \.notation.title, column: "title", "That of a karaoke header, or the first track's name."),
        Field("duration", \.duration, in: "seconds", to: 1, column: "seconds", "The time to the song's end."),
        Field("bars", \.notation.bars, column: "bars", "The bars; none in an SMPTE division."),
        Field(column: "tempo", to: 0, \.notation.tempos.first?.beatsPerMinute),
        Field("tempoChanges", \.tempoChanges, "The changes of tempo."),
        .list(
            "tempos", \.notation.tempos, "The tempos; none in an SMPTE division.",
            [time(\.time), bar(\.bar), Field("beatsPerMinute", \.beatsPerMinute, "Quarter notes a minute.")]),
        .list(
            "timeSignatures", \.notation.timeSignatures, "The time signatures; 4/4 if the song gives none.",
            [
                time(\.time), bar(\.bar), Field("numerator", \.numerator, "Its upper number."),
                Field("denominator", \.denominator, "Its lower number."),
            ]),
        .list(
            "keys", \.notation.keys, "The key signatures.",
            [
                time(\.time), bar(\.bar), Field("key", \.key, "`E flat major`."),
                Field("sharps", \.sharps, "Its sharps; flats are negative."), Field("isMinor", \.isMinor, "True in minor."),
            ]),
        .list("markers", \.notation.markers, "The markers.", line),
        .list("lyrics", \.notation.lyrics, "The lyrics by line, at their first syllables.", line),
        .list(
            "texts", \.notation.texts, "The other texts.",
            [
                time(\.time), Field("track", \.track, "Its track, from 1."),
                Field("kind", \.kind, "`text`, `copyright`, `instrument`, `cue`, `program` or `device`."),
                Field("text", \.text, "The text."),
            ]),
        .group(
            "loop", "The part that the song itself asks to be looped.",
            [
                Field("start", { $0.loop.map { seconds(SampleTime($0.frames.lowerBound)) } }, in: "seconds", "Its start."),
                Field("end", { $0.loop.map { seconds(SampleTime($0.frames.upperBound)) } }, in: "seconds", "Its end."),
                Field(
                    "custom", \.loop?.custom.rawValue,
                    "The custom that it follows: `markers`, `emidi`, `xmidi`, `hmi`, `rpg-maker`, `zun`."),
                Field("once", \.loop?.playsOnce, "True if its place at the song's end says that the song plays once."),
            ]),
        Field(column: "tracks", \.tracks.count),
        .list(
            "tracks", \.tracks, "The tracks of the file.",
            [
                Field("name", \.name, "Its name."), port(\.port), Field("events", \.events, "Its events."),
                Field(
                    "reading", { $0.reading.repairOffset == nil ? "as it stands" : "recovered" },
                    "`as it stands`, or `recovered`."),
                Field("recoveredFrom", \.reading.repairOffset, "The offset of its first repair, in bytes."),
            ]),
        Field(column: "channels") { $0.summary.parts.count { $0.noteCount > 0 } },
        .list(
            "parts", \.summary.parts, "The channels with messages.",
            [
                port(\.port), Field("channel", { Int($0.channel) + 1 }, "1 to 16."),
                Field("notes", \.noteCount, "Its notes."), Field("polyphony", \.peakPolyphony, "Its most keys down at once."),
                .list(
                    "programs", \.presets, "The presets that it asks for.",
                    [
                        Field("bankMSB", \.bankMSB, "The bank's upper byte."),
                        Field("bankLSB", \.bankLSB, "The bank's lower byte."), Field("program", \.program, "From 0."),
                        Field("isDrums", \.isDrums, "True for drums."),
                    ]),
            ]),
        Field("notes", \.summary.noteCount, column: "notes", "The notes."),
        Field("peakPolyphony", \.summary.peakPolyphony, column: "at-once", "The most keys down at once."),
        Field("unendedNotes", \.summary.unendedNotes, "Notes without an end."),
        .list(
            "resets", \.summary.resets, "The System Exclusive resets.",
            [
                time { seconds($0.time) }, Field("standard", { "\($0.standard)" }, "`GM`, `GM2`, `GS` or `XG`."),
                port(\.port),
            ]),
        Field("soundFonts", \.soundFonts, SongFacts.soundFonts),
        Field("soundFontOrigin", { "\($0.soundFontOrigin)" }, SongFacts.soundFontOrigin),
        SongFacts.bank(\.bank),
        Field("bankFault", \.bankFault, "The reason why the SoundFont in the song is not played."),
        .list(
            "presets", \.presets, "The presets that the notes need.",
            [
                port(\.port), Field("asked", \.asked, "`bank 0 program 40`, `drum kit 0`."),
                .group("found", "The one that plays; none: it is silent.", SongFacts.preset.map { $0.of(optional: \.found) }),
                Field("substitution", \.substitution, "The reason why it is another one."),
            ]),
        Field(column: "substituted") { $0.presets.count { $0.substitution != nil } },
        SongFacts.repairs(\.repairs),
        Field("repairCount", \.repairCount, column: "repairs", SongFacts.repairCount),
        .list(
            "remarks", \.remarks, "What is not as asked, as far as it is known without rendering: <doc:Remarks>.", Remark.fields),
        Field(column: "not-followed") { $0.remarks.count { $0.kind == .notFollowed } },
        Field(column: "missing") { $0.remarks.count { $0.kind == .missing } },
        .list(
            "notSound", \.notSound, "Messages of which nothing would be heard.",
            [
                Field("name", \.name, "Its name."), Field("address", \.address, "Its address in hexadecimal, or empty."),
                Field("count", \.count, "Their number."),
            ]),
        Field("measured", \.measurement, "The song rendered at its own level, if it was measured."),
    ]

    private static let line: [Field<SongNotation.Line>] = [time(\.time), bar(\.bar), Field("text", \.text, "The text.")]

    private static func time<Item>(_ read: @escaping @Sendable (Item) -> Double) -> Field<Item> {
        Field("time", read, in: "seconds", "Its time from the song's start.")
    }

    private static func bar<Item>(_ read: @escaping @Sendable (Item) -> Int64?) -> Field<Item> {
        Field("bar", read, "Its bar, from 1.")
    }

    private static func port<Item>(_ read: @escaping @Sendable (Item) -> some FieldConvertible) -> Field<Item> {
        Field("port", read, "Its port, from 0.")
    }
}

/// Facts of a song that a render reports too.
package enum SongFacts {
    package static let soundFonts =
        "The files that play the song, in the order named: a later one has priority. `embedded` is Carillon's own."
    package static let soundFontOrigin =
        "How they were chosen: `named`, `environment`, `system` (its default, if that is no known one), `installed` (the best known one) or `embedded`."
    package static let repairCount = "The number of repairs, beyond the list too."

    static let preset: [Field<SoundFontFile.Preset>] = [
        Field("bank", \.bank, "0 to 127, 128 for drum kits."), Field("program", \.program, "From 0."),
        Field("name", \.name, "Its name."),
    ]

    private static let bank: [Field<SongBank>] = [
        Field("title", \.title, "Its title."), Field("format", \.format.rawValue, "Its format."),
        Field("bytes", \.byteCount, "Its length in the song."),
        Field("bankOffset", \.source.bankOffset, "How many banks the song moves it up."),
        .list("presets", \.presets, "Its presets, with its own numbers.", preset),
    ]

    package static func bank<Owner>(_ read: @escaping @Sendable (Owner) -> SongBank?) -> Field<Owner> {
        .group("bank", "The SoundFont in the song, if it is played.", bank.map { $0.of(optional: read) })
    }

    package static func repairs<Owner>(_ read: @escaping @Sendable (Owner) -> [SongRepair]) -> Field<Owner> {
        .list(
            "repairs", read, "The repairs, the first 1000.",
            [
                Field("byteOffset", \.byteOffset, "Its place in the file."), Field("fault", { "\($0.fault)" }, "The fault."),
                Field("remedy", \.fault.remedy, "What was done."),
            ])
    }
}

extension TrackReading {
    fileprivate var repairOffset: Int? {
        if case .recovered(let byteOffset) = self { byteOffset } else { nil }
    }
}

extension Division {
    fileprivate var ticksPerQuarter: Int? {
        if case .ticksPerQuarter(let ticks) = self { ticks } else { nil }
    }

    fileprivate var smpte: (rate: Double, ticks: Int)? {
        guard case .smpte(let rate, let ticks) = self else { return nil }
        let film = rate.framesPerSecond
        return (Double(film.numerator) / Double(film.denominator), ticks)
    }
}
