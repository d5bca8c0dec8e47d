import Carillon
import Document
import Reports
import UnitAPI

extension InstallationTables {
    /// The list's songs may be written alone.
    func playlist(_ name: String) -> FileTable<Installation.List> {
        let plain = Installation.List(playlist: InstallationPlaylist(name: name, songs: []), sources: [])
        return FileTable(plain, "a mapping with songs, order, ...", short: "songs") {
            FileField("order", .choice, \.playlist.order, "The order of the songs.")
            FileField(
                "seed", .whole(0...UInt64(Int.max)), \.playlist.seed,
                "The seed of a shuffled order: the same seed is the same order.")
            FileField("repeat", .flag, \.playlist.repeats, "Whether the list repeats.")
            manner(\.manner)
            songs
        }
    }

    /// Each with the playlist's settings unless it has its own.
    private var songs: FileField<Installation.List> {
        let wanted = "a list of songs, folders and .m3u files", song = source(Installation.List.plain).schema
        let schema: [(String, JSONText)] = [
            ("anyOf", .array([.object(song), .object([("type", .string("array")), ("items", .object(song))])]))
        ]
        return FileField("songs", "Songs, folders of songs and .m3u lists.", schema: schema, example: "") {
            (list, cursor) throws(DocumentError) in
            let items = cursor.isEmpty ? [] : cursor.items
            if items.isEmpty { throw cursor.error(.wrongKind(expected: wanted)) }
            for item in items {
                guard var source = source(list).read(item) else { continue }
                source.line = item.node.line
                list.sources.append(source)
            }
        } write: { (list, _) throws(DocumentError) in
            var items: [FileTree] = []
            for source in list.sources {
                let entries = try self.source(list).entries(source)
                items.append(entries.count == 1 ? entries[0].value : .mapping(entries))
            }
            return .init(key: "songs", value: .row(items))
        }
    }

    /// The song's file may be written alone.
    private func source(_ list: Installation.List) -> FileTable<Installation.Source> {
        FileTable(Installation.Source(path: "", manner: list.manner), "a mapping with song, weight, ...", short: "song") {
            FileField(
                "song", .text("a list of songs, folders and .m3u files"), \.path, example: "FILE",
                "A song, a folder or a .m3u list.")
            weight(isShuffled: list.playlist.order == .shuffled)
            FileField("then", successor, \.then, "What comes after it: next, again, stop or a playlist.")
            manner(\.manner)
        }
    }

    private func weight(isShuffled: Bool) -> FileField<Installation.Source> {
        let spec = InstallationSetting.weight.spec
        let field: FileField<Installation.Source> = whole(spec, \.weight)
        return FileField(field.name, field.help, schema: field.schema) { (source, cursor) throws(DocumentError) in
            let expected = "no weight, which only says something where the order is shuffle,"
            if !isShuffled { throw cursor.error(.wrongKind(expected: expected), at: cursor.place) }
            try field.read(&source, cursor)
        } write: { (source, plain) throws(DocumentError) in
            try field.write(source, plain)
        }
    }

    private var successor: ValueKind<InstallationSong.Successor> {
        let names = name("next, again, stop or a playlist", of: ["next", "again", "stop"] + playlists)
        return names.map({ InstallationSong.Successor($0) }, \.word)
    }

    func manner<Root>(_ manner: WritableKeyPath<Root, SongManner>, isCue: Bool = false) -> [FileField<Root>] {
        @FieldList<Root> var fields: [FileField<Root>] {
            setting(EngineSetting.tempo.spec, manner.appending(path: \.tempo))
            whole(EngineSetting.transpose.spec, manner.appending(path: \.transpose))
            whole(EngineSetting.loops.spec, manner.appending(path: \.loops))
            FileField(
                "fade", .quantity(EngineSetting.fade.spec), manner.appending(path: \.fade), EngineSetting.fade.spec.help)
            // A cue has a level of its own.
            if !isCue {
                setting(.level, manner.appending(path: \.level))
                setting(.pause, manner.appending(path: \.pause))
                FileField(
                    "layers", name("layers", of: layers).orMore.map({ $0.uniqued }, { $0 }), manner.appending(path: \.layers),
                    "Layers that come with it.")
                FileField(
                    "text-encoding",
                    .parsed(
                        "a text encoding that this system has, such as cp1251 or SHIFT_JIS", TextEncoding.init(named:), \.name),
                    manner.appending(path: \.textEncoding),
                    "The encoding of words that do not say theirs; by default UTF-8 or Latin-1.")
            }
        }
        return fields
    }

    /// The layer's song may be written alone.
    func layer(_ name: String) -> FileTable<InstallationLayer> {
        FileTable(InstallationLayer(name, path: ""), "a song, or a mapping with song, level, ...", short: "song") {
            FileField("song", file("a song"), \.path, example: "FILE", "The song.")
            setting(.layerLevel, \.level)
            FileField(
                "port", .whole(1...16), \.port, "The MIDI port that it plays on; by default one of its own.")
            FileField(
                "loops", .whole(EngineSetting.loops.spec), \.rounds,
                "How often it plays; by default until it is ended.")
        } finish: { (layer, cursor) throws(DocumentError) in
            if layer.port == 1, layer.level != 0 {
                let expected = "no level on port 1, where a layer is as loud as the song,"
                throw cursor.error(.wrongKind(expected: expected), at: cursor.place)
            }
        }
    }
}

extension Installation.List {
    fileprivate static let plain = Installation.List(playlist: InstallationPlaylist(name: "", songs: []), sources: [])
}

extension InstallationSong.Successor {
    fileprivate init(_ word: String) {
        switch word {
        case "next": self = .next
        case "again": self = .again
        case "stop": self = .stop
        default: self = .playlist(word)
        }
    }

    fileprivate var word: String {
        switch self {
        case .next: "next"
        case .again: "again"
        case .stop: "stop"
        case .playlist(let name): name
        }
    }
}

extension [String] {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
