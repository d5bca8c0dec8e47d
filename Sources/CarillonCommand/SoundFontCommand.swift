import ArgumentParser
import Carillon

/// `carillon soundfont`: what is in a SoundFont, and what is wrong with it.
struct SoundFontCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soundfont", abstract: "Tell what is in a SoundFont (SF2, SF3, DLS) and what is wrong with it.")

    @Argument(help: "The SoundFont.", completion: .file(extensions: ["sf2", "sf3", "dls"]))
    var file: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let watchdog = Watchdog(over: file, unfinished: nil)
        watchdog.start()
        let inspection: SoundFontInspection
        do { inspection = try SoundFontInspection(path: file) } catch {
            throw Failure.report(error.description, exitCode: error.exitCode)
        }
        watchdog.stop()
        if json { print(JSONOutput.text(inspection)) } else { print(inspection.text) }
    }
}
