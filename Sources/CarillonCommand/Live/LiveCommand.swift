import ALSA
import ArgumentParser
import Carillon
import Document
import Reports

/// `carillon live`: plays from every MIDI keyboard that is plugged in.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Play from MIDI keyboards, now.",
        discussion: """
            Keyboards play as soon as they are plugged in, and keep their place when they are plugged in again; --connect \
            chooses among them. A terminal shows connections, sounding notes, levels, load and interruptions; \
            otherwise each change is a line on standard error. The arrow keys choose a channel and its sound, / finds a sound \
            by name, k turns the letters into piano keys, L assigns a control of the keyboard to a parameter, full stop and \
            comma step through the scenes of a patch, w saves the current state as a patch, ? shows all keys. Several \
            patches, or the entries of --list, are a set list: n goes to the next one, which new notes play at once while held \
            ones ring on. The last ten \
            minutes are always kept: s saves them as a .mid. Ctrl-C releases all notes and quits.

            Examples:
              carillon live
              carillon live --device hw:0,0 --period 128 --periods 2 --immediate
              carillon live --connect Keystation --soundfont Piano.sf2 --set reverb.decay=3s
              carillon live --metronome 96
              carillon live --metronome 120 --clock Volca
              carillon live --patch organ.yaml --watch --device null
              carillon live --patch organ.yaml --patch strings.yaml --device null
              carillon live --list evening.yaml --device null
              carillon live --device null
            """)

    @Argument(
        help: ArgumentHelp("A set list, as with --list.", valueName: "list.yaml"),
        completion: .file(extensions: ["yaml", "yml"]))
    var setList: String?

    @OptionGroup var session: SessionArguments

    @OptionGroup(title: "Keys and recording") var keys: LiveArguments

    func validate() throws {
        if let setList {
            if keys.list != nil { throw ValidationError("\(setList): --list names a set list already") }
            if SongList.isNamedAsSong(setList) {
                throw ValidationError("\(setList): is a song; carillon play plays it, and live takes a set list here")
            }
        }
        if (setList ?? keys.list) == "" { throw ValidationError("--list: the name is empty") }
        if setList != nil || keys.list != nil {
            if !session.patch.isEmpty {
                throw ValidationError("--list and --patch exclude each other; write the patch into the list")
            }
            if let setting = session.sound.set.first {
                throw ValidationError("--set \(setting): a list plays; set it in the file of the patch that is meant")
            }
        } else if session.watch, session.patch.isEmpty {
            throw ValidationError("--watch: name the file with --patch or --list")
        }
        _ = try Self.rules(connect)
        if capture == "" { throw ValidationError("--capture: the name is empty") }
        if capture == "-" { throw ValidationError("--capture -: give a file's name; standard output is not for this") }
    }

    func run() throws {
        var options = session.options
        let list = try (setList ?? keys.list).map { path in
            do throws(DocumentError) { return try SetList(path: path) } catch { throw Failure.report(error) }
        }
        let files = list?.entries.compactMap(\.patch) ?? session.patch
        // What is saved while sounds are read is not missed.
        let watches = session.watch ? files.map { PatchWatch($0) } : []
        if let list {
            let read = try Self.read(list)
            options.patches = read.patches
            options.connections.programs = list.programs
            options.connections.buttons += read.buttons
        } else {
            options.patches = try PatchLoading.list(files)
        }
        let soundFontGain = try session.setLevel(of: &options)
        options.ports = ports
        options.connections.sources = connect.isEmpty ? ["any"] : connect
        options.device.isImmediate = immediate
        options.capturePath = capture
        let run = SessionRun(
            surface: .live, options: options, commands: commands,
            printsTiming: session.report.timingReport, output: LogOutput(least: session.report.log.logLevel),
            watched: watches, access: session.network.access, soundFontGain: soundFontGain)
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }

    /// A list with its patches. What of it is not followed is shown.
    private static func read(_ list: SetList) throws -> ListLoading {
        let read = ListLoading(list)
        if read.patches.isEmpty { throw Failure.report("\(list.path): no entry has a patch; add one", exitCode: 78) }
        try PatchLoading.requireOne(read.patches)
        let check = "carillon list check \(ShellWord.quoted(list.path))"
        for line in RemarkLines(read.remarks).text({ _ in check }) { StandardError.print(OneLine.text(line)) }
        return read
    }

    private var commands: [ControlCommand] {
        if metronome == nil, keys.countIn == nil { return [] }
        return [.metronome(metronome != nil, tempo: metronome, countIn: keys.countIn)]
    }

    private var ports: Int { keys.ports }
    private var connect: [String] { keys.connect }
    private var capture: String? { keys.capture }
    private var metronome: Double? { keys.metronome }
    private var immediate: Bool { keys.immediate }

    /// `any` if `--connect` gives none.
    static func rules(_ texts: [String]) throws -> [ConnectionRule] {
        try (texts.isEmpty ? ["any"] : texts).map { text in
            do { return try ConnectionRule(text) } catch { throw ValidationError("--connect: \(error)") }
        }
    }
}
