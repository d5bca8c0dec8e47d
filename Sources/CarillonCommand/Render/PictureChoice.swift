import AudioFiles
import Carillon
import Document
import Glibc

/// A drawing of a render.
enum PictureKind: String, SettingWord {
    case waveform, spectrogram
    case pianoRoll = "piano-roll"
}

enum PictureForm: String, SettingWord { case svg, png }

struct PictureChoice: Sendable, Hashable {
    static let settings: [Setting<PictureChoice>] = [
        Setting(
            "picture", every: \.kinds, "kind",
            """
            Draw the sound, to SONG.KIND.svg beside its file: waveform, spectrogram or piano-roll. Can be given more \
            than once. (values: \(PictureKind.list))
            """, completes: .words(PictureKind.words)
        ) { try PictureKind.named($0, for: "picture") },
        .word(
            "picture-format", \.form, default: .svg, "form",
            "The format of the drawings: svg, or png, which needs rsvg-convert (Debian's librsvg2-bin)."),
    ]

    func check() throws {
        if kinds.isEmpty, form != .svg { throw SettingError("--picture-format: name a drawing with --picture") }
        if form == .png, !PictureTool.isInstalled {
            throw SettingError(
                "--picture-format png: needs rsvg-convert, which is not installed; install librsvg2-bin, or take svg")
        }
    }

    var kinds: [PictureKind] = []
    var form = PictureForm.svg

    func path(_ kind: PictureKind, beside output: String) -> String {
        "\(RenderOutput.trunk(of: output)).\(kind.rawValue).\(form.rawValue)"
    }
}

/// The drawings of one render: they take its frames as they are written, and become files once it is whole.
final class RenderPictures {
    private let choice: PictureChoice
    private let sounds: [(kind: PictureKind, picture: SoundPicture)]
    private let roll: PianoRoll?
    private var frames: Int64 = 0

    init(_ choice: PictureChoice, of renderer: SongRenderer, sampleRate: Int) {
        self.choice = choice
        let channels = renderer.layout.channels
        sounds = choice.kinds.compactMap { kind in
            SoundPicture.Kind(rawValue: kind.rawValue).map {
                (kind, SoundPicture($0, channels: channels, sampleRate: sampleRate))
            }
        }
        roll = choice.kinds.contains(.pianoRoll) ? PianoRoll(renderer) : nil
    }

    /// Takes the next frames, one pointer per channel.
    func add(_ samples: [UnsafePointer<Float>], frames count: Int) {
        for sound in sounds { sound.picture.add(samples, frames: count) }
        frames += Int64(count)
    }

    /// Each drawing whole or not at all, with `title` above it. Returns their paths.
    func write(beside output: String, title: String) throws(Fault) -> [String] {
        var paths: [String] = []
        for kind in choice.kinds {
            let path = choice.path(kind, beside: output)
            let text =
                sounds.first { $0.kind == kind }?.picture.svg(title: title) ?? roll?.svg(title: title, frames: frames) ?? ""
            let code = choice.form == .svg ? WholeText.write(text, toFile: path) : PictureTool.write(text, toPNG: path)
            if code != 0 { throw Fault(AudioFileError.cannotCreate(path: path, SystemFault(code: code))) }
            paths.append(path)
        }
        return paths
    }
}

/// `rsvg-convert` of librsvg, a program of its own, which makes PNG of SVG.
enum PictureTool {
    private static let name = "rsvg-convert"

    /// True if a folder of `$PATH` has it.
    static var isInstalled: Bool {
        guard let path = getenv("PATH") else { return false }
        return String(cString: path).split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Writes a drawing as PNG, whole or not at all. Returns 0, or `errno`.
    static func write(_ svg: String, toPNG path: String) -> Int32 {
        let source = "\(path).\(getpid()).svg", unfinished = "\(path).\(getpid()).unfinished"
        defer { for file in [source, unfinished] { unlink(file) } }
        let code = WholeText.write(svg, toFile: source)
        if code != 0 { return code }
        var child: pid_t = 0
        let arguments: [String] = [name, "-o", unfinished, source]
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let failure = posix_spawnp(&child, name, nil, nil, words, environ)
        if failure != 0 { return failure }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        if status != 0 { return EIO }
        return rename(unfinished, path) == 0 ? 0 : errno
    }
}
