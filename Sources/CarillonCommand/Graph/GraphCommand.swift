import ArgumentParser
import Carillon
import Corpus
import Reports
import SongFiles

/// `carillon graph`: what sounds are made of, and what becomes of them on their way.
struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Show the graph that plays a song: units, connections, latency and CPU cost.",
        discussion: """
            Without a song it is the graph of carillon live. A few seconds are rendered, and discarded, to measure each \
            unit's share of the time: the song from its beginning, or a chord.

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
            help: ArgumentHelp(
                "The song, - for standard input; without one the graph of carillon live.", valueName: "song.mid"),
            completion: .file(extensions: SongList.endings))
        var song: String?

        @OptionGroup var sound: SettingGroup<SoundSettings>

        @OptionGroup var drawing: DrawingArguments

        @Flag(help: "Print one JSON object.")
        var json = false

        func validate() throws {
            try SongList.requireSong(onStandardInput: song.map { [$0] } ?? [], "graph show")
            try drawing.requireOne(("--json", json))
        }

        func run() throws {
            sound.sampleMemory?.use()
            let report = try song.map { try self.report(ofSong: SongList.path($0)) } ?? liveReport()
            try StandardOutput.print(json ? JSONOutput.text(report) : drawing.draw(report))
        }

        private func report(ofSong path: String) throws -> GraphReport {
            // Reading takes long, a block of sound does not.
            let watchdog = StuckCall(over: path, patience: StuckCall.loadPatience)
            defer { watchdog.stop() }
            var options = RenderOptions()
            options.instrument = sound.player
            options.hasEffects = !sound.dry
            options.gain = sound.gain ?? options.gain
            (options.settings, options.seed) = (sound.set, sound.seed)
            do throws(Fault) {
                let file: SongFile
                do { file = try SongReader.read(path: path) } catch { throw Fault(error) }
                let found = SongBank.bank(in: file, path: path)
                if let remark = found.remark { StandardError.print(OneLine.text("\(path): \(remark)")) }
                options.songBank = found.bank
                return try GraphReport(of: file.song, options: options, progress: watchdog.beat)
            } catch { throw Failure.report(error) }
        }

        private func liveReport() throws -> GraphReport {
            let watchdog = StuckCall(over: "carillon live", patience: StuckCall.loadPatience)
            defer { watchdog.stop() }
            var options = LiveOptions()
            options.instrument = sound.player
            options.hasEffects = !sound.dry
            options.gain = sound.gain ?? options.gain
            (options.settings, options.seed) = (sound.set, sound.seed)
            do { return try GraphReport(live: options, progress: watchdog.beat) } catch { throw Failure.report(error) }
        }
    }
}
