import Patch
import UnitAPI

/// Makes a unit of a patch of its entry in the file, by what the catalogue says of it.
struct UnitReader {
    let reader: PatchReader

    /// The unit of an entry.
    func unit(_ entry: FileNode.Entry, key: String) throws(PatchFileError) -> PatchUnit {
        let entries = try reader.mapping(entry.value, key: key, of: "a mapping with unit, role, parameters, ...")
        func node(_ name: String) -> FileNode? { entries.first { $0.name == name }?.value }
        let names = reader.units.map(\.name)
        var component = entry.name
        if let node = node(PatchKey.unit) {
            component = try reader.text(node, key: way(key, PatchKey.unit), of: "the name of a unit")
        }
        guard let known = reader.units.first(where: { $0.name == component }) else {
            throw reader.error(
                .unknownUnit(component, known: names), way(key, PatchKey.unit), node(PatchKey.unit) ?? entry.key)
        }
        var unit = PatchUnit(entry.name, component)
        // What values may be depends on how many inputs there are.
        if let node = node(PatchKey.inputs) {
            unit.inputCount = try inputs(node, known.descriptor, key: way(key, PatchKey.inputs))
        }
        try settle(&unit, entries, known, key: key, choice: known.parameters.map(\.name) + PatchKey.of(known))
        if known.takesPresets, let node = node(PatchKey.preset) {
            try setPreset(node, of: &unit, known, key: way(key, PatchKey.preset))
        }
        return unit
    }

    /// The parameters and properties of a preset's file, whose keys are those of a unit without its place in a patch; the
    /// inputs that its lists are of where a patch says how many there are.
    func preset(
        _ entries: [FileNode.Entry], of known: UnitEntry, name: String
    ) throws(PatchFileError) -> UnitPreset {
        let descriptor = known.descriptor
        let place = PatchKey.ofPlace.filter { $0 != PatchKey.inputs || !descriptor.repeatsLastInput }
        let keys = PatchKey.of(known).filter { !place.contains($0) }
        let choice = known.parameters.map(\.name) + [PatchKey.version] + keys
        for entry in entries where place.contains(entry.name) && PatchKey.of(known).contains(entry.name) {
            throw reader.error(.unknownKey(entry.name, known: choice), "", entry.key)
        }
        var unit = PatchUnit(known.name, known.name)
        if let node = entries.first(where: { $0.name == PatchKey.inputs })?.value, descriptor.repeatsLastInput {
            unit.inputCount = try inputs(node, descriptor, key: PatchKey.inputs)
        }
        let said = unit.inputCount
        // Without the word the lists themselves say how many there are.
        if said == 0, descriptor.repeatsLastInput { unit.inputCount = PatchFile.mostInputs }
        try settle(&unit, entries.filter { $0.name != PatchKey.version }, known, key: "", choice: choice)
        var preset = UnitPreset(name, values: unit.values, properties: unit.properties)
        // What a shorter list leaves out is at its default, and still one of so many.
        if let longest = preset.inputCount(descriptor, known.parameters), longest < said {
            for spec in known.parameters where spec.scope == .input {
                guard let values = preset.values[spec.name], values.count > 1 else { continue }
                preset.values[spec.name] = UnitPreset.expanded(values, spec, count: said)
            }
        }
        return preset
    }

    /// Sets it by a preset; what stands beside goes before.
    private func setPreset(
        _ node: FileNode, of unit: inout PatchUnit, _ known: UnitEntry, key: String
    ) throws(PatchFileError) {
        let name = try reader.text(node, key: key, of: "the name of a preset, or of its file")
        // Somebody else's unit knows its presets itself.
        if known.descriptor.properties.contains(PatchKey.preset) {
            if let other = unit.properties[PatchKey.preset], other != .text(name) {
                throw reader.error(.duplicateKey, key, node)
            }
            unit.properties[PatchKey.preset] = .text(name)
            return
        }
        let preset: UnitPreset
        do throws(PresetShelf.Missing) { preset = try reader.shelf.found(name, of: known) } catch {
            switch error {
            case .here(let fault): throw reader.error(fault, key, node)
            case .there(let error): throw reader.error(.inside(error, kind: "preset"), key, node)
            }
        }
        let count = max(unit.inputCount, known.descriptor.inputs.count)
        if let misfit = preset.misfit(inputs: count, known.descriptor, known.parameters) {
            throw reader.error(.refused("preset \(name): \(misfit)"), key, node)
        }
        let (values, properties) = (unit.values, unit.properties)
        unit.set(by: preset)
        unit.values.merge(values) { $1 }
        unit.properties.merge(properties) { $1 }
        unit = unit.canonical(known)
    }

    /// Takes over what stands at the keys of a unit; `choice` is what may stand there.
    private func settle(
        _ unit: inout PatchUnit, _ entries: [FileNode.Entry], _ known: UnitEntry, key: String, choice: [String]
    ) throws(PatchFileError) {
        for entry in entries {
            let place = way(key, entry.name)
            switch entry.name {
            case PatchKey.unit, PatchKey.inputs: break
            case PatchKey.preset where known.takesPresets: break
            case PatchKey.role: unit.role = try role(entry.value, key: place)
            case PatchKey.parts:
                let text = try reader.text(entry.value, key: place, of: "a list of parts like 1-16, 26")
                guard let parts = PartList(text) else { throw reader.error(.parts(text), place, entry.value) }
                unit.parts = parts
            case PatchKey.bypass: unit.isBypassed = try reader.flag(entry.value, key: place)
            case PatchKey.values:
                for entry in try reader.mapping(entry.value, key: place, of: "a mapping of parameters") {
                    try setValue(entry, of: &unit, known, key: place, choice: known.parameters.map(\.name))
                }
            case PatchKey.properties:
                for entry in try reader.mapping(entry.value, key: place, of: "a mapping of properties") {
                    guard known.descriptor.properties.contains(entry.name) else {
                        throw reader.error(.unknownKey(entry.name, known: known.descriptor.properties), place, entry.key)
                    }
                    unit.properties[entry.name] = try property(entry.value, key: way(place, entry.name))
                }
            default: try setValue(entry, of: &unit, known, key: key, choice: choice)
            }
        }
    }

    private func way(_ keys: String...) -> String { keys.filter { !$0.isEmpty }.joined(separator: ".") }

    private func role(_ node: FileNode, key: String) throws(PatchFileError) -> UnitRole {
        let text = try reader.text(node, key: key, of: "a role")
        guard let role = UnitRole(rawValue: text) else {
            throw reader.error(.unknown(text, kind: "role", known: UnitRole.allCases.map(\.rawValue)), key, node)
        }
        return role
    }

    private func inputs(
        _ node: FileNode, _ descriptor: UnitDescriptor, key: String
    ) throws(PatchFileError) -> Int {
        let text = try reader.text(node, key: key, of: "a number of inputs")
        let least = max(descriptor.inputs.count, 1)
        guard descriptor.repeatsLastInput, let count = Int(text), (least...PatchFile.mostInputs).contains(count) else {
            throw reader.error(.inputCount(text, descriptor), key, node)
        }
        return count
    }

    /// One value, or one for each input or band.
    private func setValue(
        _ entry: FileNode.Entry, of unit: inout PatchUnit, _ known: UnitEntry, key: String, choice: [String]
    ) throws(PatchFileError) {
        guard let spec = known.parameters.first(where: { $0.name == entry.name }) else {
            throw reader.error(.unknownKey(entry.name, known: choice), key, entry.key)
        }
        let place = way(key, entry.name)
        if unit.values[spec.name] != nil { throw reader.error(.duplicateKey, place, entry.key) }
        let inputs = max(unit.inputCount, known.descriptor.inputs.count)
        let most = spec.elementCount(inputs: inputs, bands: known.descriptor.bands)
        var items = [entry.value]
        if case .list(let list) = entry.value.content { items = list }
        if items.isEmpty || items.count > most { throw reader.error(.valueCount(items.count, most: most), place, entry.value) }
        var values: [Float] = []
        for item in items {
            let text = try reader.text(item, key: place, of: "a value, \(spec.valid),")
            do { values.append(try spec.fileValue(text)) } catch { throw reader.error(.value(error), place, item) }
        }
        unit.values[spec.name] = values
    }

    /// true, 3, 3.5, text or a list of them; what has quotes is text.
    private func property(_ node: FileNode, key: String) throws(PatchFileError) -> PropertyValue {
        switch node.content {
        case .list(let items):
            var values: [PropertyValue] = []
            for item in items { values.append(try property(item, key: key)) }
            return .list(values)
        case .mapping: throw reader.error(.wrongKind(expected: "a value or a list"), key, node)
        case .scalar(let text, isPlain: false): return .text(text)
        case .scalar(let text, isPlain: true):
            guard let value = PropertyText.value(text) else {
                throw reader.error(text.isEmpty ? .wrongKind(expected: "a value or a list") : .notFinite, key, node)
            }
            return value
        }
    }
}
