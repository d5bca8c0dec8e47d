import Carillon
import PatchFile
import UnitAPI

/// Makes an installation of a file's nodes, and says the place of what cannot be.
struct InstallationReader: FileReading {
    let path: String

    /// The version that is read.
    static let version = 1
    private static let keys = [
        "version", "patch", "soundfonts", "gain", "set", "device", "input-device", "layout", "rate", "period", "periods",
        "threads", "on-loss", "time-zone", "state", "saving", "fade", "playlists", "calendar", "cues", "layers", "send",
        "clock", "follow", "buttons", "drop", "control", "http", "osc", "token-file", "origin",
    ]

    /// The whole file.
    func document(_ root: FileNode) throws(PatchFileError) -> Installation {
        let entries = try mapping(root, key: "", of: "a mapping with version, playlists, ...")
        guard let version = entries.first(where: { $0.name == "version" })?.value else {
            throw error(.missingKey("version: \(Self.version)"), "", root)
        }
        let written = try text(version, key: "version", of: "a number")
        if written != "\(Self.version)" { throw error(.version(written, known: Self.version), "version", version) }
        var installation = Installation(of: path)
        for entry in entries { try take(entry, into: &installation) }
        guard let lists = entries.first(where: { $0.name == "playlists" }) else {
            throw error(.missingKey("playlists:"), "", root)
        }
        let names = try mapping(lists.value, key: "playlists", of: "a mapping of playlists by name").map(\.name)
        if names.isEmpty { throw error(.wrongKind(expected: "a mapping of playlists by name"), "playlists", lists.value) }
        if let layers = entries.first(where: { $0.name == "layers" })?.value {
            let reader = LayerReader(reader: self)
            for entry in try mapping(layers, key: "layers", of: "a mapping of layers by name") {
                installation.layers.append(try reader.layer(entry, key: "layers.\(entry.name)", folder: installation.folder))
            }
        }
        let reader = PlaylistReader(reader: self, names: names, layers: installation.layers.map(\.name))
        for entry in try mapping(lists.value, key: "playlists", of: "a mapping of playlists by name") {
            installation.lists.append(try reader.list(entry, key: "playlists.\(entry.name)"))
        }
        if let calendar = entries.first(where: { $0.name == "calendar" })?.value {
            let reader = CalendarReader(reader: self, playlists: names)
            for entry in try mapping(calendar, key: "calendar", of: "a mapping of entries by name") {
                installation.calendar.append(try reader.entry(entry, key: "calendar.\(entry.name)"))
            }
        }
        if let cues = entries.first(where: { $0.name == "cues" })?.value {
            let entries = try mapping(cues, key: "cues", of: "a mapping of cues by name")
            let reader = CueReader(reader: self, names: entries.map(\.name), layers: installation.layers)
            for entry in entries {
                installation.cues.append(try reader.cue(entry, key: "cues.\(entry.name)", folder: installation.folder))
            }
        }
        return installation
    }

    private func take(_ entry: FileNode.Entry, into installation: inout Installation) throws(PatchFileError) {
        let node = entry.value, key = entry.name
        switch key {
        case "version", "playlists", "calendar", "cues", "layers": break
        case "clock": installation.clock = try texts(node, key, of: "MIDI ports")
        case "send":
            for item in try mapping(node, key: key, of: "a mapping of MIDI ports with their channels, like UM-ONE: 10") {
                let channels = try texts(item.value, "send.\(item.name)", of: "channels like 10 or 1-4")
                let numbers = channels.map { SongSend.channels($0) }
                if item.name.isEmpty || item.name.lowercased() == "any" || numbers.contains(nil) {
                    let expected = "a MIDI port with channels from 1 to 256, like UM-ONE: 1-4,"
                    throw error(.wrongKind(expected: expected), key, item.key)
                }
                installation.sends.append(SongSend(numbers.reduce(into: []) { $0.formUnion($1 ?? []) }, to: item.name))
            }
        case "buttons": installation.buttons = try texts(node, key, of: "MIDI sources: any, or parts of their names")
        case "follow":
            let name = try text(node, key: key, of: "a MIDI port")
            if name.isEmpty || name.lowercased() == "any" {
                throw error(.wrongKind(expected: "a part of a MIDI port's name, or an identity,"), key, node)
            }
            installation.master = name
        case "drop": installation.dropFolder = installation.located(try text(node, key: key, of: "a folder"))
        case "control": installation.network.control = installation.located(try text(node, key: key, of: "a socket's path"))
        case "http":
            installation.network.http = try texts(node, key, of: "addresses like 8642 or 0.0.0.0:8642")
            for item in try items(node, key, of: "addresses") { try checkAddress(item, key) }
        case "osc":
            installation.network.osc = try text(node, key: key, of: "an address like 9000 or 0.0.0.0:9000")
            try checkAddress(node, key)
        case "token-file": installation.network.tokenFile = installation.located(try text(node, key: key, of: "a file"))
        case "origin": installation.network.origins = try texts(node, key, of: "origins like https://museum.example")
        case "patch":
            let name = try text(node, key: key, of: "a patch file")
            installation.sound.patch = installation.located(name)
        case "soundfonts":
            installation.sound.soundFonts = try texts(node, key, of: "SoundFont files").map { name in
                name == SoundFontLocator.embeddedName ? name : installation.located(name)
            }
        case "gain": installation.sound.gain = try value(node, of: EngineSetting.gain.spec, key)
        case "set": installation.sound.settings = try texts(node, key, of: "settings like reverb.decay=2.5s")
        case "device": installation.device.names = try texts(node, key, of: "audio devices")
        case "input-device":
            installation.device.input = try text(node, key: key, of: "an audio device")
            let reason = "nothing hears it: the patch has no unit input; add one, or leave the key out"
            installation.device.unheardInput = error(.refused(reason), key, node)
        case "layout": installation.device.layout = try choice(node, SpeakerLayout.allCases, key)
        case "rate": installation.device.sampleRate = try whole(node, EngineSetting.rate, key)
        case "period": installation.device.period = try whole(node, EngineSetting.period, key)
        case "periods": installation.device.periods = try whole(node, EngineSetting.periods, key)
        case "threads": installation.device.threads = try whole(node, EngineSetting.threads, key)
        case "on-loss": installation.device.onLoss = try choice(node, InterruptionPolicy.allCases, key)
        case "time-zone":
            let name = try text(node, key: key, of: "a time zone like Europe/Berlin")
            guard WallZone.isKnown(name) else {
                throw error(.wrongKind(expected: "a time zone of this machine like Europe/Berlin"), key, node)
            }
            installation.timeZone = name
        case "state": installation.stateFolder = installation.located(try text(node, key: key, of: "a folder"))
        case "saving": installation.savingInterval = Double(try value(node, of: InstallationSetting.saving.spec, key))
        case "fade": installation.fade = Double(try value(node, of: InstallationSetting.fade.spec, key))
        default: throw error(.unknownKey(key, known: Self.keys), "", entry.key)
        }
        if let patch = entry.name == "soundfonts" ? installation.sound.patch : nil, !patch.isEmpty {
            throw error(.wrongKind(expected: "no SoundFont beside a patch, which names its own,"), key, node)
        }
    }

    // MARK: - What stands at a key

    private func checkAddress(_ node: FileNode, _ key: String) throws(PatchFileError) {
        let text = try text(node, key: key, of: "an address")
        if ListeningAddress(text) == nil {
            throw error(.wrongKind(expected: "an address like 8642, 0.0.0.0:8642 or [::1]:8642 (not \"\(text)\")"), key, node)
        }
    }

    /// One value or a list of them, which has at least one.
    func items(_ node: FileNode, _ key: String, of expected: String) throws(PatchFileError) -> [FileNode] {
        guard case .list(let list) = node.content else { return [node] }
        if list.isEmpty { throw error(.wrongKind(expected: "a list of \(expected)"), key, node) }
        return list
    }

    /// One text or a list of them.
    func texts(_ node: FileNode, _ key: String, of expected: String) throws(PatchFileError) -> [String] {
        var texts: [String] = []
        for item in try items(node, key, of: expected) {
            texts.append(try text(item, key: key, of: "a list of \(expected)"))
        }
        return texts
    }

    /// A whole number in the range of a setting.
    func whole(_ node: FileNode, _ setting: EngineSetting, _ key: String) throws(PatchFileError) -> Int {
        try whole(node, setting.spec, key)
    }

    /// A whole number in the range of a declaration.
    func whole(_ node: FileNode, _ spec: ParameterSpec, _ key: String) throws(PatchFileError) -> Int {
        let value = try value(node, of: spec, key)
        if value != value.rounded() { throw error(.wrongKind(expected: "a whole number"), key, node) }
        return Int(value)
    }

    /// One of the words of a type.
    func choice<Choice: RawRepresentable<String>>(
        _ node: FileNode, _ choices: [Choice], _ key: String
    ) throws(PatchFileError) -> Choice {
        let words = choices.map(\.rawValue), word = try text(node, key: key, of: words.joined(separator: ", "))
        if let choice = Choice(rawValue: word) { return choice }
        throw error(.unknownKey(word, known: words), key, node)
    }
}
