import Carillon
import Foundation
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Reports
import TestFolders
import Testing

@testable import Sessions

/// The looper of a session: requests, the one pedal, and its time.
@Suite struct LooperSessionTests {
    let port = SimulatedPort()
    private let keyboards: SimulatedKeyboards
    let session: Session

    init() throws {
        let port = port
        keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        var options = LiveOptions()
        options.instrument = .squareWave
        options.device.loopSeconds = 10
        options.connections.buttons = [try Button("controller-80", .request(Self.command("pedal")))]
        session = try Session(options, on: port, midi: keyboards)
        keyboards.plug("Keystation")
        try session.start()
        try pass(0.1)
    }

    static func command(_ action: String, _ track: Int? = nil) throws -> ControlCommand {
        .looper(try #require(Session.LoopAction(rawValue: action)), track: track)
    }

    func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }

    func ask(_ action: String, _ track: Int? = nil) throws { try session.perform(Self.command(action, track)) }

    func pedal(_ value: UInt8, then seconds: Double) throws {
        keyboards.play(.message(MIDIMessage(status: 0xB0, data1: 80, data2: value)), on: "Keystation")
        try pass(seconds)
    }
    func tread(then seconds: Double) throws {
        try pedal(127, then: 0.1)
        try pedal(0, then: seconds - 0.1)
    }
    func note(_ key: Int) throws {
        try session.perform(.note(channel: 1, key: key, velocity: 100, seconds: 0.2))
    }

    var loop: SessionSnapshot.Loop { session.snapshot.loops[0] }
    func peak(_ seconds: Double) throws -> Float {
        let before = port.played[0].count
        try pass(seconds)
        return port.played[0][before...].reduce(0) { max($0, abs($1)) }
    }

    @Test func onePedalPlaysTheEvening() throws {
        #expect(session.snapshot.loops.allSatisfy { $0.state == "empty" })
        try tread(then: 0.5)
        #expect(loop.state == "recording")
        try note(60)
        try pass(1.5)
        try tread(then: 0.5)
        // Two seconds between the presses, to the frame: four beats at 120.
        #expect(loop.state == "playing" && loop.seconds == 2 && loop.beats == 4 && session.snapshot.tempo == 120)
        #expect(try peak(2) > 0.02)
        try tread(then: 1)
        #expect(loop.state == "overdubbing" && loop.layers == 2)
        try tread(then: 1)
        #expect(loop.state == "playing" && loop.layers == 2)
        // Held: the press, which began a layer, and the layer before it are taken back while it is down; held again, that comes back.
        for (layers, undone) in [(1, 2), (2, 1)] {
            try pedal(127, then: 0.58)
            #expect(loop.undone == (undone == 2 ? 0 : 2))
            try pass(0.12)
            #expect(loop.state == "playing" && loop.layers == layers && loop.undone == undone)
            try pedal(0, then: 0.5)
        }
        // Twice: it stops.
        try tread(then: 0.2)
        try tread(then: 1)
        #expect(loop.state == "stopped")
        #expect(try peak(2) == 0)
        // Held while it is stopped: it is forgotten.
        try pedal(127, then: 0.7)
        try pedal(0, then: 0.5)
        #expect(loop.state == "empty" && loop.seconds == 0)
        try session.finish()
    }

    @Test func aLateOrEarlyPressCountsForItsBar() throws {
        try session.perform(.metronome(true, tempo: 120))
        try pass(2.05)
        try ask("record", 1)
        try pass(4)
        try ask("play", 1)
        try pass(1)
        // Two bars of two seconds, whatever the presses were: both came some hundredths after a bar.
        #expect(loop.seconds == 4 && loop.beats == 8, "\(loop)")
        try ask("record", 2)
        #expect(session.snapshot.loops[1].state == "empty")
        try pass(1.5)
        #expect(session.snapshot.loops[1].state == "recording")
        try session.finish()
    }

    @Test func requestsAreRefusedOrDoWhatTheySay() throws {
        for action in ["play", "overdub", "undo", "once", "retrigger"] {
            #expect(throws: Fault.self) { try ask(action, 1) }
        }
        #expect(throws: Fault.self) { try session.perform(Verb.looperBeats(4)) }
        try ask("record", 3)
        try note(60)
        try pass(1.5)
        try ask("play")
        try pass(1)
        let tempo = session.snapshot.tempo, seconds = session.snapshot.loops[2].seconds
        #expect((70...160).contains(tempo))
        try session.perform(Verb.looperBeats(3))
        try pass(0.1)
        #expect(abs(session.snapshot.tempo - 180 / seconds) < 0.01)
        #expect(try peak(2) > 0.02)
        try ask("mute")
        try pass(0.2)
        #expect(session.snapshot.loops[2].isMuted && session.snapshot.loops[2].state == "playing")
        #expect(try peak(2) == 0)
        try ask("mute")
        try session.perform(Verb.looperMultiply(2, nil as Int?))
        try session.perform(Verb.looperLevel(3, -60.0))
        try pass(0.2)
        #expect(session.snapshot.loops[2].seconds == 2 * seconds)
        #expect(try peak(2) < 0.001)
        try ask("clear")
        try pass(0.2)
        #expect(session.snapshot.loops[2].state == "empty")
        try session.finish()
    }

    @Test func theOnlyLayerIsTakenBackAndComesBack() throws {
        try ask("record", 1)
        try note(60)
        try pass(1)
        try ask("play")
        try pass(0.3)
        let seconds = loop.seconds
        try ask("undo")
        try pass(0.2)
        #expect(loop.state == "empty" && loop.layers == 0 && loop.undone == 1)
        // The reverb dies away.
        try pass(3)
        #expect(try peak(2) == 0)
        for action in ["undo", "overdub", "play", "multiply"] {
            #expect(throws: Fault.self) {
                if action == "multiply" { try session.perform(Verb.looperMultiply(2, 1)) } else { try ask(action) }
            }
        }
        try ask("redo")
        try pass(0.2)
        #expect(loop.state == "playing" && loop.layers == 1 && loop.seconds == seconds)
        #expect(try peak(2) > 0.02)
        #expect(throws: Fault.self) { try ask("redo") }
        // What is taken back while it is recorded, is a loop that can come back.
        try ask("record", 2)
        try note(64)
        try pass(1)
        try ask("undo")
        try pass(0.2)
        #expect(session.snapshot.loops[1].state == "empty" && session.snapshot.loops[1].undone == 1)
        try session.finish()
    }

    @Test func aLoopIsCountedInOrBeginsWithAKey() throws {
        try session.perform(.metronome(false, tempo: nil, countIn: 2))
        try session.perform(.tempo(120))
        try ask("record", 1)
        try pass(3.8)
        #expect(loop.state == "empty" && session.snapshot.metronome?.isRunning == true)
        try pass(0.5)
        #expect(loop.state == "recording")
        try pass(1.5)
        try ask("play")
        try pass(1)
        #expect(loop.seconds == 2 && loop.beats == 4)
        try session.perform(.metronome(false, tempo: nil, countIn: 0))
        try pass(0.3)
        try ask("arm", 2)
        try pass(1)
        #expect(session.snapshot.loops[1].state == "empty")
        try note(60)
        try pass(1)
        #expect(session.snapshot.loops[1].state == "recording")
        // The key is in it from its beginning on.
        try ask("play")
        try pass(0.3)
        try ask("stop", 1)
        try pass(3)
        try ask("retrigger", 2)
        #expect(try peak(0.2) > 0.02)
        try session.finish()
    }

    /// Loops come back as they were, from a folder that came whole; an overdub meanwhile is not in it.
    @Test func loopsAreSavedAndComeBack() throws {
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        let path = folder + "/evening"
        #expect(throws: Fault.self) { try session.perform(.saveLoops(path)) }
        try session.perform(.metronome(true, tempo: 97))
        try pass(0.3)
        for track in [1, 3] {
            try ask("record", track)
            try pass(2.5)
            try note(55 + track)
            try pass(2)
            try ask("play")
            try pass(2.5)
        }
        try session.perform(.metronome(false, tempo: nil))
        try session.perform(.looper(level: -6, track: 3))
        try session.perform(Verb.looperMultiply(2, 3))
        for action in ["reverse", "half"] { try ask(action, 3) }
        for track in [1, 3] { try ask("stop", track) }
        try pass(4)
        let before = session.snapshot.loops, played = try alone()
        try ask("play", 1)
        try session.perform(.saveLoops(path))
        try ask("overdub", 1)
        try note(80)
        try pass(1)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == ["evening", "evening.yaml"])
        #expect(session.snapshot.loops.map(\.isSaved) == [false, false, true, false, false, false, false, false])
        #expect(throws: Fault.self) { try session.perform(.saveLoops(path)) }
        for track in [1, 3] { try ask("clear", track) }
        try session.perform(.tempo(140))
        try pass(4)
        try session.perform(.loadLoops(path))
        try pass(0.5)
        for (loop, old) in zip(session.snapshot.loops, before) {
            #expect(loop.state == old.state && loop.seconds == old.seconds && loop.layers == (old.layers > 0 ? 1 : 0))
        }
        #expect(session.snapshot.tempo == 97 && session.snapshot.loops[0].isSaved)
        #expect(try session.engine.value("looper.reverse[2]") == 1 && session.engine.value("looper.speed[2]") == 0)
        let again = try alone()
        for (one, other) in zip(played, again) { #expect(one > 0.02 && abs(one - other) < 1e-4, "\(played) \(again)") }
        // What is asked to play while they are being read plays once they are there.
        try session.perform(.loadLoops(path))
        try ask("play", 1)
        try pass(0.5)
        #expect(session.snapshot.loops[0].state == "playing")
        try ask("stop", 1)
        // A place that cannot be written is said, and the next one can be.
        for place in ["/proc/nowhere", folder + "/second"] {
            try session.perform(.saveLoops(place))
            try pass(0.3)
            let isGood = place != "/proc/nowhere"
            #expect(session.takeNotices().contains { $0.contains(isGood ? "saved" : "cannot be created") })
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        try entryHasLoops(path)
        for name in ["nothing", "evening/1"] {
            #expect(throws: Fault.self) { try session.perform(.loadLoops("\(folder)/\(name)")) }
        }
        try session.finish()
    }

    /// An entry of a set list brings its loops back, with their tempo.
    private func entryHasLoops(_ path: String) throws {
        var options = SessionInTime.options, entry = ListedPatch("with loops")
        options.device.loopSeconds = 10
        (entry.loops, entry.tempo) = (path, 150)
        options.patches = [ListedPatch("without"), entry]
        let time = try SessionInTime(options)
        try time.session.perform(.patch(.next))
        #expect(try time.pass(atMost: 5) { time.session.snapshot.loops.first?.state == "stopped" })
        #expect(time.session.snapshot.loops[2].state == "stopped" && time.session.snapshot.tempo == 97)
        try time.session.finish()
    }

    /// The peaks of both loops, one after the other.
    private func alone() throws -> [Float] {
        try [1, 3].map { track in
            try ask("play", track)
            let heard = try peak(6)
            try ask("stop", track)
            try pass(0.2)
            return heard
        }
    }

    @Test func whatWaitsForItsBarIsCalledOff() throws {
        try session.perform(.metronome(true, tempo: 120))
        try pass(2.5)
        try ask("record", 1)
        try pass(0.2)
        try ask("clear")
        try pass(3)
        #expect(loop.state == "empty")
        try ask("record")
        try pass(3)
        try ask("play")
        try pass(3)
        #expect(loop.state == "playing")
        // A layer that has not begun is no layer.
        try ask("overdub")
        try ask("undo")
        try pass(3)
        #expect(loop.state == "playing" && loop.layers == 1)
        try session.finish()
    }

    @Test func aLoopOfBarsHasTheirExactLength() throws {
        try session.perform(.metronome(true, tempo: 97))
        try pass(0.5)
        try ask("record", 1)
        try pass(4)
        try ask("play")
        try pass(3)
        let node = try #require(session.engine.graph.nodes.first { $0.name == "looper" })
        let frames = loop.seconds * 48_000, exact = 4 * 60 * 48_000 / 97.0
        try session.perform(.metronome(true, tempo: 97))
        #expect(abs(frames + Double(node.instance.parameters.target(Looper.Parameter.fraction.rawValue, 0)) - exact) < 1e-3)
        try session.finish()
    }

    @Test func togglesCountEachPressAndWhatCannotBeIsRefused() throws {
        try ask("record", 1)
        try pass(1)
        try ask("play")
        try pass(0.5)
        for _ in 0..<3 { try ask("mute") }
        for _ in 0..<2 { try ask("solo") }
        try ask("half")
        try pass(0.2)
        #expect(loop.isMuted && !loop.isSoloed)
        #expect(throws: Fault.self) { try ask("overdub") }
        try ask("half")
        for times in [2, 3] { try session.perform(Verb.looperMultiply(times, nil as Int?)) }
        #expect(throws: Fault.self) { try session.perform(Verb.looperMultiply(4, nil as Int?)) }
        #expect(throws: Fault.self) { try session.perform(Verb.looperMultiply(64, nil as Int?)) }
        try ask("overdub")
        #expect(throws: Fault.self) { try ask("double") }
        try pass(0.3)
        #expect(loop.state == "overdubbing" && loop.layers == 4)
        try session.finish()
    }

    @Test func theBeatsOfALoop() {
        for (seconds, beats) in [(2.0, 4), (8, 16), (0.5, 1), (3.5, 8), (0.3, nil), (7.2, 12)] as [(Double, Int?)] {
            #expect(AudioLoops.beats(of: Int(seconds * 48_000), 48_000) == beats, "\(seconds) s")
        }
    }

    @Test func anotherPatchLeavesTheLoopAlone() throws {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.device.loopSeconds = 10
        let text = """
            version: 1
            units:
              lead: {unit: square-wave, role: instrument}
              mixer: {unit: multichannel-mixer, role: master}
            connections: [lead -> mixer]
            outputs: mixer
            """
        let patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        options.patches = [ListedPatch("one", patch), ListedPatch("two", patch)]
        let time = try SessionInTime(options), session = time.session
        try time.pass(0.1)
        try session.perform(Self.command("record", 1))
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.5))
        try time.pass(1)
        try session.perform(Self.command("play"))
        try time.pass(0.3)
        let end = session.engine.graph.output?.node, before = time.port.played[0].count
        try session.perform(.patch(.next))
        try time.pass(3)
        #expect(session.snapshot.patches?.number == 2 && session.engine.graph.output?.node == end)
        let heard = time.port.played[0][before...], length = Int(session.snapshot.loops[0].seconds * 48_000)
        let first = heard.suffix(length), second = heard.dropLast(length).suffix(length)
        #expect(first.elementsEqual(second) && first.contains { abs($0) > 0.02 })
        try session.finish()
    }

    /// A loop that has ended by itself plays again, each time it is asked to.
    @Test func onceIsOnceEachTime() throws {
        try ask("record", 1)
        try note(60)
        try pass(1)
        try ask("stop")
        for action in ["once", "once", "retrigger", "play"] {
            try pass(0.3)
            try ask(action, 1)
            #expect(try peak(0.5) > 0.02, "\(action)")
            if action != "once" { try ask("stop") }
            try pass(1.5)
            #expect(loop.state == "stopped", "\(action)")
        }
        try session.finish()
    }
}
