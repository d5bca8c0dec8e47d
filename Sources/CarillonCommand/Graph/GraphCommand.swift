import ArgumentParser
import Carillon
import SongFiles

/// `carillon graph`: what sounds are made of, and what becomes of them on their way.
struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Show what plays a song: units, what flows between them, latency, what each costs.",
        discussion: """
            Without a song it is the graph of carillon live, with nothing of a song in it. Some seconds are rendered, \
            and thrown away, to measure which unit takes how much of the time: the song from its beginning, or a chord.

            Examples:
              carillon graph show song.mid
              carillon graph show song.mid --dry --instrument square-wave --svg > graph.svg
              carillon graph show --dot > live.dot
            """,
        subcommands: [ShowCommand.self])

    /// `carillon graph show`.
    struct ShowCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Draw the graph of a song, or of a live session.")

        @Argument(
            help: ArgumentHelp("The song; without one the graph of carillon live.", valueName: "song.mid"),
            completion: .file(extensions: ["mid", "rmi", "kar"]))
        var song: String?

        @OptionGroup var sound: SoundArguments

        @Flag(help: "Draw for a terminal, as wide as it is. (default)")
        var text = false

        @Flag(help: "Print Graphviz's language, for dot.")
        var dot = false

        @Flag(help: "Print a drawing as SVG.")
        var svg = false

        @Flag(help: "Print one JSON object.")
        var json = false

        func validate() throws {
            let chosen = [("--text", text), ("--dot", dot), ("--svg", svg), ("--json", json)].filter(\.1).map(\.0)
            if chosen.count > 1 {
                throw ValidationError("\(chosen.joined(separator: " and ")) exclude each other; leave one of them out")
            }
        }

        func run() throws {
            let report = try song.map(report(ofSong:)) ?? liveReport()
            let text =
                dot ? report.dot : svg ? report.svg : json ? JSONOutput.text(report) : report.text(width: Self.width)
            try StandardOutput.print(text)
        }

        /// 80 columns where there is no terminal.
        private static var width: Int { TerminalSize.now.columns }

        private func report(ofSong path: String) throws -> GraphReport {
            // Reading takes long, a block of sound does not.
            let watchdog = StuckCall(over: path, patience: StuckCall.loadPatience)
            defer { watchdog.stop() }
            var options = RenderOptions()
            options.instrument = sound.player
            options.hasEffects = !sound.dry
            options.gain = sound.gain ?? options.gain
            options.settings = sound.set
            do throws(RenderError) {
                let file: SongFile
                do { file = try SongReader.read(path: path) } catch { throw .song(error) }
                return try GraphReport(of: file.song, options: options, progress: watchdog.beat)
            } catch { throw Failure.report(error, ofSong: path) }
        }

        private func liveReport() throws -> GraphReport {
            let watchdog = StuckCall(over: "carillon live", patience: StuckCall.loadPatience)
            defer { watchdog.stop() }
            var options = LiveOptions()
            options.instrument = sound.player
            options.hasEffects = !sound.dry
            options.gain = sound.gain ?? options.gain
            options.settings = sound.set
            do { return try GraphReport(live: options, progress: watchdog.beat) } catch { throw Failure.report(error) }
        }
    }
}
