import ArgumentParser
import Carillon
import Patches
import Reports

/// `carillon patch`: files of units and their connections.
struct PatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patch",
        abstract: "Write, check and show patches: files that define units, their settings and connections.",
        discussion: """
            A patch is a YAML file. carillon patch new writes a commented one; carillon render --patch plays a song through \
            it. An invalid patch is rejected with the line, the key and the name that was probably meant.

            Examples:
              carillon patch new
              carillon patch new layer-pad --output pad.yaml
              carillon patch check organ.yaml
              carillon patch show organ.yaml --svg > organ.svg
              carillon patch schema > carillon-patch.json
              carillon patch convert evening.patch --output evening.yaml
              carillon patch preset organ.yaml organ --output my-organ.yaml
            """,
        subcommands: [
            PatchNewCommand.self, PatchCheckCommand.self, PatchShowCommand.self, PatchSchemaCommand.self,
            PatchConvertCommand.self, PatchPresetCommand.self,
        ])
}

extension Failure {
    /// Prints every fault in the file, one per line; of a file that is something else only that.
    static func report(_ error: PatchFileError) -> ExitCode {
        if let hint = MistakenFile.hint(error) { return report(hint, exitCode: error.exitCode) }
        let code = report("\(error)", exitCode: error.exitCode)
        for other in error.others { _ = report("\(other)", exitCode: other.exitCode) }
        return code
    }

    static func report(_ error: Fault, ofPatch path: String) -> ExitCode {
        let code = (error.origin as? UnitError)?.exitCode ?? 78
        return report("\(path): \(error)", exitCode: code == 64 ? 78 : code)
    }
}

/// `carillon patch new`.
struct PatchNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a commented example; without a name, list the examples.")

    @Argument(help: ArgumentHelp("The example.", valueName: "name"), completion: .list(PatchExample.all.map(\.name)))
    var name: String?

    @OptionGroup var output: PatchOutput

    func validate() throws {
        if name == nil, output.output != nil { throw ValidationError("--output: name the example that is to be written") }
    }

    func run() throws {
        guard let name else {
            let width = (PatchExample.all.map(\.name.count).max() ?? 0) + 2
            let lines = PatchExample.all.map { TextColumns.padded($0.name, to: width) + $0.summary }
            return try StandardOutput.print(lines.joined(separator: "\n"))
        }
        guard let example = PatchExample.named(name) else {
            let names = PatchExample.all.map(\.name)
            throw Failure.report(
                "there is no example \"\(name)\"; \(NearName.choice(name, among: names)); carillon patch new lists them",
                exitCode: 64)
        }
        let text: String
        do { text = try example.text } catch { throw Failure.report("\(error)", exitCode: 70) }
        try output.write(text)
    }
}

/// `carillon patch check`.
struct PatchCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether patches can play, and report errors and likely mistakes with their lines.")

    @OptionGroup var checked: CheckedFiles

    func run() throws { try checked.each(check) }

    private func check(_ file: String) throws {
        let (read, _) = try PatchLoading.engine(file)
        let patch = read.patch
        try checked.show(read.remarks + read.remarks(at: file))
        let edges = patch.edgeCount, units = patch.unitCount
        try StandardOutput.print(
            OneLine.text(
                "\(file): it plays: \(units) \(units == 1 ? "unit" : "units"), \(edges) "
                    + (edges == 1 ? "connection" : "connections")))
        for shared in read.sharedParts { try StandardOutput.print(OneLine.text("\(file): \(shared)")) }
    }
}

extension Patch {
    fileprivate var edgeCount: Int { patches.reduce(connections.count) { $0 + $1.patch.edgeCount } }
}

/// `carillon patch show`.
struct PatchShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Draw the graph of a patch.")

    @Argument(help: ArgumentHelp("The patch.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @OptionGroup var drawing: DrawingArguments

    func validate() throws { try drawing.requireOne() }

    func run() throws {
        let engine = try PatchLoading.engine(file).engine
        let outside = drawing.isText ? engine.patch.outside.map(OneLine.text) : []
        let drawn = drawing.draw(GraphReport(engine))
        try StandardOutput.print((outside.isEmpty ? [drawn] : [drawn, ""] + outside).joined(separator: "\n"))
    }
}

/// `carillon patch schema`.
struct PatchSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of patches, for completion and checks in editors.")

    func run() throws { try StandardOutput.print(PatchSchema.text(units: UnitCatalog.entries)) }
}

/// `carillon patch convert`.
struct PatchConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a patch of an older version, or one written by a program, to the current format.")

    @Argument(help: ArgumentHelp("The patch.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var output: PatchOutput

    func run() throws {
        let text: String
        do throws(PatchFileError) {
            let read = try PatchFile(path: file), isOfToday = read.version == PatchFile.version
            let units = UnitCatalog.entries, path = output.path ?? "the patch"
            let lost = PatchFile.lostPresets(of: read.patch, path: path, units: units)
            let remarks =
                isOfToday
                ? ["\(file): has version \(read.version) already\(lost.isEmpty ? "; written as it is" : "")"]
                : read.remarks.map(\.description)
            for sentence in remarks + lost { StandardError.print(OneLine.text(sentence)) }
            text =
                isOfToday && lost.isEmpty
                ? try PatchFile.source(path: file)
                : try Self.text(of: read, from: file, to: path)
        } catch { throw Failure.report(error) }
        try output.write(text)
    }

    /// A file of today's version keeps its comments and order, as long as it can be changed so.
    private static func text(of read: PatchFile, from file: String, to path: String) throws(PatchFileError) -> String {
        let units = UnitCatalog.entries
        if read.version == PatchFile.version {
            do throws(PatchFileError) {
                let source = try PatchFile.source(path: file)
                return try PatchFile.update(source: source, at: file, to: read.patch, path: path, units: units)
            } catch {
                guard case .cannotKeep = error.fault else { throw error }
            }
        }
        return try PatchFile.text(of: read.patch, path: path, units: units)
    }
}
