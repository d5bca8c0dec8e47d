import Carillon
import Control
import Document
import Patches

extension InstallationTables {
    private static let contents = ["sound", "song", "scene", "layer", "do"]

    func cue(_ name: String) -> FileTable<Cue> {
        FileTable(Cue(name, .commands([])), "a mapping with sound, song, scene, layer or do, ...") {
            content("sound", file("a file"), { .sound(path: $0) }, \.sound, "A recorded sound, over the music.")
            content(
                "song", file("a file"), { .song(InstallationSong(path: $0)) }, \.song?.path, "A song in place of the music.")
            content("scene", .text("a scene of the patch"), { .scene($0) }, \.scene, "A scene of the patch.")
            content("layer", self.name("a layer", of: layers), { .layer($0) }, \.layer, "A layer, from the next bar on.")
            content("do", commands, { .commands($0) }, \.commands, "Requests as for carillon ctl: next, tempo 90%.")
            FileField("mode", .choice, \.mode, "How long it plays: to its end, while it is held, or until it is requested again.")
            setting(.level, \.level)
            setting(.duck, \.duck)
            FileField("priority", .whole(0...100), \.priority, "A higher one ends a lower one.")
            setting(.coolDown, \.coolDown)
            FileField("at", time.orMore, \.times, "Times of day at which it plays.")
            FileField(
                "key",
                ValueKind.parsed(
                    "a key like C2 or 36", orNumber: true,
                    { KeySpan($0).flatMap { $0.keys.count == 1 ? $0.keys.lowerBound : nil } },
                    { KeySpan($0...$0).description }
                ).orMore, \.keys, "MIDI keys that request it.")
            FileField("controller", .whole(0...119), \.controller, "The foot switch that requests it.")
            FileField("program", .whole(0...127), \.program, "The program change that requests it.")
            FileField("channel", .whole(1...256), \.channel, "The channel of these; by default any.")
            FileField("after", other(than: name), \.after, "The cue at whose end it plays.")
            manner(\.manner, isCue: true)
        } finish: { (cue, cursor) throws(DocumentError) in
            if name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) {
                throw cursor.error(.wrongKind(expected: "a name of letters, digits and hyphens"), at: cursor.place)
            }
            if cursor.node.entries.count(where: { Self.contents.contains($0.name) }) != 1 {
                throw cursor.error(.wrongKind(expected: "one of sound, song, scene, layer and do"), at: cursor.place)
            }
            cue.manner.level = cue.level
        }
    }

    /// A key for the content of the cue; there is one of them.
    private func content<Value>(
        _ name: String, _ kind: ValueKind<Value>, _ make: @escaping (Value) -> Cue.Content,
        _ value: @escaping (Cue.Content) -> Value?, _ help: String
    ) -> FileField<Cue> {
        FileField(name, help, schema: kind.schema) { (cue, cursor) throws(DocumentError) in
            cue.content = make(try kind.read(cursor))
        } write: { (cue, _) throws(DocumentError) in
            guard let value = value(cue.content) else { return nil }
            return .init(key: name, value: try kind.write(value))
        }
    }

    private func other(than name: String) -> ValueKind<String> {
        let kind = self.name("a cue", of: cues)
        return ValueKind(kind.schema) { (cursor) throws(DocumentError) in
            let other = try kind.read(cursor)
            if other == name { throw cursor.error(.wrongKind(expected: "another cue")) }
            return other
        } write: { (name) throws(DocumentError) in
            try kind.write(name)
        }
    }

    private var commands: ValueKind<[ControlCommand]> {
        let expected = "a request like next or \"tempo 90%\"", kind = ValueKind.text(expected)
        return ValueKind<ControlCommand>(kind.schema) { (cursor) throws(DocumentError) in
            let text = try kind.read(cursor), command: ControlCommand
            do throws(Fault) { command = try ControlGrammar.installation.command(text) } catch {
                throw cursor.error(.wrongKind(expected: "\(expected) (\(error))"))
            }
            if [.quit, .cue, .releaseCue, .press].contains(command.verb) {
                throw cursor.error(.wrongKind(expected: "a request that a cue can make (not \"\(text)\")"))
            }
            return command
        } write: {
            .text(ControlGrammar.installation.text($0))
        }.orMore
    }
}

// The keys of a cue in the file.
extension Cue.Content {
    fileprivate var sound: String? { if case .sound(let path) = self { path } else { nil } }
    fileprivate var song: InstallationSong? { if case .song(let song) = self { song } else { nil } }
    fileprivate var scene: String? { if case .scene(let name) = self { name } else { nil } }
    fileprivate var layer: String? { if case .layer(let name) = self { name } else { nil } }
    fileprivate var commands: [ControlCommand]? { if case .commands(let commands) = self { commands } else { nil } }
}

extension Cue {
    /// The manner of its song; of another content nothing is kept.
    fileprivate var manner: SongManner {
        get { content.song?.manner ?? SongManner() }
        set {
            guard var song = content.song else { return }
            song.manner = newValue
            content = .song(song)
        }
    }

    fileprivate var keys: [UInt8] {
        get { triggers.compactMap { if case .key(let key) = $0 { key } else { nil } } }
        set { triggers = newValue.map(Trigger.key) + triggers.filter { if case .key = $0 { false } else { true } } }
    }

    fileprivate var controller: UInt8? {
        get { triggers.lazy.compactMap { if case .controller(let number) = $0 { number } else { nil } }.first }
        set { triggers += newValue.map { [.controller($0)] } ?? [] }
    }

    fileprivate var program: UInt8? {
        get { triggers.lazy.compactMap { if case .program(let number) = $0 { number } else { nil } }.first }
        set { triggers += newValue.map { [.program($0)] } ?? [] }
    }
}
