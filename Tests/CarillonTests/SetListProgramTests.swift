import Carillon
import Graphs
import MIDI
import Patches
import RemoteIO
import Testing

@testable import Sessions

/// Entries of a set list that program changes select, that are skipped, and that begin with a scene.
@Suite(.serialized) struct SetListProgramTests {
    private struct Stage {
        let session: Session
        let port: SimulatedPort
        let keyboards: SimulatedKeyboards

        init(_ options: LiveOptions) throws {
            let port = SimulatedPort(), keyboards = SimulatedKeyboards(now: { port.nanoseconds })
            (self.port, self.keyboards) = (port, keyboards)
            session = try Session(options, on: port, midi: keyboards)
            keyboards.plug("Keystation")
            keyboards.plug("Pedals", input: 1)
            try session.start()
            try pass(0.1)
        }

        func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }

        var number: Int? { session.snapshot.patches?.number }
    }

    private func options(_ programs: SetList.Programs?, _ change: (inout [ListedPatch]) -> Void = { _ in }) -> LiveOptions {
        var options = SetListSamples.options((0..<4).map { _ in SetListSamples.bells() }, ports: 2)
        for index in options.patches.indices { options.patches[index].program = 10 + index }
        change(&options.patches)
        options.connections.programs = programs
        return options
    }

    /// Message by message: where it is played, what, and the patch that sounds after it.
    @Test func aProgramOnTheListsOwnChannelSelectsItsEntry() throws {
        let stage = try Stage(options(.init(channel: 16)))
        let played: [(Int, Int, Int)] = [(16, 13, 3), (1, 14, 3), (16, 11, 1), (16, 14, 4), (16, 51, 4)]
        for (channel, program, number) in played {
            stage.keyboards.play(.program(program, channel: channel), on: "Keystation")
            try stage.pass(0.2)
            #expect(stage.number == number, "program \(program - 1) on channel \(channel)")
        }
        #expect(stage.session.takeNotices().contains { $0.contains("program 50: no entry of the set list has it") })
        try stage.session.finish()
    }

    @Test func withoutAChannelOfItsOwnNoProgramSelects() throws {
        let stage = try Stage(options(nil))
        stage.keyboards.play(.program(13, channel: 16), on: "Keystation")
        try stage.pass(0.2)
        #expect(stage.number == 1)
        try stage.session.finish()
    }

    /// The program changes of one keyboard alone are the list's.
    @Test func aKeyboardSelectsByItsName() throws {
        let stage = try Stage(options(.init(keyboard: "Pedals")))
        for (name, number) in [("Keystation", 1), ("Pedals", 3)] {
            stage.keyboards.play(.program(13), on: name)
            try stage.pass(0.2)
            #expect(stage.number == number, "\(name)")
        }
        try stage.session.finish()
    }

    @Test func whatIsSkippedIsReachedByNameNumberAndProgramAlone() throws {
        let stage = try Stage(
            options(.init(channel: 16)) { patches in for index in [0, 2] { patches[index].isSkipped = true } })
        #expect(stage.number == 2)
        for (command, number) in [
            (ControlCommand.patch(.next), 4), (.patch(.previous), 2), (.patch(.previous), 2), (.patch(.number(3)), 3),
            (.patch(.next), 4), (.patch(.named("patch 1")), 1),
        ] {
            try stage.session.perform(command)
            try stage.pass(0.2)
            #expect(stage.number == number, "\(command)")
        }
        stage.keyboards.play(.program(13, channel: 16), on: "Keystation")
        try stage.pass(0.2)
        #expect(stage.number == 3)
        try stage.session.finish()
    }

    @Test func aPatchBeginsWithItsSceneAndASwitchGoesOnAfterIt() throws {
        let options = options(nil) { patches in
            for index in [0, 1] {
                for (name, volume) in [("slow", Float(-20)), ("fast", -10), ("stop", -30)] {
                    var scene = Scene(name)
                    scene.controller = 80
                    scene.values = [ParameterAddress(unit: "mixer", parameter: "volume"): volume]
                    patches[index].patch.scenes.append(scene)
                }
                patches[index].start = index == 0 ? "slow" : "fast"
            }
            patches[2].start = "none"
        }
        let stage = try Stage(options), session = stage.session
        func volume() throws -> Double { Double(try session.engine.value("mixer.volume")) }
        #expect(try session.snapshot.scene == "slow" && abs(volume() + 20) < 0.01)
        stage.keyboards.play(.controller(80, 127), on: "Keystation")
        try stage.pass(0.2)
        #expect(try session.snapshot.scene == "fast" && abs(volume() + 10) < 0.01)
        try session.perform(.patch(.next))
        try stage.pass(0.2)
        #expect(try session.snapshot.scene == "fast" && abs(volume() + 10) < 0.01)
        stage.keyboards.play(.controller(80, 0), on: "Keystation")
        stage.keyboards.play(.controller(80, 127), on: "Keystation")
        try stage.pass(0.2)
        #expect(session.snapshot.scene == "stop")
        // A scene that is not there is said, and the patch plays.
        try session.perform(.patch(.next))
        try stage.pass(0.2)
        let notices = session.takeNotices()
        #expect(stage.number == 3 && notices.contains { $0.contains("patch 3: the patch has no scenes") }, "\(notices)")
        try session.finish()
    }
}
