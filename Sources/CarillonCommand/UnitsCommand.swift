import ArgumentParser
import Carillon
import Corpus
import Glibc
import Patches
import PlugIns
import Reports
import UnitAPI

/// `carillon units`: what units there are, and what each parameter means; from the declarations, so never out of date.
struct UnitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "units", abstract: "List the units, or the parameters of one unit, for --set.",
        discussion: """
            Examples:
              carillon units
              carillon units reverb
              carillon units strip-1 --json
              carillon units --plug-ins
              carillon units lv2:mda-delay
            """)

    @Argument(help: "The unit, by its type or its name in songs (strip-1); by default all.")
    var name: String?

    @Flag(help: "List the installed LV2 plug-ins instead, including those that cannot be units.")
    var plugIns = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print Markdown, as in the documentation's reference.")
    var markdown = false

    func validate() throws {
        if json && markdown { throw ValidationError("--json and --markdown exclude each other") }
        if plugIns && (name != nil || markdown) {
            throw ValidationError("--plug-ins lists all plug-ins; leave the unit and --markdown out")
        }
    }

    func run() throws {
        if plugIns {
            let found: [PlugInDescription]
            do { found = try PlugInCatalog.all() } catch { throw Failure.report("\(error)", exitCode: 69) }
            let text = PlugInList(plugIns: found).text(isJSON: json)
            return try StandardOutput.print(json ? text : UnitReference.fitted(text, width: Self.width))
        }
        var units = UnitReference.all, plugIn: PlugInDescription?
        if let name, PlugInCatalog.isName(name) {
            do {
                try UnitCatalog.addPlugIn(name)
                plugIn = try PlugInCatalog.named(name)
            } catch {
                throw Failure.report("\(error); carillon units --plug-ins lists all", exitCode: 69)
            }
        }
        if let name {
            guard let unit = UnitReference.named(name) else {
                throw Failure.report(
                    "\(ParameterError.unknownUnitName(name, known: UnitReference.names)); carillon units lists them", exitCode: 64
                )
            }
            units = [unit]
        }
        if json {
            try StandardOutput.print(JSONOutput.text(FieldValue.group([("units", .list(units.map(\.fieldValue)))])))
        } else if markdown {
            try StandardOutput.print(UnitReference.markdown(units))
        } else {
            let text = UnitReference.text(units, isDetailed: name != nil, width: Self.width)
            var more = name == nil ? "\n\ncarillon units NAME lists a unit's parameters." : ""
            if name != nil { for unit in units { more += Self.presets(of: unit.name) } }
            if let plugIn { more += "\n\n" + PlugInList.particulars(of: plugIn) }
            try StandardOutput.print(text + UnitReference.fitted(more, width: Self.width))
        }
    }
}

extension UnitsCommand {
    /// Columns that a line may have; nil means as many as it needs, in a file or a pipe.
    fileprivate static var width: Int? { isatty(1) == 1 ? TerminalSize.now.columns : nil }

    /// The user's presets of a unit, and those of them that cannot be used, each with the reason.
    fileprivate static func presets(of unit: String) -> String {
        guard let entry = UnitCatalog.named(unit) else { return "" }
        let shelf = PresetShelf(ofPatchAt: ""), unusable = shelf.unusable(of: entry)
        let good = shelf.names(of: unit).filter { name in !unusable.contains { $0.name == name } }
        return (good.isEmpty ? "" : "\n\n  presets of yours: \(good.joined(separator: ", "))")
            + (unusable.isEmpty ? "" : "\n")
            + unusable.map { "\n  cannot be used: \($0.name): \($0.reason)" }.joined()
    }
}
