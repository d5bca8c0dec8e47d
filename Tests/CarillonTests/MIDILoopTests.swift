import Carillon
import CarillonTestKit
import Foundation
import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Reports
import Testing

@testable import EngineCore
@testable import Sequencer
@testable import Sessions

/// MIDI loops of a session: what keyboards played is played again, beside them and in the session's tempo.
@Suite final class MIDILoopTests {
    let port = SimulatedPort()
    let keyboards: SimulatedKeyboards
    let session: Session
    /// All that was performed.
    var heard: [(time: Int, message: MIDIMessage)] = []

    init() throws {
        let port = port
        keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        var options = LiveOptions()
        options.instrument = .squareWave
        options.device.loopSeconds = 10
        session = try Session(options, on: port, midi: keyboards)
        session.onPerformance = { [unowned self] in take($0) }
        keyboards.plug("Keystation")
        try session.start()
        try pass(0.1)
    }

    func take(_ performance: Performance) {
        for entry in performance.entries {
            guard case .music(.message(let message)) = entry.event else { continue }
            heard.append((Int(entry.time.rawValue), message))
        }
    }

    func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }

    func ask(_ action: String, _ track: Int? = nil) throws { try session.perform(LooperSessionTests.command(action, track)) }

    func play(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 100) {
        keyboards.play(.message(MIDIMessage(status: status, data1: data1, data2: data2)), on: "Keystation")
    }

    func note(_ key: UInt8, _ seconds: Double = 0.1) throws {
        play(0x90, key)
        try pass(seconds)
        play(0x80, key, 0)
    }

    func onsets(_ key: UInt8) -> [Int] { heard.filter { $0.message.beginsNote && $0.message.data1 == key }.map(\.time) }
    func ends(_ key: UInt8) -> [Int] { heard.filter { $0.message.endsNote && $0.message.data1 == key }.map(\.time) }
    /// Keys that went down and not up.
    var down: Set<Int> {
        heard.reduce(into: []) { down, event in
            if event.message.beginsNote { down.insert(event.message.slot) }
            if event.message.endsNote { down.remove(event.message.slot) }
        }
    }
    var loop: SessionSnapshot.Loop { session.snapshot.loops[0] }

    /// Two bars at 120, with a note 0.5 s after their beginning.
    func record(_ key: UInt8, track: Int = 1) throws {
        try session.perform(.metronome(true, tempo: 120))
        try session.perform(.looper(kind: .midi, track: track))
        try pass(0.5)
        try ask("record", track)
        try pass(1.98)
        try note(key)
        try pass(3)
        try ask("play", track)
    }

    @Test func whatKeysPlayedIsPlayedAgain() throws {
        try record(60)
        #expect(loop.kind == .midi)
        let first = try #require(onsets(60).first)
        try pass(20)
        #expect(loop.state == "playing" && loop.beats == 8 && loop.seconds == 4 && loop.layers == 1)
        #expect(onsets(60) == (0..<onsets(60).count).map { first + $0 * 192_000 } && onsets(60).count >= 5)
        // As long as it was.
        #expect(zip(onsets(60), ends(60)).allSatisfy { $1 - $0 == ends(60)[0] - first })
        try ask("stop")
        try pass(0.1)
        let count = heard.count
        try pass(6)
        #expect(heard.count == count && loop.state == "stopped" && down.isEmpty)
        // The sound dies away, and there is no loop of sound.
        #expect(session.engine.graph.node(named: "looper") == nil)
        try ask("clear")
        try pass(0.1)
        #expect(loop.state == "empty")
        try session.finish()
    }

    @Test func aHeldKeyEndsWithTheLoopAndThePlayersStays() throws {
        try session.perform(.metronome(true, tempo: 120))
        try session.perform(.looper(kind: .midi, track: 1))
        try pass(0.5)
        try ask("record", 1)
        // 62 is down before the loop begins, 64 after it has ended.
        play(0x90, 62)
        try pass(2)
        play(0x80, 62, 0)
        try pass(1)
        play(0x90, 64)
        try pass(0.7)
        try ask("play")
        try pass(2)
        play(0x80, 64, 0)
        try pass(10)
        let begin = try #require(onsets(62).dropFirst().first), again = onsets(64).dropFirst()
        #expect(loop.beats == 4 || loop.beats == 8)
        let length = Int(loop.seconds * 48_000)
        // The key that was down at the beginning starts again there.
        #expect(onsets(62).dropFirst().enumerated().allSatisfy { $1 == begin + $0 * length })
        // The key over the end ends there in each turn, and does not start again.
        for onset in again.dropLast() {
            let end = try #require(ends(64).first { $0 > onset })
            #expect((end - begin) % length == 0)
        }
        #expect(again.count >= 2)
        // The player holds what the loop plays.
        play(0x90, 64)
        let pressed = port.played[0].count
        try pass(6)
        #expect(ends(64).allSatisfy { $0 < pressed } && down.contains(64))
        play(0x80, 64, 0)
        try pass(4)
        try ask("stop")
        try pass(0.2)
        #expect(down.isEmpty)
        try session.finish()
    }

    @Test func pedalsAndBendsAreTheLoopsOwn() throws {
        try session.perform(.metronome(true, tempo: 120))
        try session.perform(.looper(kind: .midi, track: 1))
        try pass(0.5)
        try ask("record", 1)
        try pass(2.1)
        play(0xB0, 64, 127)
        play(0xE0, 0, 100)
        try pass(1)
        play(0xB0, 64, 0)
        play(0xE0, 0, 64)
        try pass(0.5)
        try ask("play")
        try pass(3.4)
        // The pedal of the loop is down, and the bend is its own.
        func last(_ status: UInt8, _ data1: UInt8?) -> UInt8? {
            heard.last { $0.message.status == status && (data1 == nil || $0.message.data1 == data1) }?.message.data2
        }
        try ask("stop")
        try pass(0.2)
        #expect(last(0xB0, 64) == 0 && last(0xE0, nil) == 64)
        try ask("play")
        try pass(3)
        play(0xB0, 64, 100)
        play(0xE0, 0, 20)
        try pass(0.1)
        try ask("stop")
        try pass(0.5)
        #expect(last(0xB0, 64) == 100 && last(0xE0, nil) == 20)
        try session.finish()
    }

    @Test func layersAreAddedAndTakenBack() throws {
        try record(60)
        try pass(2)
        try ask("overdub")
        try pass(5)
        try note(67)
        try pass(1)
        try ask("overdub")
        try pass(3)
        #expect(loop.state == "playing" && loop.layers == 2)
        try pass(9)
        #expect(onsets(67).count >= 3)
        #expect(Set(onsets(67).map { ($0 - onsets(67)[0]) % 192_000 }) == [0])
        try ask("undo")
        try pass(0.1)
        let count = onsets(67).count
        try pass(9)
        #expect(onsets(67).count == count && loop.layers == 1 && loop.undone == 1)
        try ask("redo")
        try pass(9)
        #expect(onsets(67).count > count)
        try ask("mute")
        try pass(0.1)
        let muted = heard.count
        try pass(9)
        #expect(heard.count == muted && loop.isMuted && loop.state == "playing")
        try ask("mute")
        try session.perform(.looper(kind: .midi, track: 2))
        try ask("solo", 2)
        try pass(0.1)
        let soloed = heard.count
        try pass(5)
        #expect(heard.count == soloed && session.snapshot.loops[1].isSoloed)
        try ask("solo", 2)
        try session.perform(.looperMultiply(2, track: 1))
        try pass(0.1)
        #expect(loop.beats == 16)
        try ask("half", 1)
        try pass(0.1)
        #expect(loop.beats == 32)
        #expect(throws: Fault.self) { try ask("overdub", 1) }
        try ask("half", 1)
        try pass(20)
        let gaps = zip(onsets(60).dropFirst().suffix(4), onsets(60).suffix(5)).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 == 192_000 }, "\(gaps)")
        try session.finish()
    }

    @Test func loopsFollowTheTempo() throws {
        try record(60)
        try pass(5)
        let metronome = try #require(session.parts[MetronomePart.self])
        /// The share of a bar that has passed on a frame.
        func share(_ onset: Int, _ bar: Double) throws -> Double {
            let next = try #require(metronome.next(.bar, after: SampleTime(Int64(port.played[0].count))))
            let left = (Double(next.rawValue) - Double(onset)).truncatingRemainder(dividingBy: bar)
            return 1 - left / bar
        }
        let wanted = try share(try #require(onsets(60).first), 96_000)
        for tempo in [97.0, 150, 61.5] {
            try session.perform(.tempo(tempo))
            try pass(1)
            let before = onsets(60).count
            try pass(3 * 8 * 60 / tempo)
            let bar = 4 * 60 * 48_000 / tempo
            for onset in onsets(60).dropFirst(before) {
                // At the same place of the metronome's bar, to the frame.
                let place = try share(onset, bar)
                #expect(abs(place - wanted) * bar < 2, "\(tempo): \(place), not \(wanted)")
            }
            let gaps = zip(onsets(60).dropFirst(before + 1), onsets(60).dropFirst(before)).map { $0 - $1 }
            #expect(!gaps.isEmpty && gaps.allSatisfy { abs(Double($0) - 2 * bar) <= 1 }, "\(tempo): \(gaps)")
        }
        for _ in 0..<4 {
            try session.perform(.tap)
            try pass(0.4)
        }
        try pass(8)
        #expect(session.snapshot.tempo == 150)
        let gaps = zip(onsets(60).suffix(1), onsets(60).dropLast().suffix(1)).map { $0 - $1 }
        #expect(gaps.allSatisfy { abs($0 - 153_600) <= 1 }, "\(gaps)")
        try session.finish()
    }

    @Test func aFirstLoopSetsTheTempo() throws {
        try session.perform(.looper(kind: .midi, track: 2))
        try ask("record", 2)
        try note(60, 0.2)
        try pass(1.9)
        try ask("play")
        try pass(1)
        let loop = session.snapshot.loops[1]
        #expect(
            loop.beats == 4 && abs(loop.seconds - 2.1) < 0.01 && abs(session.snapshot.tempo * loop.seconds - 240) < 0.01,
            "\(loop), \(session.snapshot.tempo)")
        try pass(10)
        let gaps = zip(onsets(60).dropFirst(), onsets(60)).map { $0 - $1 }
        // The first turn was struck late, since the loop begins with the press.
        #expect(gaps.count >= 5 && gaps.dropFirst(2).allSatisfy { abs(Double($0) - loop.seconds * 48_000) <= 2 }, "\(gaps)")
        try session.perform(.looperBeats(3))
        try pass(5)
        #expect(abs(session.snapshot.tempo * loop.seconds - 180) < 0.01)
        #expect(abs(session.snapshot.loops[1].seconds - loop.seconds) < 0.001)
        try session.finish()
    }

    @Test func whatCannotBeIsRefused() throws {
        for action in ["play", "overdub", "undo", "once", "retrigger", "multiply"] {
            try session.perform(.looper(kind: .midi, track: 1))
            #expect(throws: Fault.self) {
                if action == "multiply" { try session.perform(.looperMultiply(2, track: 1)) } else { try ask(action, 1) }
            }
        }
        try record(60)
        try pass(3)
        for request in [
            ControlCommand.looper(kind: .audio, track: 1), .looper(pan: -6, track: 1), .looper(feedback: 50, track: 1),
            .looperMove(track: 2), .looper(level: 30, track: 1), .looper(row: [9]), .looper(row: [3]),
        ] {
            #expect(throws: Fault.self) { try session.perform(request) }
        }
        try ask("clear", 1)
        try session.perform(.looper(kind: .audio, track: 1))
        #expect(session.snapshot.loops.isEmpty || loop.kind == .audio)
        try session.finish()
    }
}
