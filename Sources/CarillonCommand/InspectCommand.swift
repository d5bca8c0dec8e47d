import ArgumentParser
import Carillon
import Corpus
import Reports
import SongFiles

/// `carillon inspect`: what songs hold and ask for, before anything is rendered.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what songs contain: duration, tempo, meter, key, words, channels, presets requested and found, repairs.",
        discussion: """
            Several songs are listed in a table, or as --csv or --json for programs; --full shows each in detail. A song that \
            cannot be read is reported in one line, and the others are shown; the exit code is that of the first failure. --measure \
            renders each without output and adds loudness, peaks, voices, load, and the notes that are not heard, with the reason. A folder means the \
            songs in it, a list (.m3u) those that it names, - one on standard input.
            """)

    @Argument(
        help: ArgumentHelp("Songs, and folders and lists (.m3u) of songs; - is standard input.", valueName: "song.mid"),
        completion: .file(extensions: SongList.namedEndings))
    var songs: [String]

    @Option(
        help: ArgumentHelp("Search presets in this SoundFont. Can be given more than once.", valueName: "file"),
        completion: .file(extensions: ["sf2", "sf3", "dls", "sfz", "rmi"]))
    var soundfont: [String] = []

    @OptionGroup var bank: SettingGroup<ReadingSettings>

    @Flag(help: "Reject damaged songs instead of repairing them.")
    var strict = false

    @Flag(help: "Print one JSON object, or an array for several songs or a folder.")
    var json = false

    @Flag(help: "Print comma-separated values, a line per song.")
    var csv = false

    @Flag(help: "Show each of several songs in full instead of in a table.")
    var full = false

    @Flag(help: "Render each song and add loudness, peaks, voices, load, and notes that are not heard.")
    var measure = false

    func validate() throws {
        if [json, csv, full].count(where: { $0 }) > 1 { throw ValidationError("--json, --csv and --full exclude each other") }
        try SongList.requireSong(onStandardInput: songs, "inspect")
    }

    func run() throws {
        let list = SongList(songs)
        var found: [SongInspection] = []
        var failure: ExitCode?
        for remark in list.remarks { StandardError.print(OneLine.text(remark)) }
        for entry in list.songs {
            let song: String
            switch entry {
            case .success(let path): song = path
            case .failure(let reason):
                let code = Failure.report(reason.row, exitCode: reason.exitCode)
                failure = failure ?? code
                continue
            }
            let watchdog = StuckCall(over: song, patience: StuckCall.loadPatience)
            defer { watchdog.stop() }
            var one: SongInspection
            do throws(Fault) {
                one = try SongInspection(
                    path: song, soundFonts: soundfont, isStrict: strict, playsBank: !bank.noEmbeddedBank,
                    textEncoding: bank.textEncoding)
                watchdog.stop()
                if measure { one.measurement = try measured(song) }
            } catch {
                let code = Failure.report(error)
                failure = failure ?? code
                continue
            }
            if isInFull(list) {
                let text = Self.text(one)
                try StandardOutput.print(found.isEmpty ? text : "\n" + text)
            }
            found.append(one)
        }
        if found.isEmpty { if let failure { throw failure } else { return } }
        let table = InspectTable(found, isMeasured: measure)
        if json {
            try StandardOutput.print(
                list.isSingle ? JSONOutput.text(found[0].fieldValue) : JSONOutput.text(array: found.map(\.fieldValue)))
        } else if csv {
            try StandardOutput.print(table.csv)
        } else if !isInFull(list) {
            try StandardOutput.print(table.lines.joined(separator: "\n"))
        }
        if let failure { throw failure }
    }

    private func isInFull(_ list: SongList) -> Bool { !json && !csv && (full || list.isSingle) }

    private static func text(_ song: SongInspection) -> String {
        var lines = song.lines
        if let measured = song.measurement {
            let figures = [
                "at most \(measured.voices) voices", "load \(RenderJob.fixed(measured.load * 100, 1)) % of a processor",
                "\(measured.unheardNotes) notes not heard",
            ]
            lines.append(
                "measured: "
                    + (RenderLevel.measuredFields.compactMap { $0.phrase(of: measured.level) } + figures).joined(separator: ", "))
            lines += measured.reasons.filter { !song.remarks.contains($0) }.map { "  \($0)" }
        }
        return lines.map(OneLine.text).joined(separator: "\n")
    }

    private func measured(_ path: String) throws(Fault) -> SongMeasurement {
        let file: SongFile
        do { file = try SongReader.read(path: path, strict: strict) } catch { throw Fault(error) }
        var options = RenderOptions()
        options.instrument = .soundFont(soundfont)
        options.blockFrames = 1024
        options.songBank = SongBank.bank(in: file, path: path, isWanted: !bank.noEmbeddedBank).bank
        let watchdog = StuckCall(over: path, patience: StuckCall.renderPatience)
        defer { watchdog.stop() }
        return try SongMeasurement(file.song, options: options, processorTime: { SteadyClock.processorSeconds }) {
            watchdog.beat()
            return true
        }
    }
}
