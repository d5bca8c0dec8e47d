import ArgumentParser
import Carillon
import SongFiles

/// `carillon inspect`: what a song holds and asks for, before anything is rendered.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Tell what is in a song: duration, tracks, channels, presets asked for and found, repairs.")

    @Argument(
        help: ArgumentHelp("The song.", valueName: "song.mid"), completion: .file(extensions: ["mid", "rmi", "kar"]))
    var song: String

    @Option(help: ArgumentHelp("Look for presets in this SoundFont; give it again for more.", valueName: "file"),
            completion: .file(extensions: ["sf2", "sf3", "dls"]))
    var soundfont: [String] = []

    @Flag(help: "Refuse a damaged song instead of repairing it.")
    var strict = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let watchdog = StuckCall(over: song, patience: StuckCall.loadPatience)
        let inspection: SongInspection
        do {
            inspection = try SongInspection(path: song, soundFonts: soundfont, isStrict: strict)
        } catch { throw Failure.report(error, ofSong: song) }
        watchdog.stop()
        try StandardOutput.print(
            json ? JSONOutput.text(inspection) : inspection.lines.map(Failure.oneLine).joined(separator: "\n"))
    }
}
