import Document
import MIDI
import Reports
import UnitAPI

/// The keys of a set list's file, each declared once: reader, writer and explanation are made of these tables.
struct SetListTables {
    static let version = 1

    /// The folder of the file, where names begin.
    var folder = FileFolder()

    func list(of path: String) -> FileTable<SetList> {
        FileTable(SetList(of: path), "a mapping with version, entries, ...") {
            FileField.version(Self.version)
            FileField("always", file("a patch file"), \.always, "A patch whose units stay through all entries.")
            FileField(
                "programs", programs.kind, \.programs,
                "The channel or the keyboard whose program changes select entries; by default none.")
            buttons
            FileField(
                "changes", .choice, \.changes,
                "When a requested entry plays: now, keys up (once no key is held), or at the next beat or bar.")
            FileField(
                "entries", itemsOf: entry, \.entries, name: \.name, isRequired: true,
                "Patches and songs in their order, by name. A patch file alone may follow a name.")
        } finish: { (list, cursor) throws(DocumentError) in
            if list.entries.allSatisfy(\.isSkipped) {
                let place = cursor.node.entry("entries")?.key
                throw cursor.error(.refused("every entry is skipped; take skip out of one"), at: place)
            }
            list.lines = Self.lines(in: cursor.node)
        }
    }

    func entry(_ name: String) -> FileTable<SetList.Entry> {
        FileTable(SetList.Entry(name), "a patch file, or a mapping with patch, song, ...", short: "patch") {
            FileField(
                "patch", file("a patch file"), \.patch, "The patch file that sounds; without one keys play the SoundFont.")
            FileField("song", file("a song"), \.song, "Its song, which waits at its beginning; without one the song goes on.")
            FileField("start", .text("a scene of the patch"), \.start, "The scene that is active when the patch is selected.")
            quantity(Self.level, \.level)
            FileField("trim", trim, \.trim, "off, or decibels that bring it to the loudness of others; measured without.")
            quantity(Self.tempo, \.tempo)
            FileField(
                "meter", .parsed("a meter like 3/4 or 7/8", { Meter(text: $0) }, \.text), \.meter, "The meter: 7/8.")
            FileField("count-in", .whole(0...4), \.countIn, "Bars that are counted before it begins.")
            FileField("program", .whole(0...127), \.program, "The program change that selects it, from 0 on (see programs).")
            FileField("loops", file("a name of saved loops"), \.loops, "The loops that come back with it, by their name.")
            FileField(
                "text", words, \.text,
                "Words and chords, plain or as ChordPro: a block of lines, or the file that has them.")
            FileField("parts", part.kind.list("a list of parts like {name: verse, scene: soft}"), \.parts, "Its parts, in order.")
            FileField(
                "next", .choice, \.next, "What comes when the song ends: wait, or go on to the next entry and play its song.")
            FileField("skip", .flag, \.isSkipped, "Whether it is left out on the way to the next entry.")
        } finish: { (entry, cursor) throws(DocumentError) in
            if entry.patch == nil, entry.song == nil {
                throw cursor.error(.wrongKind(expected: "a patch or a song"), at: cursor.place)
            }
            if entry.start != nil, entry.patch == nil {
                throw cursor.error(.refused("start names a scene, and there is no patch; add patch"), at: cursor.place)
            }
        }
    }

    private var part: FileTable<SetList.Part> {
        FileTable(SetList.Part(), "a mapping with name, scene, marker", short: "name") {
            FileField("name", .text("a name"), \.name, example: "verse", "What it is called.")
            FileField("scene", .text("a scene of the patch"), \.scene, "The scene that is called where it begins.")
            FileField("marker", .text("a marker of the song"), \.marker, "The marker at which it begins.")
        }
    }

    private var programs: FileTable<SetList.Programs> {
        FileTable(SetList.Programs(), "a mapping with channel or keyboard") {
            FileField("channel", .whole(1...16), \.channel, "The channel; by default any.")
            FileField("keyboard", .text("a keyboard's name"), \.keyboard, "A part of a keyboard's name, or its identity.")
        } finish: { (programs, cursor) throws(DocumentError) in
            if programs == SetList.Programs() {
                throw cursor.error(.wrongKind(expected: "a channel or a keyboard"), at: cursor.place)
            }
        }
    }

    /// In their order: the first that claims a message has it.
    private var buttons: FileField<SetList> {
        let request = ValueKind<String>.text("a request like patch next")
        return FileField(
            "buttons", "What controls request, by control: controller-80: patch next.",
            schema: [("type", .string("object")), ("additionalProperties", .object(request.schema))]
        ) { (list, cursor) throws(DocumentError) in
            for entry in try cursor.entries("a mapping of controls like controller-80: patch next") {
                do throws(DocumentError) {
                    list.buttons.append(
                        .init(control: entry.name, request: try request.read(entry.value), line: entry.value.place.line))
                } catch { cursor.faults.add(error) }
            }
        } write: { (list, _) throws(DocumentError) in
            let entries = list.buttons.map { FileTree.Entry(key: $0.control, value: .text($0.request)) }
            return entries.isEmpty ? nil : .init(key: "buttons", value: .mapping(entries), isOrdered: true)
        }
    }

    private static let level = ParameterSpec(
        "level", -60...12, default: 0, unit: .decibels, help: "How much louder or softer than the patch's own level it is.")
    /// `off`, or decibels.
    private var trim: ValueKind<Float> {
        let spec = ParameterSpec("trim", -60...60, default: 0, unit: .decibels, help: ""),
            decibels = ValueKind<Float>.quantity(spec)
        return ValueKind([("type", .strings(["string", "number"]))]) { (cursor) throws(DocumentError) in
            try cursor.text("off, or decibels like -3 dB") == "off" ? 0 : try decibels.read(cursor)
        } write: { (value) throws(DocumentError) in
            value == 0 ? .setting("off") : try decibels.write(value)
        }
    }

    private static let tempo = ParameterSpec(
        "tempo", 20...400, default: 120, help: "Its tempo, in quarter notes a minute.")

    private func quantity(_ spec: ParameterSpec, _ property: WritableKeyPath<SetList.Entry, Float?>) -> FileField<SetList.Entry> {
        FileField(spec.name, .quantity(spec), property, ParameterSchema(spec: spec, bands: 0).sentence)
    }

    /// A file, from the list's own folder on.
    private func file(_ expected: String) -> ValueKind<String> {
        .file(expected, in: folder)
    }

    /// Words, or the name of a file that has them.
    private var words: ValueKind<String> {
        ValueKind.text("words").map({ SetList.Entry.isTextFile($0) ? folder.path(of: $0) : $0 }) {
            SetList.Entry.isTextFile($0) ? folder.name(of: $0) : $0
        }
    }

    /// The lines of all keys, by the way to them.
    private static func lines(in node: FileNode, below key: String = "") -> [String: Int] {
        var lines: [String: Int] = [:]
        for entry in node.entries {
            let way = key.isEmpty ? entry.name : "\(key).\(entry.name)"
            lines[way] = entry.key.line
            lines.merge(Self.lines(in: entry.value, below: way)) { $1 }
        }
        return lines
    }

    /// The keys as comments, for a new file: each with what it does.
    static var explanation: [String] {
        let tables = SetListTables()
        return tables.entry("").fields.map { "\($0.name): \($0.help)" }
    }
}
