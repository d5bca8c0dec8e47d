import Glibc
import Patch
import UnitAPI

/// A preset as a file that people write and keep: the unit, and its parameters as a patch says them.
///
/// ```yaml
/// version: 1
/// unit: graphic-equalizer
/// gain: [5 dB, 4 dB, 2 dB, 0 dB, 0 dB, 0 dB, 0 dB, 1 dB, 2 dB, 2 dB]
/// level: -4 dB
/// ```
/// Where a unit has as many inputs as a patch says, `inputs` is how many its lists are of: it suits a unit of as many.
/// Control side, any thread.
public enum PresetFile {
    /// The version that is written, and the latest that is read.
    public static let version = 1

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - path: what errors call it.
    ///   - name: what the preset is called.
    ///   - units: the catalogue.
    /// - Returns: the unit's name, and the preset.
    /// - Throws: what is wrong first, with its place.
    public static func read(
        text: String, path: String, name: String, units: [UnitEntry]
    ) throws(PatchFileError) -> (component: String, preset: UnitPreset) {
        try read(text: text, path: path, name: name, units: units, wanted: nil)
    }

    /// Reads a preset, refused where it is not of the unit that is wanted.
    private static func read(
        text: String, path: String, name: String, units: [UnitEntry], wanted: UnitEntry?
    ) throws(PatchFileError) -> (component: String, preset: UnitPreset) {
        let root = try FileNode(text.first == "\u{FEFF}" ? String(text.dropFirst()) : text, path: path)
        let reader = PatchReader(units: units, path: path, shelf: PresetShelf(ofPatchAt: path))
        let entries = try reader.mapping(root, key: "", of: "a mapping with version, unit and parameters")
        func value(_ name: String) -> FileNode? { entries.first { $0.name == name }?.value }
        guard let version = value(PatchKey.version) else {
            throw reader.error(.missingKey("\(PatchKey.version): \(Self.version)"), "", root)
        }
        let number = try reader.text(version, key: PatchKey.version, of: "a number")
        if number != "\(Self.version)" {
            throw reader.error(.version(number, known: Self.version), PatchKey.version, version)
        }
        guard let unit = value(PatchKey.unit) else { throw reader.error(.missingKey(PatchKey.unit), "", root) }
        let component = try reader.text(unit, key: PatchKey.unit, of: "the name of a unit")
        if let wanted, component != wanted.name {
            throw reader.error(
                .refused("this is a preset of \(component), and one of \(wanted.name) is wanted"), PatchKey.unit, unit)
        }
        guard let entry = units.first(where: { $0.name == component }) else {
            throw reader.error(.unknownUnit(component, known: units.map(\.name)), PatchKey.unit, unit)
        }
        return (component, try UnitReader(reader: reader).preset(entries, of: entry, name: name))
    }

    /// Reads a file of at most `PatchFile.largest` bytes. Nobody waits for a pipe: it is refused, as devices and folders are.
    public static func read(
        path: String, name: String, units: [UnitEntry]
    ) throws(PatchFileError) -> (component: String, preset: UnitPreset) {
        try read(text: source(path: path), path: path, name: name, units: units)
    }

    /// Reads the file of a preset of `unit`.
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
    /// - Throws: what the preset says that the unit cannot be.
    public static func text(of preset: UnitPreset, unit: UnitEntry) throws(PatchFileError) -> String {
        var settings = PatchUnit(unit.name, unit.name)
        (settings.values, settings.properties) = (preset.values, preset.properties)
        let inputs = preset.inputCount(unit.descriptor, unit.parameters) ?? 0
        if inputs > unit.descriptor.inputs.count { settings.inputCount = inputs }
        let written = try PatchWriter(units: [unit], path: preset.name).settings(settings, way: preset.name)
        let head: [FileTree.Entry] = [
            .init(key: PatchKey.version, value: .literal("\(version)")), .init(key: PatchKey.unit, value: .text(unit.name)),
        ]
        let text = (head + written).flatMap { FileText().lines($0, indent: 0) }.map { $0 + "\n" }.joined()
        let again = try read(text: text, path: preset.name, name: preset.name, units: [unit]).preset
        if again != preset { throw PatchFileError(.cannotSay, path: preset.name) }
        return text
    }

    /// Writes a preset among those that the person keeps.
    ///
    /// - Parameter replaces: whether it takes the place of one of that name.
    /// - Returns: the file's path.
    /// - Throws: a name that cannot be one, or that the unit itself has; `exists`; as `write`.
    @discardableResult
    public static func keep(
        _ preset: UnitPreset, of unit: UnitEntry, on shelf: PresetShelf = PresetShelf(ofPatchAt: ""), replaces: Bool = false
    ) throws(PatchFileError) -> String {
        if !UnitPreset.isName(preset.name) { throw PatchFileError(notAName: preset.name, unit: unit.name) }
        if unit.descriptor.factoryPresets.contains(where: { $0.name == preset.name }) {
            throw PatchFileError(
                .refused("\(unit.name) has a preset of its own called \(preset.name); choose another name"), path: unit.name)
        }
        guard let path = shelf.path(of: preset.name, unit: unit.name) else {
            throw PatchFileError(
                .refused("there is no home for presets: neither XDG_CONFIG_HOME nor HOME names a folder"), path: unit.name)
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
    public static func write(_ preset: UnitPreset, of unit: UnitEntry, to path: String) throws(PatchFileError) {
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
