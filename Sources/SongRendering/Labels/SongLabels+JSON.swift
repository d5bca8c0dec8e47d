import MIDI
import Reports

extension SongLabels {
    /// Rises when a key changes its meaning or goes; new keys do not raise it.
    public static let version = 2

    /// The text of `SONG.labels.json`: an object, a line for each of its keys and for each note, the same each time.
    ///
    /// - Parameters:
    ///   - song: the song's path, as it was named.
    ///   - audio: the path of the audio file.
    ///   - stems: the stems that were rendered, as objects.
    package func json(song: String, audio: String, stems: [JSONText] = []) -> String {
        let found = NoteLabel.counts(notes)
        let counts = NoteLabel.Outcome.allCases.map { ($0.rawValue, JSONText.whole(found[$0] ?? 0)) }
        let entries: [(String, JSONText)] = [
            ("labelsVersion", .whole(Self.version)), ("song", .string(song)), ("audio", .string(audio)),
            ("sampleRate", .whole(sampleRate)), ("frames", .whole(Int(frames))),
            ("instruments", .array(instruments.map { .object([("name", .string($0.name)), ("tells", .flag($0.tells))]) })),
            ("parts", .array(parts.map(Self.json))), ("stems", .array(stems)), ("counts", .object(counts)),
            ("instants", .whole(instants)),
        ]
        let lines = (entries + marks.json).map { "\(JSONText.string($0.0).text):\($0.1.text)" }
        return "{\(lines.joined(separator: ",\n")),\n\"controls\":[\n" + LabelText.rows(controls) + "\n],\n\"notes\":[\n"
            + LabelText.rows(notes) + "\n]}\n"
    }

    private static func json(_ part: Part) -> JSONText {
        let programs = part.programs.map { program -> JSONText in
            let found = program.found.map { sound -> JSONText in
                .object([
                    ("bank", .whole(sound.bank)), ("program", .whole(sound.program)), ("name", .string(sound.name)),
                ])
            }
            return .object([
                ("bank", .whole(program.request.bank)), ("program", .whole(program.request.program)),
                ("isDrums", .flag(program.request.isDrums)), ("notes", .whole(program.notes)), ("found", found ?? .null),
            ])
        }
        return .object([("channel", .whole(part.channel)), ("programs", .array(programs))])
    }
}

extension LabelMarks {
    fileprivate var json: [(String, JSONText)] {
        func texts(_ marks: [Text], _ key: String = "text") -> JSONText {
            .array(marks.map { .object([("frame", .whole(Int($0.frame))), (key, .string($0.text))]) })
        }
        return [
            (
                "tempos",
                .array(
                    tempos.map {
                        .object([("frame", .whole(Int($0.frame))), ("quartersPerMinute", .number($0.quartersPerMinute))])
                    })
            ),
            (
                "timeSignatures",
                .array(
                    meters.map {
                        .object([
                            ("frame", .whole(Int($0.frame))), ("numerator", .whole($0.numerator)),
                            ("denominator", .whole($0.denominator)),
                        ])
                    })
            ),
            ("keys", texts(keys, "key")), ("markers", texts(markers)), ("lyrics", texts(lyrics)),
            (
                "beats",
                .array(
                    beats.map {
                        .object([
                            ("frame", .whole(Int($0.frame))), ("bar", .whole(Int($0.bar))), ("beat", .whole($0.beat)),
                            ("unit", .whole($0.unit)),
                        ])
                    })
            ),
        ]
    }
}
