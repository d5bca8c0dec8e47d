import ALSA
import ArgumentParser
import Carillon

/// `carillon live`: whatever is plugged in plays.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Play from MIDI keyboards, now.",
        discussion: """
            Keyboards that are plugged in, now or later, play at once and keep their place when they come back; --connect \
            chooses. On a terminal one sees who is connected, which notes sound, levels, load and interruptions; \
            otherwise standard error gets a line for each change. The last ten minutes are always kept: s writes them as \
            a .mid. Ctrl-C releases all notes and ends.

            Examples:
              carillon live
              carillon live --device hw:0,0 --period 128 --periods 2 --immediate
              carillon live --connect Keystation --soundfont Piano.sf2 --set reverb.decay=3s
              carillon live --device null
            """)

    @OptionGroup var session: SessionArguments

    @Option(
        parsing: .unconditional, help: EngineSetting.ports.help(), transform: EngineSetting.ports.spec.wholeNumber)
    var ports = LiveOptions().ports

    @Option(
        help: ArgumentHelp(
            """
            Which MIDI sources to connect: any, a part of a name (case does not matter, * is any text), or an identity \
            that carillon devices prints. Give it again for more. (default: any)
            """, valueName: "any|pattern"))
    var connect: [String] = []

    @Option(
        help: ArgumentHelp("Write what sounds into this file (wav, flac, ...), as floating point where it can.",
                           valueName: "file"),
        completion: .file())
    var capture: String?

    @Flag(help: "Play each note as soon as can be, instead of a constant latency after its key: sooner, less even.")
    var immediate = false

    func validate() throws {
        _ = try Self.rules(connect)
        if capture == "" { throw ValidationError("--capture: the name is empty") }
        if capture == "-" { throw ValidationError("--capture -: give a file's name; standard output is not for this") }
    }

    func run() throws {
        var options = session.options
        options.ports = ports
        options.connections = connect.isEmpty ? ["any"] : connect
        options.isImmediate = immediate
        options.capturePath = capture
        let run = SessionRun(surface: .live, options: options, printsTiming: session.timingReport)
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }

    /// The rules that `--connect` gives, `any` where there is none.
    static func rules(_ texts: [String]) throws -> [ConnectionRule] {
        try (texts.isEmpty ? ["any"] : texts).map { text in
            do { return try ConnectionRule(text) } catch { throw ValidationError("--connect: \(error)") }
        }
    }
}
