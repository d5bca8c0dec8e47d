import Glibc
import UnitAPI

/// A preset as a file to write and keep: the unit, and its parameters in the notation of patches.
///
/// ```yaml
/// version: 1
/// unit: graphic-equalizer
/// gain: [5 dB, 4 dB, 2 dB, 0 dB, 0 dB, 0 dB, 0 dB, 1 dB, 2 dB, 2 dB]
/// level: -4 dB
/// ```
/// For a unit whose number of inputs a patch sets, `inputs` is the number that its lists are for: it suits a unit of as many.
/// Control side, any thread.
package enum PresetFile {
    /// The version that is written, and the latest that is read.
    package static let version = 1

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - path: what errors call it.
    ///   - name: what the preset is called.
    ///   - units: the catalogue.
    /// - Returns: the unit's name, and the preset.
    /// - Throws: what is wrong first, with its place.
    package static func read(
        text: String, path: String, name: String, units: [UnitEntry]
    ) throws(PatchFileError) -> (component: String, preset: UnitPreset) {
        try read(text: text, path: path, name: name, units: units, wanted: nil)
    }

    /// Reads a preset, refused if it is not of the unit that is wanted.
    private static func read(
        text: String, path: String, name: String, units: [UnitEntry], wanted: UnitEntry?
    ) throws(PatchFileError) -> (component: String, preset: UnitPreset) {
        let cursor = try FileCursor(text: text, path: path)
        try cursor.checkVersion(Self.version)
        let entries = try cursor.entries("a mapping with version, unit and parameters")
        guard let named = entries.first(where: { $0.name == PatchKey.unit })?.value else {
            throw cursor.error(.missingKey(PatchKey.unit))
        }
        let component = try named.text("the name of a unit")
        if let wanted, component != wanted.name {
            throw named.error(.refused("this is a preset of \(component), and one of \(wanted.name) is wanted"))
        }
        guard let entry = units.first(where: { $0.name == component }) else {
            throw named.error(.unknownUnit(component, known: units.map(\.name)))
        }
        let tables = UnitTables(units: units, shelf: PresetShelf(ofPatchAt: path))
        let unit = try tables.preset(entry).document(cursor)
        var preset = UnitPreset(name, values: unit.values, properties: unit.properties)
        // Values that a shorter list leaves out are at their default, and count all the same.
        if entries.contains(where: { $0.name == PatchKey.inputs }),
            let longest = preset.inputCount(entry.descriptor, entry.parameters), longest < unit.inputCount
        {
            for spec in entry.parameters where spec.scope == .input {
                guard let values = preset.values[spec.name], values.count > 1 else { continue }
                preset.values[spec.name] = UnitPreset.expanded(values, spec, count: unit.inputCount)
            }
        }
        return (component, preset)
    }

    /// Reads the file of a preset of `unit`, of at most `PatchFile.largest` bytes. A pipe is refused, without a wait, as devices
    /// and folders are.
    static func read(path: String, name: String, of unit: UnitEntry) throws(PatchFileError) -> UnitPreset {
        try read(text: source(path: path), path: path, name: name, units: [unit], wanted: unit).preset
    }

    private static func source(path: String) throws(PatchFileError) -> String {
        var status = stat()
        if stat(path, &status) != 0 { throw PatchFileError(.cannotRead(code: errno), path: path) }
        if status.st_mode & S_IFMT != S_IFREG { throw PatchFileError(.notAFile, path: path) }
        if status.st_size > PatchFile.largest { throw PatchFileError(.tooLarge(limit: PatchFile.largest), path: path) }
        return try PatchFile.source(path: path)
    }

    /// A preset of a unit as the text of a file. Reading it gives the preset again.
    ///
    /// - Throws: a setting that the unit does not have.
    package static func text(of preset: UnitPreset, unit: UnitEntry) throws(PatchFileError) -> String {
        var settings = PatchUnit(unit.name, unit.name)
        (settings.values, settings.properties) = (preset.values, preset.properties)
        let inputs = preset.inputCount(unit.descriptor, unit.parameters) ?? 0
        if inputs > unit.descriptor.inputs.count { settings.inputCount = inputs }
        let entries: [FileTree.Entry]
        let tables = UnitTables(units: [unit], shelf: PresetShelf(ofPatchAt: ""))
        do throws(DocumentError) { entries = try tables.presetSettings(settings, unit) } catch { throw error.inFile(preset.name) }
        let text = entries.flatMap { FileText().lines($0, indent: 0) }.map { $0 + "\n" }.joined()
        let again = try read(text: text, path: preset.name, name: preset.name, units: [unit]).preset
        if again != preset { throw PatchFileError(.cannotSay, path: preset.name) }
        return text
    }

    /// Writes a preset among the user's own.
    ///
    /// - Parameter replaces: whether it takes the place of one of that name.
    /// - Returns: the file's path.
    /// - Throws: a name that cannot be one, or that the unit itself has; `exists`; as `write`.
    @discardableResult
    package static func keep(
        _ preset: UnitPreset, of unit: UnitEntry, on shelf: PresetShelf = PresetShelf(ofPatchAt: ""), replaces: Bool = false
    ) throws(PatchFileError) -> String {
        if !UnitPreset.isName(preset.name) { throw PatchFileError(notAName: preset.name, unit: unit.name) }
        if unit.descriptor.factoryPresets.contains(where: { $0.name == preset.name }) {
            throw PatchFileError(
                .refused("\(unit.name) has a preset of its own called \(preset.name); choose another name"), path: unit.name)
        }
        guard let path = shelf.path(of: preset.name, unit: unit.name) else {
            throw PatchFileError(
                .refused("there is no folder for presets: neither XDG_CONFIG_HOME nor HOME names a folder"), path: unit.name)
        }
        var status = stat()
        // A link that leads nowhere is there, too.
        if !replaces, lstat(path, &status) == 0 { throw PatchFileError(.exists, path: path) }
        try write(preset, of: unit, to: path)
        return path
    }

    /// Writes a preset into a file, whole or not at all; folders on the way to it are made.
    ///
    /// - Throws: as `text(of:unit:)`; `cannotWrite`.
    package static func write(_ preset: UnitPreset, of unit: UnitEntry, to path: String) throws(PatchFileError) {
        let text = try text(of: preset, unit: unit)
        var place = path.startIndex
        while let slash = path[place...].dropFirst().firstIndex(of: "/") {
            if mkdir(String(path[..<slash]), 0o777) != 0, errno != EEXIST {
                throw PatchFileError(.cannotWrite(code: errno), path: path)
            }
            place = slash
        }
        try PatchFile.write(text, to: path)
    }
}
