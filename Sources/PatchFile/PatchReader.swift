import Patch
import UnitAPI

/// Makes a patch of a file's nodes, and says the place of what cannot be.
struct PatchReader: FileReading {
    let units: [UnitEntry]
    let path: String
    let shelf: PresetShelf

    /// The whole file.
    func document(_ root: FileNode) throws(PatchFileError) -> Patch {
        let entries = try mapping(root, key: "", of: "a mapping with version, units, ...")
        guard let version = entries.first(where: { $0.name == PatchKey.version }) else {
            throw error(.missingKey("\(PatchKey.version): \(PatchFile.version)"), "", root)
        }
        let text = try self.text(version.value, key: PatchKey.version, of: "a number")
        if text != "\(PatchFile.version)" {
            throw error(.version(text, known: PatchFile.version), PatchKey.version, version.value)
        }
        let more = [PatchKey.version, PatchKey.zones, PatchKey.controllers, PatchKey.scenes, PatchKey.clock]
        var patch = try self.patch(root, key: "", depth: 1, more: more)
        var zones: [FileNode.Entry] = []
        if let node = entries.first(where: { $0.name == PatchKey.zones })?.value {
            zones = try mapping(node, key: PatchKey.zones, of: "a mapping of zones by name")
            let reader = ZoneReader(reader: self)
            for zone in zones { patch.zones.append(try reader.zone(zone, key: way(PatchKey.zones, zone.name))) }
        }
        try check(patch, root, zones)
        let flat: Patch
        do { flat = try patch.flattened() } catch { throw self.error(.patch(error), "", root) }
        let reader = ControlReader(reader: self, patch: flat)
        var controls: [FileNode.Entry] = []
        if let node = entries.first(where: { $0.name == PatchKey.controllers })?.value {
            controls = try mapping(node, key: PatchKey.controllers, of: "a mapping of controllers by name")
            for entry in controls {
                patch.controllers.append(try reader.controller(entry, key: way(PatchKey.controllers, entry.name)))
            }
        }
        try check(patch, root, controls)
        if let node = entries.first(where: { $0.name == PatchKey.scenes })?.value {
            controls = try mapping(node, key: PatchKey.scenes, of: "a mapping of scenes by name")
            for entry in controls {
                patch.scenes.append(try SceneReader(reader).scene(entry, key: way(PatchKey.scenes, entry.name)))
            }
        }
        try check(patch, root, controls)
        if let clock = entries.first(where: { $0.name == PatchKey.clock }) {
            var items = [clock.value]
            if case .list(let list) = clock.value.content { items = list }
            if case .scalar("", isPlain: true) = clock.value.content { items = [] }
            for item in items {
                patch.clock.append(try self.text(item, key: PatchKey.clock, of: "a part of the name of a MIDI port, or a list"))
            }
            try check(patch, root, [clock])
        }
        return patch
    }

    /// Whatever holds of patches and is not known here. A fault of one of `entries` has its place there.
    private func check(_ patch: Patch, _ root: FileNode, _ entries: [FileNode.Entry]) throws(PatchFileError) {
        do { try patch.check() } catch {
            var place = root
            switch error {
            case .zone(let name, _), .controller(let name, _), .scene(let name, _):
                place = entries.first { $0.name == name }?.key ?? root
            case .clock: place = entries.first { $0.name == PatchKey.clock }?.value ?? root
            default: break
            }
            throw self.error(.patch(error), "", place)
        }
    }

    private func patch(
        _ node: FileNode, key: String, depth: Int, more: [String] = []
    ) throws(PatchFileError) -> Patch {
        var patch = Patch()
        if depth > Patch.deepest { throw error(.patch(.tooDeep(limit: Patch.deepest)), key, node) }
        let entries = try mapping(node, key: key, of: "a mapping with units, connections, ...")
        for entry in entries where !PatchKey.ofPatch.contains(entry.name) && !more.contains(entry.name) {
            let known = Array(more.prefix(1)) + PatchKey.ofPatch + more.dropFirst()
            throw error(.unknownKey(entry.name, known: known), key, entry.key)
        }
        func value(_ name: String) -> FileNode? { entries.first { $0.name == name }?.value }
        if let node = value(PatchKey.soundFonts) {
            for item in try list(node, key: way(key, PatchKey.soundFonts), of: "a list of SoundFont files") {
                patch.soundFonts.append(try text(item, key: way(key, PatchKey.soundFonts), of: "the name of a file"))
            }
        }
        if let node = value(PatchKey.units) {
            let reader = UnitReader(reader: self)
            for entry in try mapping(node, key: way(key, PatchKey.units), of: "a mapping of units by name") {
                try checkName(entry, key: way(key, PatchKey.units))
                patch.units.append(try reader.unit(entry, key: way(key, PatchKey.units, entry.name)))
            }
        }
        if let node = value(PatchKey.patches) {
            for entry in try mapping(node, key: way(key, PatchKey.patches), of: "a mapping of patches by name") {
                try checkName(entry, key: way(key, PatchKey.patches), beside: patch.units)
                let inside = try self.patch(entry.value, key: way(key, PatchKey.patches, entry.name), depth: depth + 1)
                patch.patches.append(SubPatch(entry.name, inside))
            }
        }
        let names = PortNames(patch, units: units)
        if let node = value(PatchKey.connections) {
            patch.connections = try connections(node, names, patch, key: way(key, PatchKey.connections))
        }
        if let node = value(PatchKey.inputs) {
            patch.inputs = try ports(node, names, isOutput: false, key: way(key, PatchKey.inputs))
        }
        if let node = value(PatchKey.outputs) {
            patch.outputs = try ports(node, names, isOutput: true, key: way(key, PatchKey.outputs))
        }
        return patch
    }

    private func checkName(
        _ entry: FileNode.Entry, key: String, beside units: [PatchUnit]? = nil
    ) throws(PatchFileError) {
        let isName = Patch.isName(entry.name) && (units == nil || !entry.name.contains("."))
        if !isName { throw error(.patch(.badName(entry.name)), key, entry.key) }
        let dotted = entry.name + "."
        if let units, units.contains(where: { $0.name == entry.name || $0.name.hasPrefix(dotted) }) {
            throw error(.patch(.duplicateName(entry.name)), key, entry.key)
        }
    }

    private func connections(
        _ node: FileNode, _ names: PortNames, _ patch: Patch, key: String
    ) throws(PatchFileError) -> [PatchConnection] {
        var connections: [PatchConnection] = []
        for item in try list(node, key: key, of: "a list of connections") {
            let row = try text(item, key: key, of: "a connection like organ -> reverb -> mixer[1]")
            do throws(PortNames.Misplaced) {
                for edge in try names.edges(row) {
                    if edge.from.unit == edge.to.unit, patch.patches.contains(where: { $0.name == edge.to.unit }) {
                        throw PortNames.Misplaced(
                            fault: .patch(.belongsInside(edge.description, patch: edge.to.unit)), offset: 0)
                    }
                    connections.append(edge)
                }
            } catch {
                throw PatchFileError(
                    error.fault, path: path, key: key, line: item.line, column: item.column + (item.isPlain ? error.offset : 0))
            }
        }
        return connections
    }

    private func ports(
        _ node: FileNode, _ names: PortNames, isOutput: Bool, key: String
    ) throws(PatchFileError) -> [PatchPort] {
        var ports: [PatchPort] = []
        var items = [node]
        if case .list(let list) = node.content { items = list }
        for item in items {
            let text = try text(item, key: key, of: "a bus, or a list of them")
            do throws(PatchFileError.Fault) {
                let port = try names.port(text[...], isOutput: isOutput, isMusic: nil)
                if ports.contains(port) { throw .patch(.duplicatePort(text, patch: "")) }
                ports.append(port)
            } catch { throw self.error(error, key, item) }
        }
        return ports
    }
}

extension PatchReader {
    /// The channels of a keyboard.
    func channels(_ node: FileNode, _ key: String) throws(PatchFileError) -> PartList {
        let text = try text(node, key: key, of: "a list of channels like 1-4, 10")
        guard let channels = PartList(text) else { throw error(.parts(text), key, node) }
        return channels
    }
}
