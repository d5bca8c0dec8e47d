import Carillon
import PatchFile
import UnitAPI

/// Playlists of an installation's file.
struct PlaylistReader {
    let reader: InstallationReader
    /// The names of all playlists.
    let names: [String]
    /// The names of all layers.
    let layers: [String]

    private static let ofManner = ["tempo", "transpose", "loops", "fade", "level", "pause", "layers"]
    private static let ofList = ["songs", "order", "seed", "repeat"] + ofManner
    private static let ofSong = ["song", "weight", "then"] + ofManner

    /// The playlist of an entry: a list of songs, or a mapping that says more.
    func list(_ entry: FileNode.Entry, key: String) throws(PatchFileError) -> Installation.List {
        var list = Installation.List(playlist: InstallationPlaylist(name: entry.name, songs: []), sources: [])
        var manner = SongManner(), songs: FileNode? = entry.value
        if case .mapping(let entries) = entry.value.content {
            songs = nil
            for entry in entries {
                let node = entry.value, place = "\(key).\(entry.name)"
                switch entry.name {
                case "songs": songs = node
                case "order": list.playlist.order = try reader.choice(node, InstallationPlaylist.Order.allCases, place)
                case "seed": list.playlist.seed = UInt64(try reader.number(node, 0...Int.max, place))
                case "repeat": list.playlist.repeats = try reader.flag(node, key: place)
                case _ where Self.ofManner.contains(entry.name): try take(entry, into: &manner, key: place)
                default: throw reader.error(.unknownKey(entry.name, known: Self.ofList), key, entry.key)
                }
            }
        }
        guard let songs else { throw reader.error(.missingKey("songs:"), key, entry.key) }
        let wanted = "a list of songs, folders and .m3u files"
        var items = [songs]
        if case .list(let list) = songs.content { items = list }
        if case .scalar("", isPlain: true) = songs.content { items = [] }
        if items.isEmpty { throw reader.error(.wrongKind(expected: wanted), key, songs) }
        for item in items {
            list.sources.append(try source(item, manner, list.playlist, key: key, of: wanted))
        }
        return list
    }

    private func source(
        _ node: FileNode, _ manner: SongManner, _ list: InstallationPlaylist, key: String, of wanted: String
    ) throws(PatchFileError) -> Installation.Source {
        guard case .mapping(let entries) = node.content else {
            var source = Installation.Source(path: try reader.text(node, key: key, of: wanted), manner: manner)
            source.line = node.line
            return source
        }
        guard let song = entries.first(where: { $0.name == "song" })?.value else {
            throw reader.error(.missingKey("song: FILE"), key, node)
        }
        var source = Installation.Source(path: try reader.text(song, key: "\(key).song", of: "a song"), manner: manner)
        source.line = node.line
        for entry in entries {
            let place = "\(key).\(entry.name)"
            switch entry.name {
            case "song": break
            case "weight":
                source.weight = try reader.whole(entry.value, InstallationSetting.weight.spec, place)
                if list.order != .shuffled {
                    throw reader.error(
                        .wrongKind(expected: "no weight, which only says something where the order is shuffle,"), place,
                        entry.key)
                }
            case "then": source.then = try successor(entry.value, key: place)
            case _ where Self.ofManner.contains(entry.name): try take(entry, into: &source.manner, key: place)
            default: throw reader.error(.unknownKey(entry.name, known: Self.ofSong), key, entry.key)
            }
        }
        return source
    }

    private func successor(_ node: FileNode, key: String) throws(PatchFileError) -> InstallationSong.Successor {
        let word = try reader.text(node, key: key, of: "next, again, stop or a playlist")
        switch word {
        case "next": return .next
        case "again": return .again
        case "stop": return .stop
        case _ where names.contains(word): return .playlist(word)
        default: throw reader.error(.unknownKey(word, known: ["next", "again", "stop"] + names), key, node)
        }
    }

    private func take(_ entry: FileNode.Entry, into manner: inout SongManner, key: String) throws(PatchFileError) {
        let node = entry.value
        func value(_ spec: ParameterSpec) throws(PatchFileError) -> Double { Double(try reader.value(node, of: spec, key)) }
        switch entry.name {
        case "tempo": manner.tempo = try value(EngineSetting.tempo.spec)
        case "transpose": manner.transpose = try reader.whole(node, EngineSetting.transpose, key)
        case "loops": manner.loops = try reader.whole(node, EngineSetting.loops, key)
        case "fade": manner.fade = try value(EngineSetting.fade.spec)
        case "level": manner.level = try value(InstallationSetting.level.spec)
        case "layers":
            for name in try reader.texts(node, key, of: "layers") {
                if !layers.contains(name) { throw reader.error(.unknownKey(name, known: layers), key, node) }
                if !manner.layers.contains(name) { manner.layers.append(name) }
            }
        default: manner.pause = try value(InstallationSetting.pause.spec)
        }
    }
}
