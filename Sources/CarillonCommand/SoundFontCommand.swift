import ArgumentParser
import Carillon
import Corpus
import Reports

/// `carillon soundfont`: what is in a SoundFont, and what is wrong with it; without a file, which one plays.
struct SoundFontCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soundfont",
        abstract: "Show what a SoundFont contains (SF2, SF3, DLS, SFZ, or one inside a song), and any faults in it.",
        discussion: """
            Without a file: the SoundFont that plays unless another is named, why, and the General MIDI SoundFonts that are \
            known, the best first, with their size, their licence, the gain that live and play give them, and the file or how \
            to get it.

            Examples:
              carillon soundfont
              carillon soundfont --json
              carillon soundfont embedded
            """)

    @Argument(
        help: "The SoundFont, or a song (.rmi) that has one in it; none: those that are installed.",
        completion: .file(extensions: ["sf2", "sf3", "dls", "sfz", "rmi"]))
    var file: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let watchdog = StuckCall(over: file ?? "SoundFonts", patience: StuckCall.loadPatience)
        let report: FieldValue, lines: [String]
        do throws(SoundFontError) {
            if let file {
                let inspection = try SoundFontInspection(path: file)
                (report, lines) = (inspection.fieldValue, inspection.lines)
            } else {
                let table = try SoundFontTable()
                (report, lines) = (table.fieldValue, table.lines)
            }
        } catch { throw Failure.report(Fault(error)) }
        watchdog.stop()
        try StandardOutput.print(json ? JSONOutput.text(report) : lines.map(OneLine.text).joined(separator: "\n"))
    }
}
