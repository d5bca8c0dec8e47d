import UnitAPI

/// Presets of a patch that goes into a file, or is in one.
extension PatchFile {
    /// Returns the presets that a file at `path` cannot name, so that `text` and `update` write their values out, as sentences.
    public static func lostPresets(of patch: Patch, path: String, units: [UnitEntry]) -> [String] {
        patch.canonical(units).lostPresets(on: PresetShelf(ofPatchAt: path), units).map { unit, preset in
            "\(path): \(unit): preset \(preset) is not available there; its values are written out"
        }
    }

    /// Returns the files in which presets that a text names are looked for, whether they are there or not; nil for a text that
    /// is no YAML.
    public static func presetFiles(source: String, path: String, units: [UnitEntry]) -> [String]? {
        let root: FileNode
        do { root = try FileCursor(text: source, path: path).node } catch { return nil }
        let shelf = PresetShelf(ofPatchAt: path)
        var files: [String] = []
        for (unit, preset) in presets(in: root) {
            guard let entry = units.first(where: { $0.name == unit }), entry.takesPresets,
                !entry.descriptor.factoryPresets.contains(where: { $0.name == preset }),
                let file = shelf.file(of: preset, unit: unit), !files.contains(file)
            else { continue }
            files.append(file)
        }
        return files
    }

    /// Returns the presets that units of a patch and of those inside name, even if they have other faults.
    private static func presets(in node: FileNode) -> [(unit: String, preset: String)] {
        node[PatchKey.units].entries.compactMap { entry in
            guard let preset = entry.value[PatchKey.preset].text else { return nil }
            return (entry.value[PatchKey.unit].text ?? entry.name, preset)
        } + node[PatchKey.patches].entries.flatMap { presets(in: $0.value) }
    }
}

extension Patch {
    /// The patch for a file that finds its presets on `shelf`: units whose preset is missing or different have values alone.
    func shelved(on shelf: PresetShelf, _ units: [UnitEntry]) -> Patch {
        var patch = self
        for index in patch.units.indices {
            guard let preset = patch.units[index].preset else { continue }
            let entry = units.first { $0.name == patch.units[index].component }
            if let name = entry.flatMap({ shelf.name(of: preset, $0) }) {
                patch.units[index].preset?.name = name
            } else {
                patch.units[index].preset = nil
            }
        }
        patch.patches = patches.map { SubPatch($0.name, $0.patch.shelved(on: shelf, units)) }
        return patch
    }

    /// The units that `shelved` leaves without the preset that they have, and what each of these is called.
    fileprivate func lostPresets(on shelf: PresetShelf, _ units: [UnitEntry]) -> [(unit: String, preset: String)] {
        zip(self.units, shelved(on: shelf, units).units).compactMap { unit, shelved in
            unit.preset.flatMap { shelved.preset == nil ? (unit.name, $0.name) : nil }
        }
            + patches.flatMap { nested in
                nested.patch.lostPresets(on: shelf, units).map { ("\(nested.name).\($0)", $1) }
            }
    }
}

extension FileNode? {
    fileprivate subscript(name: String) -> FileNode? { entries.first { $0.name == name }?.value }

    fileprivate var entries: [FileNode.Entry] { if case .mapping(let entries)? = self?.content { entries } else { [] } }

    fileprivate var text: String? { if case .scalar(let text, _)? = self?.content { text } else { nil } }
}

extension FileNode {
    fileprivate subscript(name: String) -> FileNode? { Optional(self)[name] }
}
