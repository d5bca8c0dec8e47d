import Document
import Glibc
import UnitAPI

/// Finds presets by the name that a patch has for them: the unit's own, the user's
/// (`$XDG_CONFIG_HOME/carillon/presets/UNIT/NAME.yaml`), and files, from the patch's folder on if their name has a slash.
///
/// Control side, any thread.
public struct PresetShelf: Sendable {
    /// The folder of the file that names the presets: empty, or with a slash at its end.
    let folder: String
    /// The folder of the user's presets; nil means none.
    let kept: String?

    /// The reason why there is no preset: a fault of the place that names it, or one in its own file.
    enum Missing: Error {
        case here(PatchFileError.Fault)
        case there(PatchFileError)
    }

    /// The shelf of a patch in the file `path`.
    ///
    /// - Parameter kept: the folder of the user's presets, in it one for each unit.
    public init(ofPatchAt path: String, kept: String? = Self.userFolder) {
        folder = FileFolder(of: path).path
        self.kept = kept
    }

    /// `$XDG_CONFIG_HOME/carillon/presets`, else `~/.config/carillon/presets`; nil if there is no home.
    public static var userFolder: String? {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (value("XDG_CONFIG_HOME") ?? value("HOME").map { $0 + "/.config" }).map { $0 + "/carillon/presets" }
    }

    /// Returns the path of the user's preset of a unit; nil if there is no home.
    public func path(of name: String, unit: String) -> String? { kept.map { "\($0)/\(unit)/\(name).yaml" } }

    /// The file in which a preset of that name is looked for, whether it is there or not; nil for a name that no file has.
    func file(of name: String, unit: String) -> String? {
        if !name.contains("/") { return UnitPreset.isName(name) ? path(of: name, unit: unit) : nil }
        if name.hasPrefix("/") { return name }
        var rest = name[...]
        while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
        return folder + rest
    }

    /// Returns the name that a file here gives a preset: its own, or that of a file that was named from elsewhere on; nil if
    /// that is not available, or is another preset.
    func name(of preset: UnitPreset, _ unit: UnitEntry) -> String? {
        var names = [preset.name]
        if !folder.isEmpty, preset.name.hasPrefix(folder) {
            let rest = String(preset.name.dropFirst(folder.count))
            names.insert(rest.contains("/") ? rest : "./" + rest, at: 0)
        }
        return names.first { name in
            var wanted = preset
            wanted.name = name
            // What cannot be read is not available.
            do throws(Missing) { return try found(name, of: unit) == wanted } catch { return false }
        }
    }

    /// Returns the names of the user's presets of a unit, in order; `unusable` lists those that cannot be used.
    public func names(of unit: String) -> [String] { files(of: unit).filter(UnitPreset.isName) }

    /// Returns the user's presets of a unit that cannot be used, in order, each with the reason.
    public func unusable(of unit: UnitEntry) -> [(name: String, reason: String)] {
        files(of: unit.name).compactMap { name in
            if !UnitPreset.isName(name) {
                return (name, "\(PatchFileError(notAName: name, unit: unit.name).fault)")
            }
            if unit.descriptor.factoryPresets.contains(where: { $0.name == name }) {
                return (name, "\(unit.name) has a preset of its own called \(name), which takes precedence; rename the file")
            }
            do throws(Missing) { _ = try found(name, of: unit) } catch {
                switch error {
                case .here(let fault): return (name, "\(fault)")
                case .there(let error): return (name, "\(error)")
                }
            }
            return nil
        }
    }

    /// Lists the names of the files of a unit's folder before their ending, in order.
    private func files(of unit: String) -> [String] {
        let names = kept.flatMap { FolderNames(in: "\($0)/\(unit)") }?.sorted ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// The preset called `name`.
    func found(_ name: String, of unit: UnitEntry) throws(Missing) -> UnitPreset {
        let factory: [UnitPreset]
        do { factory = try unit.factoryPresets() } catch { throw .here(.refused("\(error)")) }
        if let preset = factory.first(where: { $0.name == name }) { return preset }
        let own = name.contains("/") ? [] : names(of: unit.name)
        guard name.contains("/") || own.contains(name), let file = file(of: name, unit: unit.name) else {
            if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                throw .here(.refused("\"\(name)\" is no name of a preset; write ./\(name) for a file beside the patch"))
            }
            throw .here(.unknownPreset(name, unit: unit.name, known: factory.map(\.name) + own))
        }
        do { return try PresetFile.read(path: file, name: name, of: unit) } catch { throw .there(error) }
    }

    /// Returns the user's preset, or the unit's own, of that name.
    ///
    /// - Parameter user: the unit that the preset is for, as errors name it; nil means as its type.
    /// - Throws: `unknownPreset` with the names that there are, and what is wrong with a file.
    public func preset(
        _ name: String, of unit: UnitEntry, for user: String? = nil
    ) throws(PatchFileError) -> UnitPreset {
        do throws(Missing) { return try found(name, of: unit) } catch {
            switch error {
            case .here(let fault): throw PatchFileError(fault, path: user ?? unit.name)
            case .there(let error): throw PatchFileError(.inside(error, kind: "preset"), path: user ?? unit.name)
            }
        }
    }
}
