import ArgumentParser
import Carillon
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
            return try StandardOutput.print(
                JSONOutput.text(
                    .group([
                        (
                            "parameters",
                            .list(
                                rows.map { row in
                                    .group([
                                        ("standard", .text(row.standard)), ("address", .text(row.address)),
                                        ("name", .text(row.name)), ("isFollowed", .flag(row.isFollowed)),
                                        ("effect", .text(row.effect)), ("count", .number(Double(row.count))),
                                    ])
                                })
                        )
                    ])))
        }
        let lines = rows.map { "| `\($0.address)` | \($0.name) | \($0.effect) |" }
        try StandardOutput.print((["| address | parameter | what it does |", "|---|---|---|"] + lines).joined(separator: "\n"))
    }
}
