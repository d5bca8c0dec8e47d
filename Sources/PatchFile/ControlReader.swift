import Patch
import UnitAPI

/// Controllers of a patch in a file, both ways; and what they share with scenes.
struct ControlReader {
    let reader: PatchReader
    /// The patch without anything nested: what parameters may belong to.
    let patch: Patch

    private static let keys = ["control", "parameter", "from", "to", "curve", "pick-up", "passes", "keyboard", "channels"]

    /// The controller of an entry.
    func controller(_ entry: FileNode.Entry, key: String) throws(PatchFileError) -> ControllerMap {
        let entries = try reader.mapping(entry.value, key: key, of: "a mapping with control, parameter, ...")
        if let unknown = entries.first(where: { !Self.keys.contains($0.name) }) {
            throw reader.error(.unknownKey(unknown.name, known: Self.keys), key, unknown.key)
        }
        func node(_ name: String) throws(PatchFileError) -> FileNode {
            if let entry = entries.first(where: { $0.name == name }) { return entry.value }
            throw reader.error(.missingKey("\(name): \(name == "control" ? "1" : "reverb.decay")"), key, entry.key)
        }
        let word = try reader.text(node("control"), key: "\(key).control", of: "a controller, bend or pressure")
        guard let control = ControllerMap.Control(word) else {
            throw try reader.error(
                .wrongKind(expected: "a controller from 0 to 119, bend or pressure"), "\(key).control", node("control"))
        }
        let place = try node("parameter")
        let address = try address(place, key: "\(key).parameter")
        var map = ControllerMap(entry.name, control, moves: address)
        let spec = try spec(of: address, key: "\(key).parameter", at: place)
        for entry in entries {
            let node = entry.value, place = "\(key).\(entry.name)"
            switch entry.name {
            case "control", "parameter": break
            case "from": map.from = try value(node, of: spec, place)
            case "to": map.to = try value(node, of: spec, place)
            case "curve":
                let text = try reader.text(node, key: place, of: "linear or logarithmic")
                guard let curve = ParameterSpec.Curve(name: text) else {
                    throw reader.error(.wrongKind(expected: "linear or logarithmic"), place, node)
                }
                map.curve = curve
            case "pick-up": map.picksUp = try reader.flag(node, key: place)
            case "passes": map.passes = try reader.flag(node, key: place)
            case "keyboard": map.keyboard = try reader.text(node, key: place, of: "a keyboard's name")
            case "channels": map.channels = try reader.channels(node, place)
            default: break
            }
        }
        return map
    }

    // MARK: - What scenes need too

    /// The parameter that a text names, as far as its form goes.
    func address(_ node: FileNode, key: String) throws(PatchFileError) -> ParameterAddress {
        let text = try reader.text(node, key: key, of: "a parameter like reverb.decay")
        guard let address = ParameterAddress(text) else {
            throw reader.error(.wrongKind(expected: "a parameter like reverb.decay or mixer.gain[1]"), key, node)
        }
        return address
    }

    /// Finds the declaration of a parameter.
    func spec(
        of address: ParameterAddress, key: String, at node: FileNode
    ) throws(PatchFileError) -> ParameterSpec {
        do { return try Self.spec(of: address, in: patch, units: reader.units) } catch {
            throw reader.error(error, key, node)
        }
    }

    /// Finds the declaration of a parameter for a caller that has no place in a file.
    static func spec(
        of address: ParameterAddress, in patch: Patch, units: [UnitEntry]
    ) throws(PatchFileError.Fault) -> ParameterSpec {
        guard let unit = patch[unit: address.unit] else {
            throw .unknownName(address.unit, known: patch.units.map(\.name).sorted())
        }
        guard let known = units.first(where: { $0.name == unit.component }) else {
            throw .unknownUnit(unit.component, known: units.map(\.name))
        }
        guard let spec = known.parameters.first(where: { $0.name == address.parameter }) else {
            throw .unknownKey(address.parameter, known: known.parameters.map(\.name))
        }
        if spec.applies == .atStart { throw .value(.onlyAtStart(parameter: spec.name)) }
        let count = spec.elementCount(
            inputs: max(unit.inputCount, known.descriptor.inputs.count), bands: known.descriptor.bands)
        if let element = address.element, element >= count {
            throw .value(.outOfRange(parameter: spec.name, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]"))
        }
        return spec
    }

    func value(_ node: FileNode, of spec: ParameterSpec, _ key: String) throws(PatchFileError) -> Float {
        try reader.value(node, of: spec, key)
    }
}

extension ControlReader {
    /// Returns what a controller says in a file; what is as it always is is left out.
    static func entries(
        _ map: ControllerMap, in patch: Patch, units: [UnitEntry]
    ) throws(PatchFileError.Fault) -> [FileTree.Entry] {
        var entries: [FileTree.Entry] = []
        func add(_ key: String, _ value: FileTree?) { if let value { entries.append(.init(key: key, value: value)) } }
        let spec = try spec(of: map.parameter, in: patch, units: units)
        add("keyboard", map.keyboard.map(FileTree.text))
        add("channels", map.channels.isEmpty ? nil : .setting(map.channels.description))
        add("control", .setting(map.control.text))
        add("parameter", .text(map.parameter.description))
        add("from", try map.from.map { (value) throws(PatchFileError.Fault) in try text(value, of: spec) })
        add("to", try map.to.map { (value) throws(PatchFileError.Fault) in try text(value, of: spec) })
        add("curve", map.curve.map { .text($0.name) })
        add("pick-up", map.picksUp ? .text("on") : nil)
        add("passes", map.passes ? .text("on") : nil)
        return entries
    }

    /// A value as it is written; throws for one out of range.
    static func text(_ value: Float, of spec: ParameterSpec) throws(PatchFileError.Fault) -> FileTree {
        if let text = spec.fileTree(value) { return text }
        let bounds = (spec.text(spec.range.lowerBound), spec.text(spec.range.upperBound))
        throw .value(.outOfRange(parameter: spec.name, text: "\(value)", low: bounds.0, high: bounds.1))
    }
}
