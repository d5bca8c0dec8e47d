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
        for entry in entries {
            let place = way(key, entry.name)
            switch entry.name {
            case PatchKey.unit, PatchKey.inputs: break
            case PatchKey.role: unit.role = try role(entry.value, key: place)
            case PatchKey.parts:
                let text = try reader.text(entry.value, key: place, of: "a list of parts like 1-16, 26")
                guard let parts = PartList(text) else { throw reader.error(.parts(text), place, entry.value) }
                unit.parts = parts
            case PatchKey.bypass: unit.isBypassed = try reader.flag(entry.value, key: place)
            case PatchKey.values:
                for entry in try reader.mapping(entry.value, key: place, of: "a mapping of parameters") {
                    try setValue(entry, of: &unit, known, key: place)
                }
            case PatchKey.properties:
                for entry in try reader.mapping(entry.value, key: place, of: "a mapping of properties") {
                    guard known.descriptor.properties.contains(entry.name) else {
                        throw reader.error(.unknownKey(entry.name, known: known.descriptor.properties), place, entry.key)
                    }
                    unit.properties[entry.name] = try property(entry.value, key: way(place, entry.name))
                }
            default: try setValue(entry, of: &unit, known, key: key)
            }
        }
        return unit
    }

    private func way(_ keys: String...) -> String { keys.joined(separator: ".") }

    private func role(_ node: FileNode, key: String) throws(PatchFileError) -> UnitRole {
        let text = try reader.text(node, key: key, of: "a role")
        guard let role = UnitRole(rawValue: text) else {
            throw reader.error(.unknownRole(text, known: UnitRole.allCases.map(\.rawValue)), key, node)
        }
        return role
    }

    private func inputs(
        _ node: FileNode, _ descriptor: UnitDescriptor, key: String
    ) throws(PatchFileError) -> Int {
        let text = try reader.text(node, key: key, of: "a number of inputs")
        let least = max(descriptor.inputs.count, 1)
        guard descriptor.repeatsLastInput, let count = Int(text), (least...PatchFile.mostInputs).contains(count) else {
            let fault = PatchFileError.Fault.inputCount(
                text, least: descriptor.repeatsLastInput ? least : descriptor.inputs.count,
                isFixed: !descriptor.repeatsLastInput)
            throw reader.error(fault, key, node)
        }
        return count
    }

    /// One value, or one for each input or band.
    private func setValue(
        _ entry: FileNode.Entry, of unit: inout PatchUnit, _ known: UnitEntry, key: String
    ) throws(PatchFileError) {
        guard let spec = known.parameters.first(where: { $0.name == entry.name }) else {
            let choice = known.parameters.map(\.name) + PatchKey.ofUnit
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
