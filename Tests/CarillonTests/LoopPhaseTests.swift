import Carillon
import Glibc
import Testing

@testable import Sessions

/// Loops of many lengths stay in phase with the bars, to the frame, for `CARILLON_SOAK_HOURS`, or two minutes.
@Suite struct LoopPhaseTests {
    private static let hours = getenv("CARILLON_SOAK_HOURS").flatMap { Double(String(cString: $0)) } ?? 1.0 / 30

    @Test func loopsOfAllLengthsStayInPhase() throws {
        let rig = try MIDILoopTests(), session = rig.session
        // On tracks 1 to 6, with a key half a beat after the beginning of those of MIDI; sound is stretched.
        let bars = [1, 2, 3, 5, 7, 8], sounds: Set = [2, 4]
        // Two that go their own way, since another has set the tempo.
        try rig.ask("record", 1)
        try rig.pass(1.5)
        try rig.ask("play", 1)
        try session.perform(.looper(kind: .midi, track: 7))
        for track in [7, 8] {
            try rig.ask("record", track)
            try rig.pass(0.3)
            try rig.note(70)
            try rig.pass(0.977)
            try rig.ask("play", track)
            try rig.pass(0.1)
        }
        try rig.ask("clear", 1)
        try session.perform(.metronome(true, tempo: 120))
        try rig.pass(0.5)
        for (place, count) in bars.enumerated() {
            if !sounds.contains(place + 1) { try session.perform(.looper(kind: .midi, track: place + 1)) }
            let bar = try session.core.boundary(.bar)
            try rig.ask("record", place + 1)
            while session.sampleTime < bar { try rig.pass(0.01) }
            try rig.pass(0.25)
            try rig.note(UInt8(60 + place))
            try rig.pass(Double(2 * count) - 0.65)
            try rig.ask("play", place + 1)
            try rig.pass(0.5)
        }
        #expect(session.snapshot.loops.map(\.state) == Array(repeating: "playing", count: 8))
        // A tap changes the tempo; the device is away for five seconds, while the music goes on.
        for _ in 0..<4 {
            try session.perform(.tap)
            try rig.pass(0.6)
        }
        let tempo = session.snapshot.tempo
        #expect(abs(tempo - 100) < 1)
        rig.port.isLost = true
        try rig.pass(5)
        rig.port.isLost = false
        try rig.pass(2)
        rig.heard = []
        rig.port.keepsPlayed = false
        let from = Double(session.sampleTime.rawValue), before = session.snapshot.loops[7]
        let line = Double(try session.core.boundary(.bar).rawValue)
        for _ in 0..<Int(Self.hours * 60) { try rig.pass(60) }
        let bar: Double = 4 * 60 / tempo * 48_000, passed = Double(session.sampleTime.rawValue) - from
        /// Frames by which the onsets of a key are from their places: `length` apart, and the first one in its place.
        func drift(_ key: Int, _ length: Double) -> (count: Int, first: Int, worst: Double) {
            let onsets = rig.onsets(UInt8(key)), first = onsets.first ?? 0
            let errors = onsets.enumerated().map { abs(Double($0.element - first) - Double($0.offset) * length) }
            return (onsets.count, first, errors.max() ?? .infinity)
        }
        let now = try #require(session.parts[MetronomePart.self]?.quarters(at: session.sampleTime))
        for (place, count) in bars.enumerated() where !sounds.contains(place + 1) {
            let length = Double(count) * bar, drift = drift(60 + place, length)
            #expect(drift.count >= Int(passed / length) - 1)
            #expect(drift.worst <= 1, "\(count) bars: \(drift.worst) frames in \(drift.count) turns")
            // Half a beat after a bar line; the key was pressed to within a turn of ten milliseconds.
            let error = abs((Double(drift.first) - line - bar / 8).remainder(dividingBy: bar))
            #expect(error <= 600, "\(count) bars: \(error) frames from its beat")
        }
        for track in sounds {
            let loop = session.snapshot.loops[track - 1], beats = loop.beats.rounded()
            #expect(beats == Double(4 * bars[track - 1]) && abs(loop.beats - beats) < 1e-3)
            // It began on a bar, and its place is known to the frame of a slice.
            let error = (loop.position / loop.seconds * beats - now).remainder(dividingBy: 4) * bar / 4
            #expect(abs(error) <= 3, "\(beats) beats of sound: \(error) frames")
        }
        // One of MIDI follows the tempo all the same, and one of sound does not.
        let turns = rig.onsets(70), length = Double(try #require(turns.last) - turns[0]) / Double(turns.count - 1)
        // Its beats are shown to a ten-thousandth.
        #expect(abs(length - session.snapshot.loops[6].beats * bar / 4) < 2 && turns.count > Int(passed / bar))
        #expect(drift(70, length).worst <= 1)
        let free = session.snapshot.loops[7]
        #expect(free.seconds == before.seconds)
        let turned = free.position - before.position - passed / 48_000
        #expect(abs(turned.remainder(dividingBy: free.seconds)) * 48_000 <= 3)
        #expect(session.snapshot.loops.map(\.state) == Array(repeating: "playing", count: 8))
        try session.finish()
    }
}
