import ArgumentParser

/// `carillon keys`: the keys of the screens, from the table that they are played by.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List the keys of the screens of live and play.",
        discussion: """
            Examples:
              carillon keys
            """)

    @Flag(help: "Print Markdown, as in the documentation's reference.")
    var markdown = false

    func run() throws {
        let table = KeyTable(.live)
        try StandardOutput.print(markdown ? table.markdown : table.help(in: .init(hasSongs: true)).joined(separator: "\n"))
    }
}

extension KeyTable {
    /// The keys as a page of the reference.
    var markdown: String {
        let rows = bindings.compactMap { row in
            row.shown.map { "| `\($0)` | \(row.help) | \(row.scope == .all ? "" : "\(row.scope)") |" }
        }
        return """
            # Keys

            The keys of the screens of `live` and `play`. A key means the same in both; those that need keyboards are in `live` alone.

            Made by `carillon keys --markdown`; a test compares.

            | key | | with |
            |---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }
}
