import AudioFiles
import Carillon
import Document
import Reports
import SongFiles

/// A file of labels.
enum LabelForm: String, SettingWord {
    case json, tsv, mid

    var ending: String {
        switch self {
        case .json: "labels.json"
        case .tsv: "notes.tsv"
        case .mid: "labels.mid"
        }
    }
}

struct LabelChoice: Sendable, Hashable {
    /// The end of a note when its key is struck again.
    enum Restrike: String, SettingWord { case overlap, cut }

    static let settings: [Setting<LabelChoice>] = [
        Setting(
            SettingForm(
                "labels", .one, "json,tsv,mid",
                """
                Write labels of the notes played, beside the audio file: json (SONG.labels.json: everything), tsv \
                (SONG.notes.tsv: onset, release, pitch, for mir_eval), mid (SONG.labels.mid: a MIDI file whose ticks are frames).
                """, completes: .words(LabelForm.words))
        ) { $1.forms = try forms($0) },
        .word(
            "restrike", \.restrike, default: .overlap, "overlap|cut",
            """
            Where a labelled note ends if its key is struck again while a pedal holds it: overlap, where it is released, or \
            cut, where the key is struck again, as in data sets of recorded pianos.
            """),
    ]

    /// Reads one or more forms, with commas between them.
    private static func forms(_ text: String) throws -> [LabelForm] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        for name in names where LabelForm(rawValue: name) == nil {
            throw SettingError(
                "no label file is called \(name); choose of \(LabelForm.allCases.map(\.rawValue).joined(separator: ","))")
        }
        return LabelForm.allCases.filter { names.contains($0.rawValue) }
    }

    func check() throws {
        if forms.isEmpty, restrike == .cut { throw SettingError("--restrike cut is about labels; write --labels json too") }
    }

    var forms: [LabelForm] = []
    var restrike = Restrike.overlap
    /// The song's name in the labels; nil: its path.
    var song: String?

    /// Returns the path of the label file in `form` beside the audio file `output`.
    func path(_ form: LabelForm, beside output: String) -> String { "\(RenderOutput.trunk(of: output)).\(form.ending)" }

    /// Each file whole or not at all. Returns their paths.
    func write(_ labels: SongLabels, of song: String, beside output: String, stems: [StemResult]) throws(Fault) -> [String] {
        var paths: [String] = []
        for form in forms {
            let path = path(form, beside: output)
            var code: Int32 = 0
            switch form {
            case .json:
                let folder = output.lastIndex(of: "/").map { String(output[...$0]) } ?? ""
                let text = labels.json(
                    song: self.song ?? song, audio: String(output.dropFirst(folder.count)),
                    stems: stems.map { StemLabel.json($0, beside: folder) })
                code = WholeText.write(text, toFile: path)
            case .tsv: code = WholeText.write(labels.notesTable, toFile: path)
            case .mid: do { try SongWriter.write(labels.song, path: path) } catch { throw Fault(error) }
            }
            if code != 0 { throw Fault(AudioFileError.cannotCreate(path: path, SystemFault(code: code))) }
            paths.append(path)
        }
        return paths
    }
}

enum StemLabel {
    /// - Parameter folder: that of the labels, which the files lie in too: the set can be moved.
    static func json(_ result: StemResult, beside folder: String) -> JSONText {
        let stem = result.stem, path = result.path.map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }
        let loudness: [(String, JSONText)] = result.isMeasured ? [("loudness", .number(result.level.loudness))] : []
        return .object(
            [
                ("number", .whole(result.number)), ("name", .string(stem.name)), ("kind", .string(stem.kind.rawValue)),
                ("channels", .wholes(stem.channels)), ("output", .string(path)), ("peak", .number(result.level.peak)),
            ] + loudness + [("silence", .string(result.silence))])
    }
}
