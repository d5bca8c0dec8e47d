import Carillon
import CarillonTestKit
import Graphs
import MIDI
import Patches
import RemoteIO
import Testing

@testable import Sessions

/// Buttons of keyboards in a session: all input as messages at a port.
@Suite struct ButtonTests {
    private let port = SimulatedPort()
    private let keyboards: SimulatedKeyboards
    private let session: Session

    init() throws {
        let port = port
        keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        var options = LiveOptions()
        options.instrument = .squareWave
        options.patches = try ["organ", "strings", "brass"].map { name in
            let text = """
                version: 1
                units:
                  lead: {unit: square-wave, role: instrument}
                  mixer: {unit: multichannel-mixer, role: master}
                connections: [lead -> mixer]
                outputs: mixer
                scenes:
                  soft: {controller: 81, values: {mixer.gain: -12 dB}}
                  loud: {controller: 80, values: {mixer.gain: -3 dB}}
                controllers:
                  level: {control: 81, parameter: mixer.volume, passes: on}
                  tone: {control: 82, parameter: mixer.volume, passes: on}
                """
            return ListedPatch(name, try PatchFile(text: text, units: UnitCatalog.entries).patch)
        }
        options.connections.buttons = [
            try Button("controller-80", .request(.patch(.next))),
            try Button("key-C2,hold", .request(.metronome(true, tempo: 96))),
            try Button("controller-7", .turn(.volume)), try Button("key-D2,passes", .request(.patch(.previous))),
        ]
        session = try Session(options, on: port, midi: keyboards)
        keyboards.plug("Keystation")
        try session.start()
        try pass(0.1)
    }

    private func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }

    private func play(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0, for seconds: Double = 0.1) throws {
        keyboards.play(.message(MIDIMessage(status: status, data1: data1, data2: data2)), on: "Keystation")
        try pass(seconds)
    }

    /// A patch begins in the scene whose values it has: the first press goes on from it.
    @Test func theFirstPressLeavesTheSceneThatStands() throws {
        let text = """
            version: 1
            units:
              lead: {unit: square-wave, role: instrument}
              trem: {unit: tremolo, rate: 0.8 Hz}
            connections: [lead -> trem]
            outputs: trem
            zones:
              low: {keys: C-1-B3, unit: lead}
              high: {keys: C4-G9, unit: lead}
            scenes:
              low: {controller: 80, values: {trem.rate: 0.8 Hz}, zones: [low]}
              slow: {controller: 80, values: {trem.rate: 0.8 Hz}, zones: [low, high]}
              fast: {controller: 80, values: {trem.rate: 6.6 Hz}}
            """
        var options = SessionInTime.options
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        let time = try SessionInTime(options), session = time.session
        #expect(session.snapshot.scene == "slow")
        for scene in ["fast", "low"] {
            for value: UInt8 in [127, 0] { try session.receive(.message(MIDIMessage(status: 0xB0, data1: 80, data2: value))) }
            try time.pass(0.1)
            #expect(session.snapshot.scene == scene)
        }
        #expect(abs(try session.engine.value("trem.rate") - 0.8) < 0.01)
        try session.finish()
    }

    @Test func aFootSwitchStepsTheSetList() throws {
        #expect(session.snapshot.patches?.name == "organ")
        try play(0xB0, 80, 127, for: 0.5)
        #expect(session.snapshot.patches?.name == "strings")
        // The scene of the same controller was not called.
        #expect(session.snapshot.scene == nil)
        try play(0xB0, 80, 0, for: 0.5)
        try play(0xB0, 80, 127, for: 0.5)
        #expect(session.snapshot.patches?.name == "brass")
        // A key that passes steps back, and plays.
        try play(0x90, 38, 90)
        #expect(session.snapshot.notes.map(\.key) == [38])
        try play(0x80, 38, for: 0.5)
        #expect(session.snapshot.patches?.name == "strings" && session.snapshot.notes.isEmpty)
        #expect(session.snapshot.buttons.map(\.request) == ["patch next", "metronome on 96", "volume", "patch previous"])
    }

    /// Buttons, scenes, knobs and keys can be tried without the keyboard.
    @Test func messagesOfNoKeyboardAreHeardAsItsOwn() throws {
        for _ in 0..<2 {
            for value: UInt8 in [127, 0] {
                try session.perform(.midi(0xB0, 80, value))
                try pass(0.3)
            }
        }
        #expect(session.snapshot.patches?.name == "brass")
        try session.perform(.midi(0xB0, 81, 127))
        try pass(0.3)
        #expect(session.snapshot.scene == "soft")
        let volume = try session.engine.value("mixer.volume")
        try session.perform(.midi(0xB0, 82, 10))
        try pass(0.3)
        #expect(try session.engine.value("mixer.volume") != volume)
        try session.perform(.midi(0x90, 60, 90))
        try pass(0.1)
        #expect(session.snapshot.notes.map(\.key) == [60])
        try session.perform(.midi(0x80, 60, 0))
        try pass(0.1)
        #expect(session.snapshot.notes.isEmpty)
        for wrong in [ControlCommand.midi(0xF8, 0, 0), .midi(0xC0, 1, 1), .midi(0x90, 60), .midi(0x90, 200, 1)] {
            #expect(throws: Fault.self) { try session.perform(wrong) }
        }
    }

    @Test func aHeldKeyStartsTheMetronomeAndPlaysNothing() throws {
        try play(0x90, 36, 90, for: 0.5)
        #expect(session.snapshot.metronome == nil && session.snapshot.notes.isEmpty)
        try play(0x90, 60, 90, for: 0.3)
        #expect(session.snapshot.metronome?.tempo == 96 && session.snapshot.notes.map(\.key) == [60])
    }

    @Test func aKnobPicksUpTheVolume() throws {
        // -60 dB at its beginning: the volume is 0.
        try play(0xB0, 7, 10)
        try play(0xB0, 7, 60)
        #expect(session.snapshot.volume == 0)
        try play(0xB0, 7, 127)
        #expect(abs(session.snapshot.volume - 6) < 0.01)
        try play(0xB0, 7, 0)
        #expect(abs(session.snapshot.volume + 60) < 0.01)
    }

    /// The session and the monitor agree on what takes a message.
    @Test func theMonitorNamesWhatTakesAMessage() throws {
        let takers = try MessageTaker(buttons: session.options.connections.buttons, patch: session.options.patch)
        for (status, number) in [(0xB0, 82), (0xB0, 81), (0xB0, 7), (0x90, 36), (0x90, 38), (0x90, 60)] as [(UInt8, UInt8)] {
            let scene = session.snapshot.scene, volume = try session.engine.value("mixer.volume")
            try play(status, number, 100)
            let taker = takers.taker(of: MIDIMessage(status: status, data1: number, data2: 100), from: "Keystation") ?? ""
            #expect(taker.contains("scene") == (session.snapshot.scene != scene), "\(number)")
            #expect(try taker.contains(" moves ") == (session.engine.value("mixer.volume") != volume), "\(number)")
            if status == 0x90 { #expect(taker.contains("channel 1") == !session.snapshot.notes.isEmpty, "\(number)") }
            try play(status, number, 0)
        }
    }

    /// At the start and when they are learned alike.
    @Test func aButtonThatNamesWhatIsNotThereIsReported() throws {
        #expect(session.takeRemarks().contains { "\($0)".contains("the scene loud of organ uses it too") })
        let requests: [(ControlCommand, isThere: Bool)] = [
            (.patch(.named("strngs")), false), (.scene(.named("lound")), false), (.set("mixer.gian=3dB"), false),
            (.patch(.named("strings")), true), (.scene(.named("loud")), true), (.set("mixer.gain=3dB"), true),
        ]
        for (request, isThere) in requests {
            try session.perform(.learn(request: .request(request)))
            try play(0xC0, 5)
            let found = session.takeRemarks().filter { $0.kind == .missing }
            #expect(found.isEmpty == isThere && found.allSatisfy { $0.subject == "program-5,channel-1" }, "\(found)")
        }
    }

    @Test func learningAParameterEndsLearningARequest() throws {
        try session.perform(.learn(request: .request(.panic(.all))))
        try session.perform(.learn("mixer.gain"))
        #expect(session.snapshot.learning == "mixer.gain")
        try play(0xB0, 20, 64)
        #expect(
            session.snapshot.learning == nil && session.engine.controllers.contains { $0.parameter.description == "mixer.gain" })
    }

    @Test func scenesHearBeforeControllers() throws {
        let before = try session.engine.value("mixer.volume")
        try play(0xB0, 81, 127, for: 0.3)
        #expect(session.snapshot.scene == "soft")
        #expect(try session.engine.value("mixer.volume") == before)
    }

    @Test func aRequestIsLearned() throws {
        _ = session.takeNotices()
        try session.perform(.learn(request: .request(.panic(.all))))
        #expect(session.snapshot.learning == "panic")
        for value in [127, 0, 127] as [UInt8] { try play(0xB2, 66, value) }
        #expect(session.snapshot.learning == nil)
        #expect(session.snapshot.buttons.last == .init(try Button("controller-66,channel-3", .request(.panic(.all)))))
        #expect(session.takeNotices().contains { $0 == "learned: controller-66,channel-3=panic" })
        // It is a pedal that instruments hear otherwise.
        #expect(session.takeRemarks().contains { $0.kind == .notFollowed && "\($0)".contains("sostenuto") })
        try play(0x90, 60, 90)
        try play(0xB2, 66, 0)
        #expect(session.snapshot.notes.count == 1)
        try play(0xB2, 66, 127)
        #expect(session.snapshot.notes.isEmpty)
        // A key takes over at once, and is silent from the press on that taught it.
        try session.perform(.learn(request: .request(.panic(.all))))
        try play(0x90, 40, 90)
        #expect(session.snapshot.buttons.count == 6 && session.snapshot.notes.isEmpty)
        try session.perform(.forget(request: .request(.panic(.all))))
        #expect(session.snapshot.buttons.count == 4)
        #expect(throws: Fault.self) { try session.perform(.forget(request: .request(.panic(.all)))) }
        try session.perform(.learn(request: .turn(.volume)))
        try session.perform(.learn(nil))
        #expect(session.snapshot.learning == nil)
        try play(0x90, 61, 90)
        #expect(session.snapshot.notes.map(\.key) == [61])
    }

    /// A key before the bar plays the patch that goes, a key on it the one that comes, to the frame.
    @Test func aPatchComesOnTheBarToTheFrame() throws {
        try session.perform(.metronome(true, tempo: 97))
        try pass(0.5)
        var ports: [UInt8: UInt8] = [:], times: [UInt8: Int64] = [:]
        session.onPerformance = { performance in
            for entry in performance.entries {
                guard case .music(.message(let message)) = entry.event, message.beginsNote else { continue }
                (ports[message.data1], times[message.data1]) = (message.port, entry.time.rawValue)
            }
        }
        // How long after its press a key sounds.
        let pressed = port.nanoseconds * 48 / 1_000_000
        try play(0x90, 60, 90, for: 0.3)
        let latency = try #require(times[60]) - pressed, bar = try session.core.boundary(.bar).rawValue
        try session.perform(.nextPatch(at: .bar))
        for (key, frame) in [(61, bar - 1), (62, bar), (63, bar + 1)] as [(UInt8, Int64)] {
            while port.nanoseconds * 48 / 1_000_000 < frame - latency - 480 { try pass(0.01) }
            port.advance(frames: Int(frame - latency - port.nanoseconds * 48 / 1_000_000))
            keyboards.play(.message(MIDIMessage(status: 0x90, data1: key, data2: 90)), on: "Keystation")
        }
        try pass(0.5)
        #expect([61, 62, 63].compactMap { times[$0] } == [bar - 1, bar, bar + 1])
        #expect(ports[61] == ports[60] && ports[62] != ports[60] && ports[63] == ports[62])
        #expect(session.snapshot.patches?.name == "strings")
    }

    /// A button of one keyboard is none on another, in a session without zones too.
    @Test func aButtonIsOnItsKeyboard() throws {
        let port = SimulatedPort(), keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        var options = LiveOptions()
        options.instrument = .squareWave
        options.connections.buttons = [try Button("key-C2,keyboard-Pads", .request(.metronome(true, tempo: 96)))]
        let session = try Session(options, on: port, midi: keyboards)
        keyboards.plug("Keystation")
        keyboards.plug("The Pads 2", input: 1)
        try session.start()
        func play(_ key: UInt8, on keyboard: String) throws {
            keyboards.play(.message(MIDIMessage(status: 0x90, data1: key, data2: 90)), on: keyboard)
            try session.pass(0.1, on: port)
        }
        try play(36, on: "Keystation")
        #expect(session.snapshot.metronome == nil && session.snapshot.notes.map(\.key) == [36])
        try play(36, on: "The Pads 2")
        #expect(session.snapshot.metronome?.tempo == 96 && session.snapshot.notes.map(\.key) == [36])
        try play(48, on: "The Pads 2")
        #expect(session.snapshot.notes.map(\.key) == [36, 48])
        // One that is learned there is meant there.
        try session.perform(.learn(request: .request(.metronome(false, tempo: nil))))
        try play(38, on: "The Pads 2")
        #expect(session.snapshot.buttons.last?.button == "key-D2,channel-1,keyboard-Pads")
        try play(38, on: "Keystation")
        #expect(session.snapshot.metronome?.isRunning == true)
        try play(38, on: "The Pads 2")
        #expect(session.snapshot.metronome?.isRunning == false)
    }

    @Test func whatIsRefusedIsANotice() throws {
        try session.perform(.learn(request: .request(.next)))
        try play(0xC0, 9)
        _ = session.takeNotices()
        try play(0xC0, 9)
        #expect(session.takeNotices() == ["no song is played here; name songs when the session is started"])
    }
}
