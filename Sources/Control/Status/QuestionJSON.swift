import Carillon
import UnitAPI

/// Answers of a session to other questions than how it stands, as lines of JSON. Session's thread.
enum QuestionJSON {
    /// Seconds of a song whose notes are told at once.
    static let mostSeconds = 120.0

    /// The answer; an error's sentence where there is none.
    static func text(_ question: ControlQuestion, _ session: LiveSession?) -> String {
        guard let session else { return "error the house is closed: nothing plays" }
        switch question {
        case .song:
            guard let sheet = session.songSheet else { return noSong }
            return song(sheet).text
        case .notes(let start, let end):
            guard let sheet = session.songSheet else { return noSong }
            guard start <= end, end - start <= mostSeconds else {
                return "error notes: FROM lies before TO, and not more than \(Int(mostSeconds)) s"
            }
            return notes(sheet, start, end).text
        case .sounds: return JSONText.object([("sounds", .array(session.presets.map(sound)))]).text
        case .parameters:
            return JSONText.object([
                ("parameterEdition", .whole(session.snapshot.parameterEdition)), ("units", .array(session.units.map(unit))),
            ]).text
        case .hardwareVolume:
            do throws(LiveError) { return volume(try session.cardVolume).text } catch { return "error \(error)" }
        // The socket's own thread answers these.
        case .log, .health, .prometheus, .openAPI: return "error nobody answers this"
        }
    }

    private static func volume(_ volume: CardVolume) -> JSONText {
        .object([
            ("device", .string(volume.device)), ("control", .string(volume.control)), ("decibels", .number(volume.decibels)),
            ("from", .number(volume.range?.lowerBound)), ("to", .number(volume.range?.upperBound)),
            ("percent", .number(volume.percent)), ("isMuted", volume.isMuted.map { .flag($0) } ?? .null),
        ])
    }

    private static let noSong = "error no song is played"

    private static func song(_ sheet: SongSheet) -> JSONText {
        func marks(_ marks: [SongSheet.Mark]) -> JSONText {
            .array(marks.map { .object([("at", .number($0.at)), ("text", .string($0.text))]) })
        }
        return .object([
            ("name", .string(sheet.name)), ("length", .number(sheet.length)),
            ("bars", .array(sheet.bars.map { .number($0) })), ("markers", marks(sheet.markers)), ("words", marks(sheet.words)),
        ])
    }

    private static func notes(_ sheet: SongSheet, _ start: Double, _ end: Double) -> JSONText {
        let (notes, isWhole) = sheet.notes(from: start, to: end)
        return .object([
            ("from", .number(start)), ("to", .number(end)), ("isWhole", .flag(isWhole)),
            (
                "notes",
                .array(
                    notes.map { note in
                        .array([
                            .number(note.start), .number(note.length), .whole(note.channel), .whole(note.key),
                            .whole(note.velocity),
                        ])
                    })
            ),
        ])
    }

    private static func sound(_ preset: SoundPreset) -> JSONText {
        .object([
            ("bank", .whole(preset.bank)), ("program", .whole(preset.program)), ("name", .string(preset.name)),
            ("isDrums", .flag(preset.isDrums)),
        ])
    }

    private static func unit(_ unit: SessionUnit) -> JSONText {
        .object([
            ("name", .string(unit.name)), ("type", .string(unit.type)),
            (
                "parameters",
                .array(
                    unit.parameters.map { parameter in
                        let spec = parameter.spec, (kind, steps, isWhole) = kind(spec.unit)
                        return .object([
                            ("name", .string(parameter.name)), ("value", .number(Double(parameter.value))),
                            ("text", .string(spec.text(parameter.value))),
                            ("min", .number(Double(spec.range.lowerBound))), ("max", .number(Double(spec.range.upperBound))),
                            ("initial", .number(Double(spec.initial(of: parameter.element ?? 0)))),
                            ("unit", .string(kind)), ("steps", steps.map { .strings($0) } ?? .null), ("isWhole", .flag(isWhole)),
                            ("isLogarithmic", .flag(spec.curve == .logarithmic)), ("help", .string(spec.help)),
                            ("setting", .string("\(unit.name).\(parameter.name)")),
                        ])
                    })
            ),
        ])
    }

    /// Returns what a value counts, the names of its values where it has names, and whether it is a whole number.
    private static func kind(_ unit: ParameterSpec.Unit) -> (String?, [String]?, Bool) {
        switch unit {
        case .none: (nil, nil, false)
        case .decibels: ("decibels", nil, false)
        case .hertz: ("hertz", nil, false)
        case .seconds: ("seconds", nil, false)
        case .percent: ("percent", nil, false)
        case .cents: ("cents", nil, false)
        case .semitones: ("semitones", nil, false)
        case .ratio: ("ratio", nil, false)
        case .voices: ("voices", nil, true)
        case .frames: ("frames", nil, true)
        case .pan: ("pan", nil, false)
        case .toggle: (nil, ["off", "on"], true)
        case .choice(let names): (nil, names, true)
        }
    }
}
