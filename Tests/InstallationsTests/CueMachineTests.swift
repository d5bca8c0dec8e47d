import Carillon
import Foundation
import Testing

@testable import Installations

/// What becomes of cues that are asked for.
@Suite struct CueMachineTests {
    private func sound(_ name: String, _ change: (inout Cue) -> Void = { _ in }) -> Cue {
        var cue = Cue(name, .sound(path: "\(name).wav"))
        change(&cue)
        return cue
    }

    private func song(_ name: String, priority: Int = 0) -> Cue {
        var cue = Cue(name, .song(InstallationSong(path: "\(name).mid")))
        cue.priority = priority
        return cue
    }

    private func words(_ actions: [CueMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .start(let cue): "start \(cue.name)"
            case .stop(let cue): "stop \(cue.name)"
            case .refuse(let cue, let reason): "\(cue.name): \(reason)"
            }
        }
    }

    @Test func aCuePlaysOnceRestsAndPlaysAgain() {
        var machine = CueMachine([sound("bell") { ($0.coolDown, $0.duck) = (30, -9) }])
        #expect(words(machine.ask(for: "bell", at: 0)) == ["start bell"] && machine.names == ["bell"] && machine.duck == -9)
        #expect(words(machine.ask(for: "bell", at: 1)) == ["bell: it plays already"])
        #expect(machine.end("bell", at: 5) == [] && machine.duck == 0)
        #expect(words(machine.ask(for: "bell", at: 34.5)) == ["bell: it rests for another 1 s"])
        #expect(words(machine.ask(for: "bell", at: 35)) == ["start bell"])
        #expect(machine.ask(for: "nobody", at: 0) == [])
    }

    @Test func holdEndsWithItsKeyAndToggleWithTheNext() {
        var machine = CueMachine([sound("horn") { $0.mode = .hold }, sound("rain") { $0.mode = .toggle }])
        #expect(words(machine.ask(for: "horn", at: 0) + machine.release("horn")) == ["start horn", "stop horn"])
        #expect(machine.end("horn", at: 1) == [] && machine.release("horn") == [])
        #expect(words(machine.ask(for: "rain", at: 2)) == ["start rain"] && machine.release("rain") == [])
        #expect(words(machine.ask(for: "rain", at: 3)) == ["stop rain"])
    }

    @Test func theMoreImportantEndsTheOthersAndIsNotDisturbed() {
        var machine = CueMachine([
            sound("bell"), sound("gong"), sound("alarm") { $0.priority = 9 }, song("hymn"), song("anthem", priority: 5),
        ])
        #expect(words(machine.ask(for: "bell", at: 0) + machine.ask(for: "gong", at: 0)) == ["start bell", "start gong"])
        #expect(words(machine.ask(for: "alarm", at: 1)) == ["stop bell", "stop gong", "start alarm"])
        for name in ["bell", "gong"] { _ = machine.end(name, at: 1) }
        #expect(words(machine.ask(for: "bell", at: 2)) == ["bell: alarm is more important"])
        _ = machine.end("alarm", at: 3)
        // One song at a time: the later of two that are alike.
        #expect(words(machine.ask(for: "hymn", at: 4)) == ["start hymn"])
        #expect(words(machine.ask(for: "anthem", at: 5)) == ["stop hymn", "start anthem"])
        _ = machine.end("hymn", at: 5)
        #expect(words(machine.ask(for: "hymn", at: 6)) == ["hymn: anthem is more important"])
    }

    @Test func whatFollowsAnEndFollows() {
        var machine = CueMachine([sound("a"), sound("b") { $0.after = "a" }, sound("c") { $0.after = "a" }])
        _ = machine.ask(for: "a", at: 0)
        #expect(words(machine.end("a", at: 1)) == ["start b", "start c"])
        // A ring of two plays on and on, and nothing runs wild.
        var ring = CueMachine([sound("a") { $0.after = "b" }, sound("b") { $0.after = "a" }])
        _ = ring.ask(for: "a", at: 0)
        #expect(words(ring.end("a", at: 1)) == ["start b"] && words(ring.end("b", at: 2)) == ["start a"])
    }

    @Test func aFileThatIsDroppedAsksOnceAndIsTakenAway() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-drop-\(UUID().uuidString)").path()
        var drop = DropFolder(folder)
        #expect(drop.look(for: ["bell"]).count == 1 && drop.look(for: ["bell"]).isEmpty, "told once that it is not there")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["bell", "bell.txt", "gong", ".bell"] {
            try "x".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        #expect(drop.look(for: ["bell"]) == [.cue("bell"), .cue("bell"), .left("gong", reason: "no cue is called gong")])
        #expect(drop.look(for: ["bell"]).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [".bell", "gong"])
        try FileManager.default.createDirectory(atPath: folder + "/bell", withIntermediateDirectories: true)
        #expect(drop.look(for: ["bell"]).count == 1 && drop.look(for: ["bell"]).isEmpty, "a folder cannot be taken away")
    }
}
