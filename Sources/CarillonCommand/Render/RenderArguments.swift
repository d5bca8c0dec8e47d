import ArgumentParser
import AudioFiles
import Carillon
import DSP
import Glibc

/// `--instrument`: `soundfont` is the default under its former name.
enum InstrumentName: String, CaseIterable, ExpressibleByArgument {
    case sampler, soundfont, fluidsynth
    case squareWave = "square-wave"
}

/// `--bits`.
enum BitsName: String, CaseIterable, ExpressibleByArgument {
    case int16 = "16"
    case int24 = "24"
    case float32 = "32f"

    var encoding: AudioFileFormat.Encoding {
        switch self {
        case .int16: .int16
        case .int24: .int24
        case .float32: .float32
        }
    }
}

/// `--layout`.
struct LayoutName {
    let layout: SpeakerLayout

    init(_ text: String) throws {
        guard let layout = SpeakerLayout(named: text) else {
            throw ValidationError("no layout is called \(text); choose one of \(SpeakerLayout.names.joined(separator: ", "))")
        }
        self.layout = layout
    }
}

/// `--tail`: a word or a duration.
struct TailOption: CustomStringConvertible {
    let tail: RenderOptions.Tail
    let description: String
    static let auto = TailOption(tail: .auto, description: "auto")

    private init(tail: RenderOptions.Tail, description: String) { (self.tail, self.description) = (tail, description) }

    init(_ text: String) throws(ParameterError) {
        description = text
        switch text {
        case "auto": tail = .auto
        case "exact": tail = .exact
        default:
            let spec = EngineSetting.tail.spec
            do { tail = .seconds(try spec.number(text)) } catch .notANumber(let name, let text, let valid) {
                throw .notANumber(parameter: name, text: text, valid: "auto, exact or \(valid)")
            }
        }
    }
}

/// Where the sound goes, and as what: the part of `carillon render` that is about audio files.
struct OutputArguments: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            """
            The audio file of one song, in a folder that is created if missing; - is standard output. By default the song's name \
            in the current folder.
            """,
            valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The folder for output files named after their songs; created if missing.",
            valueName: "folder"),
        completion: .directory)
    var outputDir: String?

    @Option(
        help: ArgumentHelp(
            """
            One of \(formatNames.joined(separator: ", ")); by default chosen by the output's extension, which it must not \
            contradict.
            """, valueName: "name"),
        completion: .list(formatNames))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Sample format: 16 bits (with dither), 24 bits, or 32f (32-bit floating point); by default 16.", valueName: "bits"))
    var bits: BitsName?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Quality of ogg, opus and mp3, 0 (smallest file) to 1 (best); by default 0.6, 0.3 and 0.8, transparent for most \
            listeners.
            """, valueName: "0...1"))
    var quality: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Bit rate of opus (12 to 512) and mp3 (32 to 320 from 32 kHz up) in kbit/s, on average, instead of a quality.
            """, valueName: "kbit/s"))
    var bitrate: Int?

    @Option(
        help: ArgumentHelp(
            """
            The loudspeakers of the file: \(SpeakerLayout.names.joined(separator: ", ")). A patch made for others is \
            folded down. (default: the patch's; stereo without one)
            """, valueName: "name"),
        completion: .list(SpeakerLayout.names), transform: LayoutName.init)
    var layout: LayoutName?

    @OptionGroup var existing: ForceArgument

    @Flag(help: "Of several songs, skip those whose output file already exists, without failing: resumes an interrupted run.")
    var noClobber = false

    @Flag(
        help: """
            If the run is stopped with Ctrl-C or fails midway, keep what has been rendered, as a complete file, without its drawings; a second Ctrl-C \
            quits at once.
            """)
    var keepPartial = false

    private static var formatNames: [String] { AudioFileFormat.Container.allCases.map(\.rawValue) }

    func validate() throws {
        if output != nil, outputDir != nil {
            throw ValidationError("--output names a file and --output-dir a folder; leave one of them out")
        }
        if existing.force, noClobber {
            throw ValidationError("--force replaces what is there and --no-clobber keeps it; leave one of them out")
        }
        if outputDir == "" { throw ValidationError("--output-dir: the name is empty") }
    }

    var choice: OutputChoice {
        OutputChoice(
            path: output, folder: outputDir, format: format, bits: bits?.encoding, quality: quality, bitRate: bitrate,
            existing: existing.force ? .replaced : noClobber ? .skipped : .refused, layout: layout?.layout ?? .stereo,
            keepsPartial: keepPartial)
    }
}
