import ArgumentParser
import Carillon
import UnitAPI

/// `carillon units`: what units there are, and what each parameter means; from the declarations, so never out of date.
struct UnitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "units", abstract: "List the units and their parameters, for --set and patch files.")

    @Argument(help: "The unit; all of them where it is left out.")
    var name: String?

    @Flag(help: "Print a JSON array.")
    var json = false

    @Flag(help: "Print Markdown: the reference in the documentation is made this way.")
    var markdown = false

    func validate() throws {
        if json && markdown { throw ValidationError("--json and --markdown exclude each other") }
    }

    func run() throws {
        var units = UnitReference.all
        if let name {
            units = units.filter { $0.name == name }
            if units.isEmpty {
                let known = UnitReference.all.map(\.name).joined(separator: ", ")
                throw Failure.report("there is no unit \"\(name)\"; there are \(known)", exitCode: 64)
            }
        }
        if json {
            try StandardOutput.print(JSONOutput.text(array: units))
        } else if markdown {
            try StandardOutput.print(UnitReference.markdown(units))
        } else {
            try StandardOutput.print(UnitReference.text(units, isDetailed: name != nil))
        }
    }
}
