import ArgumentParser
import Carillon
import SongFiles

/// `carillon inspect`: what songs hold and ask for, before anything is rendered.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Tell what is in songs: duration, tempo, meter, key, words, channels, presets asked for and found, repairs.",
        discussion: """
            Of several songs each is shown, with an empty line between them, or as one JSON array. One that cannot be \
            read is told in one line and the rest is shown; the exit code is that of the first. A folder stands for the \
            songs that lie in it, - for one on standard input.
            """)

    @Argument(
        help: ArgumentHelp("Songs, and folders of songs; - is standard input.", valueName: "song.mid"),
        completion: .file(extensions: SongList.endings))
    var songs: [String]

    @Option(
        help: ArgumentHelp("Look for presets in this SoundFont; give it again for more.", valueName: "file"),
        completion: .file(extensions: ["sf2", "sf3", "dls", "sfz", "rmi"]))
    var soundfont: [String] = []

    @OptionGroup var bank: BankArguments

    @Flag(help: "Refuse a damaged song instead of repairing it.")
    var strict = false

    @Flag(help: "Print one JSON object, or an array where several songs or a folder are given.")
    var json = false

    func validate() throws { try SongList.requireSong(onStandardInput: songs, "inspect") }

    func run() throws {
        let list = SongList(songs)
        var objects: [SongInspection] = []
        var failure: ExitCode?
        var isFirst = true
        for remark in list.remarks { StandardError.print(Failure.oneLine(remark)) }
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
            let inspection: SongInspection
            do {
                inspection = try SongInspection(
                    path: song, soundFonts: soundfont, isStrict: strict, playsBank: !bank.noEmbeddedBank)
            } catch {
                let code = Failure.report(error, ofSong: song)
                failure = failure ?? code
                continue
            }
            if json {
                objects.append(inspection)
            } else {
                let text = inspection.lines.map(Failure.oneLine).joined(separator: "\n")
                try StandardOutput.print(isFirst ? text : "\n" + text)
            }
            isFirst = false
        }
        if !objects.isEmpty {
            try StandardOutput.print(list.isSingle ? JSONOutput.text(objects[0]) : JSONOutput.text(array: objects))
        }
        if let failure { throw failure }
    }
}
