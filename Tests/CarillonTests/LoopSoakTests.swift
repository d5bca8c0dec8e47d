import Carillon
import CarillonTestKit
import Control
import Glibc
import MIDI
import RemoteIO
import Reports
import Testing

@testable import Sessions

/// Loops of both kinds for long, and asked for anything; `CARILLON_SOAK_HOURS` says how long.
@Suite(.serialized) struct LoopSoakTests {
    private static let hours = getenv("CARILLON_SOAK_HOURS").flatMap { Double(String(cString: $0)) }

    /// Requests at random, no panic among them, with keys, pedals and tempos between them, on MIDI loops and loops of sound. Then all
    /// loops are stopped and all keys lifted: nothing sounds, and no ledger holds anything.
    @Test func nothingStaysOfRandomRequests() throws {
        let rig = try MIDILoopTests(), session = rig.session
        var random = SeededRandom(seed: 7)
        func next(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for track in 1...3 { try session.perform(.looper(kind: .midi, track: track)) }
        let actions = Session.LoopAction.allCases
        var done = 0
        for _ in 0..<(Self.hours == nil ? 1_500 : 10_000) {
            let track = 1 + next(6)
            do throws(Fault) {
                switch next(40) {
                case 0: try session.perform(.metronome(next(2) == 0, tempo: nil))
                case 1: try session.perform(.tempo(Double(80 + next(80))))
                case 2: try session.perform(.tap)
                case 3: try session.perform(.looperMultiply(1 + next(3), track: track))
                case 4: try session.perform(.looper(row: [track, 1 + next(6)]))
                case 5: try session.perform(.looper(level: Double(-next(20)), track: track))
                case 6: try session.perform(.looper(stretch: next(3) > 0))
                case 7: try session.perform(.looperCapture(bars: 1, track: track))
                case 8: try session.perform(.looperMove(track: track))
                default: try session.perform(.looper(actions[next(actions.count)], track: track))
                }
                done += 1
            } catch {
                // What cannot be is refused.
            }
            let key = UInt8(60 + next(4))
            switch next(4) {
            case 0: rig.play(0x90, key)
            case 1: rig.play(0x80, key, 0)
            case 2: rig.play(0xB0, 64, UInt8(next(2) * 127))
            default: rig.play(0xE0, 0, UInt8(next(128)))
            }
            rig.port.keepsPlayed = false
            rig.port.advance(seconds: Double(next(8)) / 100)
            try session.maintain()
        }
        #expect(done > 600)
        for track in 1...6 where session.snapshot.loops[track - 1].state != "empty" {
            try session.perform(.looper(.stop, track: track))
        }
        for key in 60..<64 as Range<UInt8> { rig.play(0x80, key, 0) }
        rig.play(0xB0, 64, 0)
        rig.play(0xE0, 0, 64)
        // The longest release.
        try rig.pass(3)
        #expect(rig.down.isEmpty && session.snapshot.voices == 0 && session.snapshot.notes.isEmpty)
        #expect(try session.part(KeysPart.self).filter.isEmpty)
        #expect(session.snapshot.loops.prefix(6).allSatisfy { ["stopped", "empty"].contains($0.state) })
        let count = rig.heard.count
        try rig.pass(3)
        #expect(rig.heard.count == count)
        try session.finish()
    }

    /// Layer upon layer on four loops: once all have their five layers, memory stays what the loops were allotted.
    @Test func overdubsTakeNoMoreMemory() throws {
        var options = SessionInTime.options
        (options.ports, options.device.loopSeconds, options.recording.minutes) = (1, 10, 0.5)
        let time = try SessionInTime(options), session = time.session
        time.port.keepsPlayed = false
        try session.perform(.metronome(true, tempo: 240))
        for track in [3, 4] { try session.perform(.looper(kind: .midi, track: track)) }
        for track in 1...4 {
            try session.perform(.looper(.record, track: track))
            try time.pass(2.2)
            try session.perform(.looper(.play, track: track))
            try time.pass(1)
        }
        /// Pieces of sound that are free, and bytes, after so many seconds of overdubs.
        func overdub(_ seconds: Double) throws -> (free: Int, bytes: Int) {
            for turn in 0..<Int(seconds) {
                let track = 1 + turn % 4
                try session.perform(.looper(.overdub, track: track))
                try session.perform(.note(channel: 1, key: 60 + turn % 12, velocity: 90, seconds: 0.1))
                try time.pass(0.9)
                // A MIDI loop has the events that were played into it: so that there are no more each time, its layers go.
                try session.perform(.looper(turn % 8 < 4 && track < 3 ? .play : .undo, track: track))
                try time.pass(0.1)
                time.forget()
            }
            let looper = session.engine.graph.nodes.first { $0.name == "looper" }
            return (Int(try #require(looper?.instance.readout("free"))), try #require(ProcessMemory.residentBytes))
        }
        let first = try overdub(Self.hours == nil ? 40 : 300), last = try overdub((Self.hours ?? 1.0 / 60) * 3_600)
        // A layer of both loops of sound, more or less: two seconds are 94 pieces.
        #expect(abs(last.free - first.free) <= 2 * 120, "\(first.free), then \(last.free)")
        // Beside other suites the process has what they need.
        if Self.hours != nil { #expect(last.bytes - first.bytes < 8 << 20, "\((last.bytes - first.bytes) / 1_024) KB more") }
        #expect(session.snapshot.loops.prefix(4).allSatisfy { $0.state == "playing" || $0.state == "overdubbing" })
        try session.finish()
    }
}
