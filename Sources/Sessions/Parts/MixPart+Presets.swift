import EngineCore
import Graphs
import Patches
import Reports
import UnitAPI

/// Presets of the units of a running session.
extension MixPart {
    /// Sets a unit, or all units of a type, by a preset: the unit's own, or one of the user's. All of them, or none.
    func set(unit name: String, by preset: String) throws(Fault) {
        // A surface does not choose what files are read.
        guard UnitPreset.isName(preset) else { throw Fault(PatchFileError(notAName: preset, unit: name)) }
        let nodes = try nodes(named: name)
        var presets: [(NodeID, UnitPreset)] = []
        for node in nodes {
            let shelf = shelf(with: preset, of: node.instance.descriptor.name)
            presets.append((node.id, try core.engine.preset(named: preset, for: node.id, on: shelf)))
        }
        try core.engine.apply(presets)
    }

    /// Saves the current values of a unit. `replaces`: a preset of that name is to be there, and goes. Returns the file's path.
    func savePreset(_ preset: String, of name: String, replaces: Bool) throws(Fault) -> String {
        guard let node = try nodes(named: name).first else { return "" }
        let type = node.instance.descriptor.name
        guard let entry = UnitCatalog.named(type) else { throw .unknownUnit(name, known: UnitCatalog.entries.map(\.name)) }
        let value: UnitPreset
        value = try core.engine.preset(of: node.id, named: preset)
        // A request to replace a preset that does not exist most likely has a wrong name.
        if let folder = core.savingFolder { _ = try folder.folder(of: .preset) }
        let shelf = core.savingFolder?.shelf ?? PresetShelf(ofPatchAt: "")
        if replaces, UnitPreset.isName(preset), !entry.descriptor.factoryPresets.contains(where: { $0.name == preset }),
            !shelf.names(of: type).contains(preset)
        {
            throw .presetNotKept(
                preset, unit: type, known: shelf.names(of: type), remedy: "save-preset \(name) \(preset)")
        }
        do {
            let path = try PresetFile.keep(value, of: entry, on: shelf, replaces: replaces)
            core.tell(core.savingFolder?.thin(.preset, keeping: path) ?? [])
            return path
        } catch {
            if case .exists = error.fault {
                throw .presetExists(path: error.path, remedy: "replace-preset \(name) \(preset)")
            }
            throw Fault(error)
        }
    }

    /// The names of a unit's presets: its own, then the user's.
    func presets(of name: String) throws(Fault) -> [String] {
        guard let descriptor = try nodes(named: name).first?.instance.descriptor else { return [] }
        let own = core.savingFolder?.shelf?.names(of: descriptor.name) ?? []
        let kept = PresetShelf(ofPatchAt: "").names(of: descriptor.name).filter { !own.contains($0) }
        return descriptor.factoryPresets.map(\.name) + (own + kept).sorted()
    }

    private func shelf(with preset: String, of unit: String) -> PresetShelf {
        if let own = core.savingFolder?.shelf, own.names(of: unit).contains(preset) { return own }
        return PresetShelf(ofPatchAt: "")
    }

    /// The unit of that name, else all of that type.
    private func nodes(named name: String) throws(Fault) -> [Graph.Node] {
        let nodes = core.engine.graph.nodes
        var meant = nodes.filter { $0.name == name }
        if meant.isEmpty {
            meant = nodes.filter { $0.instance.descriptor.name == name && !$0.owner.isApart }
        }
        if meant.isEmpty { throw .unknownUnit(name, known: core.engine.graph.knownNames) }
        return meant
    }
}
