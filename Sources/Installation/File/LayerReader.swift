import Carillon
import PatchFile
import UnitAPI

/// Layers of an installation's file.
struct LayerReader {
    let reader: InstallationReader

    private static let keys = ["song", "level", "port", "loops"]

    /// The layer of an entry: a song, or a mapping that says more.
    func layer(_ entry: FileNode.Entry, key: String, folder: String) throws(PatchFileError) -> InstallationLayer {
        func located(_ node: FileNode, _ key: String) throws(PatchFileError) -> String {
            let path = try reader.text(node, key: key, of: "a song")
            return path.hasPrefix("/") ? path : folder + path
        }
        guard case .mapping(let entries) = entry.value.content else {
            return InstallationLayer(entry.name, path: try located(entry.value, key))
        }
        guard let song = entries.first(where: { $0.name == "song" })?.value else {
            throw reader.error(.missingKey("song: FILE"), key, entry.key)
        }
        var layer = InstallationLayer(entry.name, path: try located(song, "\(key).song"))
        for item in entries {
            let place = "\(key).\(item.name)"
            switch item.name {
            case "song": break
            case "level":
                layer.level = Double(try reader.value(item.value, of: InstallationSetting.layerLevel.spec, place))
            case "port": layer.port = try reader.number(item.value, 1...16, place)
            case "loops": layer.rounds = try reader.whole(item.value, EngineSetting.loops, place)
            default: throw reader.error(.unknownKey(item.name, known: Self.keys), key, item.key)
            }
        }
        if layer.port == 1, layer.level != 0 {
            throw reader.error(
                .wrongKind(expected: "no level on port 1, where a layer is as loud as the song,"), key, entry.key)
        }
        return layer
    }
}
