import Carillon
import Control
import PatchFile
import UnitAPI

/// The cues of an installation's file.
struct CueReader {
    let reader: InstallationReader
    /// The names of all cues.
    let names: [String]
    /// All layers of the installation.
    let layers: [InstallationLayer]

    private static let keys = [
        "sound", "song", "scene", "layer", "do",
        "mode", "level", "duck", "priority", "cool-down", "at", "key", "controller", "program",
        "channel", "after", "tempo", "transpose", "loops", "fade",
    ]
    private static func isNameSign(_ sign: Character) -> Bool {
        sign.isASCII && (sign.isLetter || sign.isNumber || sign == "-")
    }

    /// The cue of an entry.
    func cue(_ entry: FileNode.Entry, key: String, folder: String) throws(PatchFileError) -> Cue {
        guard !entry.name.isEmpty, entry.name.allSatisfy(Self.isNameSign) else {
            throw reader.error(.wrongKind(expected: "a name of letters, digits and hyphens"), key, entry.key)
        }
        let entries = try reader.mapping(entry.value, key: key, of: "a mapping with sound, song, scene, layer or do, ...")
        var contents: [Cue.Content] = [], manner = SongManner()
        for entry in entries {
            let place = "\(key).\(entry.name)"
            func located() throws(PatchFileError) -> String {
                let path = try reader.text(entry.value, key: place, of: "a file")
                return path.hasPrefix("/") ? path : folder + path
            }
            switch entry.name {
            case "sound": contents.append(.sound(path: try located()))
            case "song": contents.append(.song(InstallationSong(path: try located())))
            case "scene": contents.append(.scene(try reader.text(entry.value, key: place, of: "a scene of the patch")))
            case "layer":
                let name = try reader.text(entry.value, key: place, of: "a layer")
                if !layers.contains(where: { $0.name == name }) {
                    throw reader.error(.unknownKey(name, known: layers.map(\.name)), place, entry.value)
                }
                contents.append(.layer(name))
            case "do": contents.append(.commands(try commands(entry.value, place)))
            default: break
            }
        }
        guard contents.count == 1 else {
            throw reader.error(.wrongKind(expected: "one of sound, song, scene, layer and do"), key, entry.key)
        }
        var cue = Cue(entry.name, contents[0])
        for entry in entries { try take(entry, into: &cue, &manner, key: key) }
        if case .layer(let name) = cue.content, cue.mode == .once, layers.first(where: { $0.name == name })?.rounds == nil {
            let expected = "mode: toggle or hold for a layer without end (or loops: 4 at the layer)"
            throw reader.error(.wrongKind(expected: expected), key, entry.key)
        }
        if case .song(var song) = cue.content {
            (song.manner, song.manner.level) = (manner, cue.level)
            cue.content = .song(song)
        }
        return cue
    }

    /// One request or a list of them, as a surface says them.
    private func commands(_ node: FileNode, _ place: String) throws(PatchFileError) -> [ControlCommand] {
        let expected = "a request like next or \"tempo 90%\""
        var commands: [ControlCommand] = []
        for text in try reader.texts(node, place, of: expected) {
            let command: ControlCommand
            do throws(ControlGrammarError) { command = try ControlGrammar.command(text) } catch {
                throw reader.error(.wrongKind(expected: "\(expected) (\(error))"), place, node)
            }
            if [.quit, .cue, .releaseCue, .press].contains(command.verb) {
                throw reader.error(.wrongKind(expected: "a request that a cue can make (not \"\(text)\")"), place, node)
            }
            commands.append(command)
        }
        return commands
    }

    private func take(
        _ entry: FileNode.Entry, into cue: inout Cue, _ manner: inout SongManner, key: String
    ) throws(PatchFileError) {
        let node = entry.value, place = "\(key).\(entry.name)"
        func value(_ spec: ParameterSpec) throws(PatchFileError) -> Double { Double(try reader.value(node, of: spec, place)) }
        switch entry.name {
        case "sound", "song", "scene", "layer", "do": break
        case "mode": cue.mode = try reader.choice(node, Cue.Mode.allCases, place)
        case "level": cue.level = try value(InstallationSetting.level.spec)
        case "duck": cue.duck = try value(InstallationSetting.duck.spec)
        case "priority": cue.priority = try reader.number(node, 0...100, place)
        case "cool-down": cue.coolDown = try value(InstallationSetting.coolDown.spec)
        case "at":
            for item in try reader.items(node, place, of: "times of day like 12:00") {
                cue.times.append(try CalendarReader.time(item, place, reader))
            }
        case "key":
            for text in try reader.texts(node, place, of: "keys like C2 or 36") {
                guard let span = KeySpan(text), span.keys.count == 1 else {
                    throw reader.error(.wrongKind(expected: "a key like C2 or 36"), place, node)
                }
                cue.triggers.append(.key(span.keys.lowerBound))
            }
        case "controller": cue.triggers.append(.controller(UInt8(try reader.number(node, 0...119, place))))
        case "program": cue.triggers.append(.program(UInt8(try reader.number(node, 0...127, place))))
        case "channel": cue.channel = try reader.number(node, 1...256, place)
        case "after":
            let name = try reader.text(node, key: place, of: "a cue")
            if !names.contains(name) { throw reader.error(.unknownKey(name, known: names), place, node) }
            if name == cue.name { throw reader.error(.wrongKind(expected: "another cue"), place, node) }
            cue.after = name
        case "tempo": manner.tempo = try value(EngineSetting.tempo.spec)
        case "transpose": manner.transpose = try reader.whole(node, EngineSetting.transpose, place)
        case "loops": manner.loops = try reader.whole(node, EngineSetting.loops, place)
        case "fade": manner.fade = try value(EngineSetting.fade.spec)
        default: throw reader.error(.unknownKey(entry.name, known: Self.keys), key, entry.key)
        }
    }
}
