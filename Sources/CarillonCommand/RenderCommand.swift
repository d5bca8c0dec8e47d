import ArgumentParser
import AudioFiles
import Carillon
import SongFiles

/// `carillon render`: a song becomes an audio file.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Turn a song (.mid, .rmi, .kar) into an audio file.",
        discussion: """
            Without --output the file gets the song's name, in the current folder. The same song and options give the \
            same bytes, whatever the block size. Damaged songs are repaired and the repairs reported; --strict refuses \
            them. Without --soundfont, $CARILLON_SOUNDFONT, the system's General MIDI SoundFont and the embedded one \
            are tried in this order.
            """)

    @Argument(help: ArgumentHelp("The song.", valueName: "song.mid"), completion: .file(extensions: ["mid", "rmi", "kar"]))
    var song: String

    @Option(name: [.short, .long], help: "The audio file; - is standard output.", completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("A SoundFont (SF2, SF3, DLS), or file:offset to move its banks up; of several the last lies on top.", valueName: "file"),
            completion: .file(extensions: ["sf2", "sf3", "dls"]))
    var soundfont: [String] = []

    @Option(help: "What plays the song: soundfont or square-wave.")
    var instrument = InstrumentName.soundfont

    @Option(help: ArgumentHelp("Frames per second, 8000 to 384000.", valueName: "hz"))
    var rate = RenderOptions().sampleRate

    @Option(help: ArgumentHelp("wav, flac, ogg, opus, mp3, caf, raw ...; by default the output's ending.", valueName: "name"))
    var format: String?

    @Option(help: "Bits per sample: 16 (with dither), 24, 32f.")
    var bits: BitsName?

    @Option(help: "When the sound ends: auto (when it is silent), exact (with the song) or seconds after the song.")
    var tail = TailOption.auto

    @Option(help: ArgumentHelp("Render at most so much; needed for songs of more than 12 hours.", valueName: "seconds"))
    var maxDuration: Double?

    @Option(help: ArgumentHelp("Louder or softer, -60 to 40 dB.", valueName: "db"))
    var gain: Float = 0

    @Option(help: ArgumentHelp("Set a parameter, such as reverb.decay=2.5s; see carillon units.", valueName: "unit.parameter=value"))
    var set: [String] = []

    @Option(help: ArgumentHelp("Play this track alone, counted from 1.", valueName: "number"))
    var track: Int?

    @Option(help: ArgumentHelp("Frames rendered at a time, 1 to 16384; changes no sample.", valueName: "frames"))
    var block = RenderOptions().blockFrames

    @Flag(help: "Leave reverb and chorus out.")
    var dry = false

    @Flag(help: "Refuse a damaged song instead of repairing it.")
    var strict = false

    @Flag(help: "Report as one JSON object: on standard output, or on standard error when the sound goes there.")
    var json = false

    @Flag(help: "Say nothing but errors.")
    var quiet = false

    func run() throws {
        Interruption.install()
        let job = RenderJob(song: song, output: output, options: options, format: format, bits: bits?.encoding, isStrict: strict,
                            showsProgress: !quiet && !json && StandardError.isTerminal)
        let result: RenderJob.Result
        do { result = try job.run() } catch {
            throw Failure.report(error.description, exitCode: job.exitCode(of: error))
        }
        if json {
            let text = JSONOutput.text(RenderJSON(result))
            if output == "-" { StandardError.print(text) } else { print(text) }
        } else if !quiet {
            for line in result.remarks { StandardError.print(Failure.oneLine(line)) }
            StandardError.print(Failure.oneLine(result.summary))
        }
    }

    private var options: RenderOptions {
        var options = RenderOptions()
        options.instrument = instrument == .soundfont ? .soundFont(soundfont) : .squareWave
        options.sampleRate = rate
        options.blockFrames = block
        options.tail = tail.tail
        options.maximumDuration = maxDuration
        options.gain = gain
        options.hasEffects = !dry
        options.settings = set
        options.track = track
        return options
    }
}

/// `--instrument`.
enum InstrumentName: String, CaseIterable, ExpressibleByArgument {
    case soundfont
    case squareWave = "square-wave"
}

/// `--bits`.
enum BitsName: String, CaseIterable, ExpressibleByArgument {
    case int16 = "16", int24 = "24", float32 = "32f"

    var encoding: AudioFileFormat.Encoding {
        switch self {
        case .int16: .int16
        case .int24: .int24
        case .float32: .float32
        }
    }
}

/// `--tail`: a word, or seconds with or without their unit.
struct TailOption: ExpressibleByArgument {
    let tail: RenderOptions.Tail
    static let auto = TailOption(tail: .auto)

    private init(tail: RenderOptions.Tail) { self.tail = tail }

    init?(argument: String) {
        switch argument {
        case "auto": tail = .auto
        case "exact": tail = .exact
        default:
            var text = argument[...]
            if text.hasSuffix("s") { text = text.dropLast() }
            guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else { return nil }
            tail = .seconds(seconds)
        }
    }

    var defaultValueDescription: String { "auto" }
}
