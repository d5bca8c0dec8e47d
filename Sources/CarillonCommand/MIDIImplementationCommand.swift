import ArgumentParser
import Carillon
import Corpus
import Glibc
import MIDI
import Reports

/// `carillon midi-implementation`: the System Exclusive addresses, from the table that songs are played by.
struct MIDIImplementationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi-implementation", abstract: "List the parameters of GS, XG and GM2 that songs can set.",
        discussion: """
            Examples:
              carillon midi-implementation
              carillon midi-implementation --json
            """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print Markdown, as in the documentation's reference.")
    var markdown = false

    func validate() throws {
        if json && markdown { throw ValidationError("--json and --markdown exclude each other") }
    }

    func run() throws {
        let rows = ExclusiveParameter.rows
        if json {
            try StandardOutput.print(JSONOutput.text(FieldValue.group([("parameters", .list(rows.map(\.fieldValue)))])))
        } else if markdown {
            try StandardOutput.print(ExclusiveParameter.markdown)
        } else {
            let width = isatty(1) == 1 ? TerminalSize.now.columns : nil
            let text = rows.map { "\($0.name) (\($0.address)): \($0.effect)" }.joined(separator: "\n")
            try StandardOutput.print(UnitReference.fitted(text, width: width))
        }
    }
}

extension ExclusiveParameter.Row {
    fileprivate var fieldValue: FieldValue {
        .group([
            ("standard", .text(standard)), ("address", .text(address)), ("name", .text(name)), ("isFollowed", .flag(isFollowed)),
            ("effect", .text(effect)), ("count", .number(Double(count))),
        ])
    }
}
