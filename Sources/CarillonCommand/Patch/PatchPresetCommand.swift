import ArgumentParser
import Carillon
import Patches

/// `carillon patch preset`: how a unit of a patch is set, as a preset for other patches.
struct PatchPresetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Save the settings of a patch's unit as a preset, for preset: in other patches.",
        discussion: """
            A saved preset is in $XDG_CONFIG_HOME/carillon/presets (~/.config if that is not set), in a folder \
            for each unit, and any patch may name it: preset: my-hall. A preset in a file of its own is named with its \
            folder: preset: ./my-hall.yaml.

            Examples:
              carillon patch preset organ.yaml reverb
              carillon patch preset organ.yaml reverb --keep my-hall
              carillon patch preset organ.yaml reverb --output my-hall.yaml
            """)

    @Argument(help: ArgumentHelp("The patch.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Argument(help: ArgumentHelp("The unit, by its name in the patch.", valueName: "unit"))
    var unit: String

    @Option(help: ArgumentHelp("Save it among your presets under this name.", valueName: "name"))
    var keep: String?

    @OptionGroup var output: PatchOutput

    func validate() throws {
        if keep != nil, output.output != nil { throw ValidationError("--keep and --output exclude each other") }
        if output.existing.force, keep == nil, output.path == nil {
            throw ValidationError("--force: goes with --keep or --output")
        }
    }

    func run() throws {
        let engine = try PatchLoading.engine(file).engine
        guard let node = engine.graph.node(named: unit) else {
            let known = engine.graph.nodes.map(\.name)
            throw Failure.report("\(file): \(ParameterError.unknownUnitName(unit, known: known))", exitCode: 64)
        }
        guard let entry = UnitCatalog.named(node.instance.descriptor.name) else {
            throw Failure.report("\(file): \(unit): is not in the catalogue", exitCode: 70)
        }
        let text: String
        do {
            let preset = try engine.preset(of: node.id, named: keep ?? unit)
            if keep != nil {
                return try StandardOutput.print(try PresetFile.keep(preset, of: entry, replaces: output.existing.force))
            }
            text = try PresetFile.text(of: preset, unit: entry)
        } catch let error as PatchFileError {
            // A name that cannot be is an argument.
            if case .refused = error.fault { throw Failure.report("--keep: \(error)", exitCode: 64) }
            if case .exists = error.fault {
                throw Failure.report(ExistingFile.refusal(error.path), exitCode: 73)
            }
            throw Failure.report(error)
        } catch let error as Fault { throw Failure.report(error, ofPatch: file) }
        try output.write(text)
    }
}
