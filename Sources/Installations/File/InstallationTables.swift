import Carillon
import Document
import Patches
import Reports
import UnitAPI

/// The keys of an installation's file, each declared once: reader, writer and schema are made of these tables.
struct InstallationTables {
    static let version = 1

    /// The folder of the file, where names begin.
    var folder = FileFolder()
    var playlists: [String] = []
    var layers: [String] = []
    var cues: [String] = []

    init(of root: FileNode, folder: FileFolder) {
        func names(_ key: String) -> [String] { root.entry(key)?.value.entries.map(\.name) ?? [] }
        self.folder = folder
        (playlists, layers, cues) = (names("playlists"), names("layers"), names("cues"))
    }

    init() {}

    func installation(of path: String) -> FileTable<Installation> {
        FileTable(Installation(of: path), "a mapping with version, playlists, ...") {
            FileField.version(Self.version)
            sound
            device
            FileField(
                "time-zone",
                .parsed("a time zone of this machine like Europe/Berlin", { WallZone.isKnown($0) ? $0 : nil }, { $0 }),
                \.timeZone, "The time zone; by default the machine's.")
            FileField("state", file("a folder"), \.stateFolder, "The folder in which the position is saved.")
            setting(.saving, \.savingInterval)
            setting(.fade, \.fade)
            FileField("layers", itemsOf: layer, \.layers, name: \.name, "Songs that can play over others, by name.")
            FileField(
                "playlists", itemsOf: playlist, \.lists, name: \.playlist.name, isRequired: true,
                "Songs and their order, by name.")
            FileField(
                "calendar", itemsOf: entry, \.calendar, name: \.name,
                "What applies when, by name: later entries override earlier ones. Without any, the first playlist always plays.")
            FileField("cues", itemsOf: cue, \.cues, name: \.name, "What plays on request, by name.")
            midi
            network
        } finish: { (installation, cursor) throws(DocumentError) in
            // An endless layer ends only on request.
            for cue in installation.cues where cue.mode == .once {
                guard case .layer(let name) = cue.content, let layer = installation.layers.first(where: { $0.name == name }),
                    layer.rounds == nil
                else { continue }
                throw DocumentError(
                    .wrongKind(expected: "mode: toggle or hold for a layer without end (or loops: 4 at the layer)"), path: path,
                    key: "cues.\(cue.name)", at: cursor.node.entry("cues")?.value.entry(cue.name)?.key)
            }
        }
    }

    @FileFieldList private var sound: [FileField<Installation>] {
        FileField(
            "patch", file("a patch file"), \.sound.patch,
            "The patch that songs are played through; by default the sound of carillon play.")
        soundFonts
        FileField(
            EngineSetting.gain.spec.name, .quantity(EngineSetting.gain.spec), \.sound.gain,
            ParameterSchema(spec: EngineSetting.gain.spec, bands: 0).sentence)
        FileField(
            LoudnessTarget.loudness.name, .loudness, \.sound.loudness,
            "The loudness that each song is brought to, in LUFS; by default -16, or off with a gain; off plays them as they are."
        )
        FileField(
            "set", ValueKind.text("settings like reverb.decay=2.5s").orMore, \.sound.settings,
            "Parameters of the sound: reverb.decay=2.5s.")
        whole(EngineSetting.seed.spec, \.sound.seed)
    }

    private var soundFonts: FileField<Installation> {
        let kind = ValueKind.text("SoundFont files").orMore, embedded = SoundFontLocator.embeddedName
        return FileField(
            "soundfonts", "SoundFonts in the order of search, if no patch names its own.", schema: kind.schema
        ) { (installation, cursor) throws(DocumentError) in
            if installation.sound.patch != nil {
                throw cursor.error(.wrongKind(expected: "no SoundFont beside a patch, which names its own,"))
            }
            installation.sound.soundFonts = try kind.read(cursor).map { $0 == embedded ? $0 : folder.path(of: $0) }
        } write: { (installation, _) throws(DocumentError) in
            let names = installation.sound.soundFonts.map(folder.name(of:))
            return names.isEmpty ? nil : .init(key: "soundfonts", value: try kind.write(names))
        }
    }

    @FileFieldList private var device: [FileField<Installation>] {
        FileField(
            "device", ValueKind.text("audio devices").orMore, \.device.names,
            "The sound card, best first; by default the system's.")
        input
        FileField(
            "layout", .choice, \.device.layout, "The loudspeakers that the card is opened for; by default two.")
        whole(EngineSetting.rate.spec, \.sampleRate)
        whole(EngineSetting.period.spec, \.device.period)
        whole(EngineSetting.periods.spec, \.device.periods)
        whole(EngineSetting.threads.spec, \.device.threads)
        FileField("on-loss", .choice, \.device.onLoss, "What songs do while the device is lost.")
    }

    private var input: FileField<Installation> {
        let kind = ValueKind.text("an audio device")
        return FileField(
            "input-device",
            "The device to capture from, for a patch with the unit input; by default the one that plays.",
            schema: kind.schema
        ) { (installation, cursor) throws(DocumentError) in
            installation.device.input = try kind.read(cursor)
            let reason = "nothing uses it: the patch has no unit input; add one, or leave the key out"
            installation.unheardInput = cursor.error(.refused(reason))
        } write: { (installation, _) throws(DocumentError) in
            guard let name = installation.device.input else { return nil }
            return .init(key: "input-device", value: try kind.write(name))
        }
    }

    @FileFieldList private var midi: [FileField<Installation>] {
        send
        FileField("clock", ValueKind.text("MIDI ports").orMore, \.clock, "MIDI ports that get MIDI clock.")
        FileField(
            "follow",
            .parsed(
                "a part of a MIDI port's name, or an identity,", { $0.isEmpty || $0.lowercased() == "any" ? nil : $0 }, { $0 }),
            \.master, "The MIDI port whose MIDI clock the songs follow.")
        FileField(
            "buttons", ValueKind.text("MIDI sources: any, or parts of their names").orMore, \.buttons,
            "MIDI keyboards and foot switches that request cues: any, or parts of their names.")
        FileField("drop", file("a folder"), \.dropFolder, "The folder for files that request cues.")
    }

    private var send: FileField<Installation> {
        let channels = ValueKind<Set<Int>>.parsed(
            "a MIDI port with channels from 1 to 256, like UM-ONE: 1-4,", orNumber: true, { SongSend.channels($0) },
            { PartList($0.map { $0 - 1 }).description }
        ).orMore
        let schema: [(String, JSONText)] = [("type", .string("object")), ("additionalProperties", .object(channels.schema))]
        return FileField("send", "MIDI ports that play channels of songs: UM-ONE: 1-4.", schema: schema) {
            (installation, cursor) throws(DocumentError) in
            for entry in try cursor.entries("a mapping of MIDI ports with their channels, like UM-ONE: 10") {
                if entry.name.isEmpty || entry.name.lowercased() == "any" {
                    throw cursor.error(.wrongKind(expected: "a part of a MIDI port's name"), at: entry.value.place)
                }
                let numbers = try channels.read(entry.value).reduce(into: Set<Int>()) { $0.formUnion($1) }
                installation.sends.append(SongSend(numbers, to: entry.name))
            }
        } write: { (installation, _) throws(DocumentError) in
            var entries: [FileTree.Entry] = []
            for send in installation.sends {
                entries.append(.init(key: send.output, value: try channels.write([send.channels])))
            }
            return entries.isEmpty ? nil : .init(key: "send", value: .mapping(entries))
        }
    }

    @FileFieldList private var network: [FileField<Installation>] {
        FileField("control", file("a socket's path"), \.network.control, "The socket for carillon ctl.")
        FileField("http", address.orMore, \.network.http, "The page for browsers and phones: a port, or an address with a port.")
        FileField("osc", address, \.network.osc, "OSC over UDP: a port, or an address with a port.")
        FileField("token-file", file("a file"), \.network.tokenFile, "The file of tokens for access from other machines.")
        FileField(
            "origin", ValueKind.text("origins like https://museum.example").orMore, \.network.origins,
            "Other web origins that may control it.")
        FileField(
            "trusted-proxy",
            ValueKind<String>.parsed(
                "an address like 127.0.0.1 or ::1,", { ListeningAddress.isHost($0) ? $0 : nil }, { $0 }
            ).orMore, \.network.proxies,
            "Proxies in front of the page whose X-Forwarded-For is trusted.")
    }

    private var address: ValueKind<String> {
        let expected = "an address like 8642, 0.0.0.0:8642 or [::1]:8642"
        return ValueKind([("type", .strings(["string", "integer"]))]) { (cursor) throws(DocumentError) in
            let text = try cursor.text(expected)
            if ListeningAddress(text) == nil { throw cursor.error(.wrongKind(expected: "\(expected) (not \"\(text)\")")) }
            return text
        } write: {
            .setting($0)
        }
    }

    /// A file or a folder, from the installation's own folder on.
    func file(_ expected: String) -> ValueKind<String> { .file(expected, in: folder) }

    func name(_ expected: String, of known: [String]) -> ValueKind<String> {
        let kind = ValueKind.text(expected)
        return ValueKind(kind.schema) { (cursor) throws(DocumentError) in
            let name = try kind.read(cursor)
            if !known.contains(name) { throw cursor.error(.unknownKey(name, known: known)) }
            return name
        } write: { (name) throws(DocumentError) in
            try kind.write(name)
        }
    }

    /// Name, range, default and help are the declaration's.
    func setting<Root>(_ spec: ParameterSpec, _ property: WritableKeyPath<Root, Double>) -> FileField<Root> {
        FileField(spec.name, .quantity(spec), property, ParameterSchema(spec: spec, bands: 0).sentence)
    }

    func setting<Root>(_ setting: InstallationSetting, _ property: WritableKeyPath<Root, Double>) -> FileField<Root> {
        self.setting(setting.spec, property)
    }

    func whole<Root>(_ spec: ParameterSpec, _ property: WritableKeyPath<Root, Int>) -> FileField<Root> {
        FileField(spec.name, .whole(spec), property, ParameterSchema(spec: spec, bands: 0).sentence)
    }
}

typealias FileFieldList = FieldList<Installation>

extension ValueKind where Value == Installation.Loudness {
    /// LUFS, or `off`.
    static var loudness: Self {
        let level = ValueKind<Float>.quantity(LoudnessTarget.loudness)
        return ValueKind([("anyOf", .array([.object(level.schema), .object([("const", .string("off"))])]))]) {
            (cursor) throws(DocumentError) in
            if try cursor.text("off or a value, \(LoudnessTarget.loudness.valid),") == "off" { return .off }
            return .level(try level.read(cursor))
        } write: { (loudness) throws(DocumentError) in
            switch loudness {
            case .off: .literal("off")
            case .level(let value): try level.write(value)
            }
        }
    }
}
