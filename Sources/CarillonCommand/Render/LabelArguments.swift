import ArgumentParser
import AudioFiles
import Carillon
import Document
import Reports
import SongFiles

/// A file of labels.
enum LabelForm: String, CaseIterable, Sendable {
    case json, tsv, mid

    var ending: String {
        switch self {
        case .json: "labels.json"
        case .tsv: "notes.tsv"
        case .mid: "labels.mid"
        }
    }
}

/// `--labels`: one or more forms, with commas between them.
struct LabelForms: Sendable, Hashable {
    let forms: [LabelForm]

    init(_ text: String) throws {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        for name in names where LabelForm(rawValue: name) == nil {
            throw ValidationError(
                "no label file is called \(name); choose from \(LabelForm.allCases.map(\.rawValue).joined(separator: ","))")
        }
        forms = LabelForm.allCases.filter { names.contains($0.rawValue) }
    }
}

/// The labels beside the files of a render.
struct LabelArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Write labels of the notes played, beside the audio file: json (SONG.labels.json: everything), tsv \
            (SONG.notes.tsv: onset, release, pitch, for mir_eval), mid (SONG.labels.mid: a MIDI file whose ticks are frames).
            """, valueName: "json,tsv,mid"), completion: .list(LabelForm.allCases.map(\.rawValue)), transform: LabelForms.init)
    var labels: LabelForms?

    @Option(
        help: ArgumentHelp(
            """
            Where a labelled note ends if its key is struck again while a pedal holds it: overlap, where it is released, or \
            cut, where the key is struck again, as in data sets of recorded pianos.
            """, valueName: "overlap|cut"))
    var restrike = Restrike.overlap

    /// The end of a note when its key is struck again.
    enum Restrike: String, CaseIterable, ExpressibleByArgument, Sendable { case overlap, cut }

    func validate() throws {
        if labels == nil, restrike == .cut { throw ValidationError("--restrike cut is about labels; write --labels json too") }
    }

    var choice: LabelChoice { LabelChoice(forms: labels?.forms ?? [], restrike: restrike) }
}

struct LabelChoice: Sendable, Hashable {
    var forms: [LabelForm] = []
    var restrike = LabelArguments.Restrike.overlap
    /// The song's name in the labels; nil means its path.
    var song: String?

    /// Returns the path of the label file in `form` beside the audio file `output`.
    func path(_ form: LabelForm, beside output: String) -> String { "\(RenderOutput.trunk(of: output)).\(form.ending)" }

    /// Each file whole or not at all. Returns their paths.
    func write(
        _ labels: SongLabels, of song: String, beside output: String, stems: [StemResult]
    ) throws(RenderError) -> [String] {
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
            case .mid: do { try SongWriter.write(labels.song, path: path) } catch { throw .song(error) }
            }
            if code != 0 { throw .audioFile(.cannotCreate(path: path, SystemFault(code: code))) }
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
