import ArgumentParser
import Carillon
import Corpus
import Reports

/// `carillon soundfont`: what is in a SoundFont, and what is wrong with it.
struct SoundFontCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soundfont",
        abstract: "Show what a SoundFont contains (SF2, SF3, DLS, SFZ, or one inside a song), and any faults in it.")

    @Argument(
        help: "The SoundFont, or a song (.rmi) that has one in it.",
        completion: .file(extensions: ["sf2", "sf3", "dls", "sfz", "rmi"]))
    var file: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let watchdog = StuckCall(over: file, patience: StuckCall.loadPatience)
        let inspection: SoundFontInspection
        do { inspection = try SoundFontInspection(path: file) } catch {
            throw Failure.report(Fault(error))
        }
        watchdog.stop()
        try StandardOutput.print(
            json ? JSONOutput.text(inspection.fieldValue) : inspection.lines.map(OneLine.text).joined(separator: "\n"))
    }
}
