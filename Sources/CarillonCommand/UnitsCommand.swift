import ArgumentParser
import Carillon
import UnitAPI

/// `carillon units`: what units there are, and what each parameter means; from the declarations, so never out of date.
struct UnitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "units", abstract: "List the units; of one unit its parameters, for --set.",
        discussion: """
            Examples:
              carillon units
              carillon units reverb
              carillon units strip-1 --json
            """)

    @Argument(help: "The unit, by its type or its name in songs (strip-1); all of them where it is left out.")
    var name: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print Markdown: the reference in the documentation is made this way.")
    var markdown = false

    func validate() throws {
        if json && markdown { throw ValidationError("--json and --markdown exclude each other") }
    }

    func run() throws {
        var units = UnitReference.all
        if let name {
            guard let unit = UnitReference.named(name) else {
                throw Failure.report(
                    "\(ParameterError.unknownUnitName(name, known: UnitReference.names))", exitCode: 64)
            }
            units = [unit]
        }
        if json {
            try StandardOutput.print(JSONOutput.text(UnitList(units: units)))
        } else if markdown {
            try StandardOutput.print(UnitReference.markdown(units))
        } else {
            let text = UnitReference.text(units, isDetailed: name != nil)
            try StandardOutput.print(name == nil ? text + "\n\ncarillon units NAME lists a unit's parameters." : text)
        }
    }
}

/// The object that `carillon units --json` prints.
private struct UnitList: Encodable {
    let units: [UnitReference]
}
