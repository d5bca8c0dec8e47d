import Patch
import UnitAPI

/// Scenes of a patch in a file, both ways.
struct SceneReader {
    let controls: ControlReader
    private var reader: PatchReader { controls.reader }

    init(_ controls: ControlReader) { self.controls = controls }

    private static let keys = ["morph", "values", "zones", "program", "key", "controller", "keyboard", "channels"]
    private static let morph = ParameterSpec(
        "morph", 0...Float(Scene.longestMorph), default: 0, unit: .seconds, help: "How long values take to their targets.")

    /// The scene of an entry.
    func scene(_ entry: FileNode.Entry, key: String) throws(PatchFileError) -> Scene {
        var scene = Scene(entry.name)
        for entry in try reader.mapping(entry.value, key: key, of: "a mapping with morph, values, program, ...") {
            let node = entry.value, place = "\(key).\(entry.name)"
            switch entry.name {
            case "morph": scene.morph = Double(try controls.value(node, of: Self.morph, place))
            case "values":
                for entry in try reader.mapping(node, key: place, of: "a mapping of parameters like reverb.decay: 2 s") {
                    let address = try controls.address(entry.key, key: place)
                    let spec = try controls.spec(of: address, key: place, at: entry.key)
                    scene.values[address] = try controls.value(entry.value, of: spec, "\(place).\(entry.name)")
                }
            case "zones":
                var zones: [String] = []
                for item in try reader.list(node, key: place, of: "a list of zones") {
                    zones.append(try reader.text(item, key: place, of: "a zone's name"))
                }
                scene.zones = zones
            case "program": scene.program = try reader.number(node, 0...127, place)
            case "key":
                guard let span = KeySpan(try reader.text(node, key: place, of: "a key")), span.keys.count == 1 else {
                    throw reader.error(.wrongKind(expected: "a key like C1 or 24"), place, node)
                }
                scene.key = Int(span.keys.lowerBound)
            case "controller": scene.controller = try reader.number(node, 0...119, place)
            case "keyboard": scene.keyboard = try reader.text(node, key: place, of: "a keyboard's name")
            case "channels": scene.channels = try reader.channels(node, place)
            default: throw reader.error(.unknownKey(entry.name, known: Self.keys), key, entry.key)
            }
        }
        return scene
    }

    /// Returns what a scene says in a file; what is as it always is is left out.
    static func entries(
        _ scene: Scene, in patch: Patch, units: [UnitEntry]
    ) throws(PatchFileError.Fault) -> [FileTree.Entry] {
        var entries: [FileTree.Entry] = []
        func add(_ key: String, _ value: FileTree?) { if let value { entries.append(.init(key: key, value: value)) } }
        func number(_ value: Int?) -> FileTree? { value.map { .literal("\($0)") } }
        if scene.morph != 0 {
            guard Double(Float(scene.morph)) == scene.morph else {
                throw .value(
                    .outOfRange(
                        parameter: "morph", text: "\(scene.morph)", low: "0 s", high: "\(Int(Scene.longestMorph)) s"))
            }
            add("morph", try ControlReader.text(Float(scene.morph), of: Self.morph))
        }
        add("keyboard", scene.keyboard.map(FileTree.text))
        add("channels", scene.channels.isEmpty ? nil : .setting(scene.channels.description))
        add("program", number(scene.program))
        add("key", scene.key.map { .text(KeySpan(UInt8($0)...UInt8($0)).description) })
        add("controller", number(scene.controller))
        add("zones", scene.zones.map { .row($0.map(FileTree.text)) })
        var values: [FileTree.Entry] = []
        for (parameter, value) in scene.sortedValues {
            let spec = try ControlReader.spec(of: parameter, in: patch, units: units)
            values.append(.init(key: parameter.description, value: try ControlReader.text(value, of: spec)))
        }
        add("values", values.isEmpty ? nil : .mapping(values))
        return entries
    }
}
