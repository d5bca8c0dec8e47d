import Carillon
import Patches
import TestFolders
import Testing

@testable import CarillonCommand
@testable import Sessions

/// A set list that is saved while it plays.
@Suite struct ListWatchTests {
    private let folder = TemporaryFolder()

    private func save(_ text: String, as name: String = "evening.yaml") { folder.add(name, Array(text.utf8)) }

    /// A file is read once it looks the same twice.
    private func news(_ watch: inout ListWatch, _ session: Session, _ port: SimulatedPort) throws -> [String] {
        var said: [String] = []
        for _ in 0..<3 {
            port.advance(seconds: 0.1)
            try session.maintain()
            said += watch.follow(session)
        }
        return said
    }

    @Test func whatIsSavedIsTakenOver() throws {
        for name in ["organ.yaml", "pad.yaml"] { save(PatchSamples.organ, as: name) }
        save("version: 1\nbuttons: {controller-80: patch next}\nentries: {one: organ.yaml, two: organ.yaml}\n")
        let path = folder.file("evening.yaml"), read = ListLoading(try SetList(path: path)), port = SimulatedPort()
        var options = LiveOptions()
        (options.patches, options.list.buttons) = (read.patches, read.list.buttons)
        let session = try Session(options, on: port)
        var watch = ListWatch(read.list, []) { SessionSong(name: $0, path: $0) }
        watch.know(read)
        try session.start()
        func news() throws -> [String] { try self.news(&watch, session, port) }
        func shown() -> [String] {
            let list = session.snapshot.patches
            return [list.map { "\($0.number)/\($0.count) \($0.name)" } ?? ""] + session.snapshot.buttons.map(\.request)
        }
        #expect(try news() == [])
        save(
            "version: 1\nbuttons: {controller-81: part next}\n"
                + "entries: {zero: pad.yaml, one: {patch: organ.yaml, text: words}, two: organ.yaml}\n")
        #expect(try news() == ["\(path): reloaded"])
        #expect(shown() == ["2/3 one", "part next"] && session.snapshot.text?.lines.map(\.words) == ["words"])
        // A broken one changes nothing.
        save("version: 1\nentries: {one: organ.yaml, two: {tempo: 3}}\n")
        let said = try news()
        #expect(
            said.count == 1 && said[0].contains("evening.yaml:2:") && said[0].hasSuffix("the list has not changed"), "\(said)")
        #expect(shown() == ["2/3 one", "part next"])
        // Patches are followed at their new places, those of new entries too.
        save(PatchSamples.organ + "\n# more\n", as: "pad.yaml")
        #expect(try news() == ["\(folder.file("pad.yaml")): reloaded"])
        try session.perform(.lock(true))
        save("version: 1\nentries: {one: organ.yaml}\n")
        #expect(try news().first?.contains("lock off") == true)
        try session.finish()
    }

    @Test func thePatchThatStaysIsFollowed() throws {
        for name in ["organ.yaml", "pad.yaml"] { save(PatchSamples.organ, as: name) }
        let entries = "entries: {one: organ.yaml, two: organ.yaml}\n"
        save("version: 1\nalways: pad.yaml\n" + entries)
        let path = folder.file("evening.yaml"), read = ListLoading(try SetList(path: path)), port = SimulatedPort()
        var options = LiveOptions()
        (options.patches, options.list.always) = (read.patches, read.always)
        let session = try Session(options, on: port)
        var watch = ListWatch(read.list, []) { SessionSong(name: $0, path: $0) }
        try session.start()
        func news() throws -> [String] { try self.news(&watch, session, port) }
        #expect(try news() == [])
        save(PatchSamples.organ + "\n# more\n", as: "pad.yaml")
        #expect(try news() == ["\(folder.file("pad.yaml")): reloaded"])
        save("version: 1\n" + entries)
        let said = try news()
        #expect(said.first == "\(path): reloaded" && said.contains { $0.hasSuffix("it sounds as before") }, "\(said)")
        #expect(session.engine.graph.nodes.contains { $0.name.hasPrefix("always.") })
        try session.finish()
    }

    /// Buttons that were learned are written, with all else of the file as it was; those of --button are not.
    @Test func learnedButtonsAreSaved() throws {
        save(PatchSamples.organ, as: "organ.yaml")
        save(
            """
            version: 1
            buttons:
              controller-80: patch next    # the left foot
              controller-81: no request
              controller-82: panic
            entries: {one: organ.yaml, two: organ.yaml}

            """)
        let path = folder.file("evening.yaml"), read = ListLoading(try SetList(path: path)), port = SimulatedPort()
        var options = LiveOptions()
        (options.patches, options.list.path, options.list.buttons) = (read.patches, path, read.list.buttons)
        options.connections.buttons = [try Button("controller-20", .request(.patch(.previous)))]
        let session = try Session(options, on: port)
        var watch = ListWatch(read.list, []) { SessionSong(name: $0, path: $0) }
        watch.know(read)
        try session.start()
        func pass() throws {
            port.advance(seconds: 0.1)
            try session.maintain()
        }
        try pass()
        try session.perform(.forget(request: .request(.panic(.all))))
        try session.perform(.learn(request: .request(.tap)))
        try session.receive(.message(MIDIMessage(status: 0x91, data1: 40, data2: 90)))
        try pass()
        try session.perform(.saveList)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("  controller-80: patch next    # the left foot\n  controller-81: no request\n"))
        #expect(try SetList(path: path).buttons.map(\.control) == ["controller-80", "controller-81", "key-E2,channel-2"])
        // The file is the session's own: reading it again changes nothing.
        let buttons = session.snapshot.buttons
        for _ in 0..<3 {
            try pass()
            _ = watch.follow(session)
        }
        #expect(session.snapshot.buttons.count == 3 && Set(session.snapshot.buttons) == Set(buttons))
        try session.perform(.forget(request: .request(.tap)))
        try session.perform(.saveList)
        #expect(try SetList(path: path).buttons.map(\.control) == ["controller-80", "controller-81"])
        try session.finish()
    }
}
