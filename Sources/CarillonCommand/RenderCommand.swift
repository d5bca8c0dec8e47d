import ArgumentParser
import AudioFiles
import Carillon
import SongFiles

/// `carillon render`: a song becomes an audio file.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Turn a song (.mid, .rmi, .kar), or the journal of a live session, into an audio file.",
        discussion: """
            Without --output the file gets the song's name, in the current folder. The same song and options give the \
            same bytes, whatever the block size. Damaged songs are repaired and the repairs reported; --strict refuses \
            them. Without --soundfont, $CARILLON_SOUNDFONT, the system's General MIDI SoundFont and Carillon's own \
            (embedded) are tried in this order; what was chosen is said. Numbers may have their unit: 44.1k, 3dB, 1m30s.

            Examples:
              carillon render song.mid
              carillon render song.mid -o song.flac --bits 24 --rate 96k
              carillon render song.mid -o - | aplay
              carillon render song.mid --soundfont GM.sf2 --soundfont Piano.sf2
              carillon render song.mid --set reverb.decay=3s --set strip-1.pan=-50%
              carillon render song.mid --instrument square-wave --tail 2.5s --json
            """)

    @Argument(
        help: ArgumentHelp("The song.", valueName: "song.mid"), completion: .file(extensions: ["mid", "rmi", "kar"]))
    var song: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The audio file; - is standard output. By default the song's name in the current folder.",
            valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var sound: SoundArguments

    @Option(
        parsing: .unconditional,
        help: EngineSetting.rate.help(SoundArguments.rateRemark), transform: EngineSetting.rate.spec.wholeNumber)
    var rate = RenderOptions().sampleRate

    @Option(
        help: ArgumentHelp(
            "One of \(formatNames.joined(separator: ", ")); by default what the output's ending says.",
            valueName: "name"),
        completion: .list(formatNames))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Bits per sample: 16 (with dither), 24 or 32f (floating point); by default 16.", valueName: "bits"))
    var bits: BitsName?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            When the sound ends: auto (once it is silent, at most 30 s after the song), exact (with the song) or so \
            long after the song, \(EngineSetting.tail.spec.valid).
            """, valueName: "auto|exact|time"),
        completion: .list(["auto", "exact"]), transform: TailOption.init)
    var tail = TailOption.auto

    @Option(
        parsing: .unconditional,
        help: EngineSetting.maximumDuration.help("needed for longer songs"),
        transform: EngineSetting.maximumDuration.spec.number)
    var maxDuration: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Play this track alone, counted from 1.", valueName: "number"))
    var track: Int?

    @Option(
        parsing: .unconditional, help: EngineSetting.block.help(), transform: EngineSetting.block.spec.wholeNumber)
    var block = RenderOptions().blockFrames

    @Flag(help: "Refuse a damaged song instead of repairing it.")
    var strict = false

    @Flag(help: "Report as one JSON object: on standard output, or on standard error when the sound goes there.")
    var json = false

    @Flag(help: "Say nothing but errors; without --json no loudness is measured.")
    var quiet = false

    private static var formatNames: [String] { AudioFileFormat.Container.allCases.map(\.rawValue) }

    func run() throws {
        Interruption.reportClosedPipes()
        if Journal.isJournal(path: song) { return try runJournal() }
        let job = RenderJob(
            song: song, output: output, options: options, format: format, bits: bits?.encoding, isStrict: strict,
            showsProgress: !quiet && !json && StandardError.isTerminal, measures: !quiet || json)
        let result: RenderJob.Result
        do { result = try job.run() } catch { throw Failure.report(error) }
        if json {
            let text = JSONOutput.text(RenderJSON(result))
            if output == "-" { StandardError.print(text) } else { try StandardOutput.print(text) }
        } else if !quiet {
            for line in result.notes { StandardError.print(Failure.oneLine(line)) }
            StandardError.print(Failure.oneLine(result.summary))
        }
    }

    /// A journal says itself what plays it and when; only the file is chosen here.
    private func runJournal() throws {
        let standard = RenderOptions()
        guard options == standard, !strict, !json else {
            throw Failure.report(
                "\(song): a journal is rendered as it was played; leave all options but --output, --format, --bits and "
                    + "--quiet out", exitCode: 64)
        }
        do throws(LiveError) {
            let line = try JournalJob(journal: song, output: output, format: format, bits: bits?.encoding).run()
            if !quiet { StandardError.print(Failure.oneLine(line)) }
        } catch { throw Failure.report(error) }
    }

    private var options: RenderOptions {
        var options = RenderOptions()
        options.instrument = sound.player
        options.sampleRate = rate
        options.blockFrames = block
        options.tail = tail.tail
        options.maximumDuration = maxDuration
        options.gain = sound.gain ?? options.gain
        options.hasEffects = !sound.dry
        options.settings = sound.set
        options.track = track
        return options
    }
}
