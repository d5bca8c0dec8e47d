import ArgumentParser
import Carillon
import Document
import Patches
import Reports

/// `carillon list order`.
struct ListOrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Print the order of a set list, or move entries to another place.",
        discussion: """
            The entries that are named are moved, in the order in which they are named. Comments and ways of writing stay. The \
            file is written whole, or not at all.
            """)

    @Argument(help: ArgumentHelp("The list.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Argument(help: ArgumentHelp("Entries to be moved; without any, the order is printed.", valueName: "entry"))
    var names: [String] = []

    @Option(help: ArgumentHelp("The place of the first of them, from 1. (default: 1)", valueName: "place"))
    var to: Int?

    func validate() throws {
        if let to, to < 1 { throw ValidationError("--to: \(to): places count from 1") }
        if to != nil, names.isEmpty { throw ValidationError("--to: name the entries that are to be moved") }
    }

    func run() throws {
        let list: SetList
        do { list = try moved() } catch let error as DocumentError { throw Failure.report(error) } catch let error
            as SetList.UnknownEntry
        {
            let choice = NearName.choice(error.name, among: error.known)
            throw Failure.report("\(file): there is no entry \"\(error.name)\"; \(choice)", exitCode: 64)
        }
        let width = list.entries.map { TextColumns.count($0.name) }.max() ?? 0
        let lines = list.entries.enumerated().map { place, entry in
            let number = TextColumns.rightAligned("\(place + 1)", to: 3)
            let what = [entry.patch, entry.song, entry.isSkipped ? "skipped" : nil].compactMap(\.self).joined(separator: ", ")
            return "\(number)  \(TextColumns.padded(entry.name, to: width))  \(what)"
        }
        try StandardOutput.print(lines.map(OneLine.text).joined(separator: "\n"))
    }

    /// The list, whose file has the new order.
    private func moved() throws -> SetList {
        let source = try PatchFile.source(path: file)
        var list = try SetList(text: source, path: file)
        if names.isEmpty { return list }
        try list.move(names, to: to ?? 1)
        let text = try list.update(source: source)
        if text != source { try PatchFile.write(text, to: file) }
        return list
    }
}
