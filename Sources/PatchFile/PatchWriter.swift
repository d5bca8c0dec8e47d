import Patch
import UnitAPI

/// Says what a patch becomes in a file.
struct PatchWriter {
    let units: [UnitEntry]
    let path: String

    /// The whole file.
    func tree(_ patch: Patch) throws(PatchFileError) -> FileTree {
        do { try patch.check() } catch { throw PatchFileError(.patch(error), path: path) }
        let version = FileTree.Entry(key: PatchKey.version, value: .literal("\(PatchFile.version)"))
        var entries = [version] + (try entries(patch, key: ""))
        if !patch.zones.isEmpty {
            let zones = patch.zones.map { FileTree.Entry(key: $0.name, value: .mapping(ZoneReader.entries($0))) }
            entries.append(.init(key: PatchKey.zones, value: .mapping(zones), isOrdered: true))
        }
        let clock = ports(patch.clock).map { FileTree.Entry(key: PatchKey.clock, value: $0) }
        if patch.controllers.isEmpty && patch.scenes.isEmpty { return .mapping(entries + (clock.map { [$0] } ?? [])) }
        let flat: Patch
        do { flat = try patch.flattened() } catch { throw PatchFileError(.patch(error), path: path) }
        func add<Item>(
            _ key: String, _ items: [Item], _ name: (Item) -> String,
            _ write: (Item) throws(PatchFileError.Fault) -> [FileTree.Entry]
        ) throws(PatchFileError) {
            if items.isEmpty { return }
            var written: [FileTree.Entry] = []
            for item in items {
                do { written.append(.init(key: name(item), value: .mapping(try write(item)))) } catch {
                    throw PatchFileError(error, path: path, key: "\(key).\(name(item))")
                }
            }
            entries.append(.init(key: key, value: .mapping(written), isOrdered: true))
        }
        try add(PatchKey.controllers, patch.controllers, \.name) { (map) throws(PatchFileError.Fault) in
            try ControlReader.entries(map, in: flat, units: units)
        }
        try add(PatchKey.scenes, patch.scenes, \.name) { (scene) throws(PatchFileError.Fault) in
            try SceneReader.entries(scene, in: flat, units: units)
        }
        if let clock { entries.append(clock) }
        return .mapping(entries)
    }

    private func entries(_ patch: Patch, key: String) throws(PatchFileError) -> [FileTree.Entry] {
        var entries: [FileTree.Entry] = []
        func add(_ key: String, _ value: FileTree?) { if let value { entries.append(.init(key: key, value: value)) } }
        add(PatchKey.soundFonts, patch.soundFonts.isEmpty ? nil : .list(patch.soundFonts.map { .init(text: $0, parts: [$0]) }))
        var units: [FileTree.Entry] = []
        for unit in patch.units {
            let way = key + unit.name
            units.append(.init(key: unit.name, value: .mapping(try settings(unit, way: way)), type: unit.component))
        }
        if !units.isEmpty { entries.append(.init(key: PatchKey.units, value: .mapping(units), isOrdered: true)) }
        var patches: [FileTree.Entry] = []
        for nested in patch.patches {
            let inside = try self.entries(nested.patch, key: key + nested.name + ".")
            patches.append(.init(key: nested.name, value: .mapping(inside)))
        }
        if !patches.isEmpty { entries.append(.init(key: PatchKey.patches, value: .mapping(patches), isOrdered: true)) }
        let names = PortNames(patch, units: self.units)
        try check(patch, names)
        add(
            PatchKey.connections,
            patch.connections.isEmpty
                ? nil
                : .list(
                    names.rows(patch.connections).map { row in
                        .init(text: row.text, parts: row.edges.map { names.text($0) })
                    }))
        add(PatchKey.inputs, ports(patch.inputs.map { names.text($0, isOutput: false) }))
        add(PatchKey.outputs, ports(patch.outputs.map { names.text($0, isOutput: true) }))
        return entries
    }

    private func ports(_ texts: [String]) -> FileTree? {
        switch texts.count {
        case 0: nil
        case 1: .text(texts[0])
        default: .list(texts.map { .init(text: $0, parts: [$0]) })
        }
    }

    /// Refuses buses that no unit has: a file that names them would not be read.
    private func check(_ patch: Patch, _ names: PortNames) throws(PatchFileError) {
        func check(_ port: PatchPort, _ isOutput: Bool) throws(PatchFileError) {
            guard let buses = names.buses(of: port.unit, isOutput: isOutput) else { return }
            if !(0..<buses.count).contains(port.bus) {
                throw PatchFileError(
                    .unknownBus(
                        "\(port.bus)", of: port.unit, direction: isOutput ? "output" : "input", known: buses.choices),
                    path: path)
            }
        }
        // Music finds whoever hears it, whatever its inputs are.
        func hears(_ port: PatchPort) -> Bool {
            port.bus == 0 && names.buses(of: port.unit, isOutput: false)?.hearsMusic == true
        }
        for edge in patch.connections {
            try check(edge.from, true)
            if !names.carriesMusic(edge.from) || !hears(edge.to) { try check(edge.to, false) }
        }
        for port in patch.inputs where !hears(port) { try check(port, false) }
        for port in patch.outputs { try check(port, true) }
    }

    /// Returns what stands at the keys of a unit.
    func settings(_ unit: PatchUnit, way: String) throws(PatchFileError) -> [FileTree.Entry] {
        func fault(_ fault: PatchFileError.Fault, _ key: String? = nil) -> PatchFileError {
            PatchFileError(fault, path: path, key: key.map { "\(way).\($0)" } ?? way)
        }
        guard let known = units.first(where: { $0.name == unit.component }) else {
            throw fault(.unknownUnit(unit.component, known: units.map(\.name)))
        }
        let descriptor = known.descriptor
        var entries: [FileTree.Entry] = []
        func add(_ key: String, _ value: FileTree) { entries.append(.init(key: key, value: value)) }
        if unit.component != unit.name { add(PatchKey.unit, .text(unit.component)) }
        if let role = unit.role { add(PatchKey.role, .text(role.rawValue)) }
        if !unit.parts.isEmpty { add(PatchKey.parts, .setting(unit.parts.description)) }
        if unit.inputCount != 0 {
            let least = max(descriptor.inputs.count, 1)
            guard descriptor.repeatsLastInput, (least...PatchFile.mostInputs).contains(unit.inputCount) else {
                throw fault(.inputCount("\(unit.inputCount)", descriptor), PatchKey.inputs)
            }
            add(PatchKey.inputs, .literal("\(unit.inputCount)"))
        }
        if unit.isBypassed { add(PatchKey.bypass, .text("on")) }
        if let preset = unit.preset, known.takesPresets { add(PatchKey.preset, .text(preset.name)) }
        // As they are declared; names that mean something else in a unit stand apart.
        var apart: [FileTree.Entry] = []
        for spec in known.parameters {
            if unit.isAsPreset(spec, known) { continue }
            // What the preset names and is at its default all the same is said.
            let initial = unit.preset?.values[spec.name].map { _ in
                spec.bandInitials.isEmpty ? [spec.initial] : spec.bandInitials
            }
            guard let values = unit.values[spec.name] ?? initial else { continue }
            let most = spec.elementCount(
                inputs: max(unit.inputCount, descriptor.inputs.count), bands: descriptor.bands)
            if values.isEmpty || values.count > most { throw fault(.valueCount(values.count, most: most), spec.name) }
            var texts: [FileTree] = []
            for value in values {
                guard let text = spec.fileTree(value) else {
                    let bounds = (spec.text(spec.range.lowerBound), spec.text(spec.range.upperBound))
                    throw fault(.value(.outOfRange(parameter: spec.name, text: "\(value)", low: bounds.0, high: bounds.1)))
                }
                texts.append(text)
            }
            let entry = FileTree.Entry(key: spec.name, value: texts.count == 1 ? texts[0] : .row(texts))
            if PatchKey.of(known).contains(spec.name) { apart.append(entry) } else { entries.append(entry) }
        }
        let names = known.parameters.map(\.name)
        if let name = unit.values.keys.sorted().first(where: { !names.contains($0) }) {
            throw fault(.unknownKey(name, known: names))
        }
        if !apart.isEmpty { add(PatchKey.values, .mapping(apart)) }
        var properties: [FileTree.Entry] = []
        for (name, value) in unit.properties.sorted(by: { $0.key < $1.key }) {
            if unit.preset?.properties[name] == value { continue }
            guard descriptor.properties.contains(name) else {
                throw fault(.unknownKey(name, known: descriptor.properties), PatchKey.properties)
            }
            guard let tree = Self.tree(value) else { throw fault(.notFinite, "\(PatchKey.properties).\(name)") }
            properties.append(.init(key: name, value: tree))
        }
        if !properties.isEmpty { add(PatchKey.properties, .mapping(properties)) }
        return entries
    }

    /// nil for a number that is none.
    private static func tree(_ value: PropertyValue) -> FileTree? {
        switch value {
        case .flag(let flag): return .literal("\(flag)")
        case .integer(let number): return .literal("\(number)")
        case .number(let number): return number.isFinite ? .literal("\(number)") : nil
        case .text(let text): return .text(text)
        case .list(let values):
            let trees = values.compactMap(tree)
            return trees.count == values.count ? .row(trees) : nil
        }
    }
}
