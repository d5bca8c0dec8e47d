import Carillon
import Glibc
import Testing

@testable import Sessions

/// Loops of many lengths stay in phase with the bars, to the frame, for `CARILLON_SOAK_HOURS`, or two minutes.
@Suite struct LoopPhaseTests {
    private static let hours = getenv("CARILLON_SOAK_HOURS").flatMap { Double(String(cString: $0)) } ?? 1.0 / 30

    @Test func loopsOfAllLengthsStayInPhase() throws {
        let rig = try MIDILoopTests(), session = rig.session, bars = [1, 2, 3, 5, 7, 8]
        try session.perform(.metronome(true, tempo: 120))
        try rig.pass(0.5)
        // Each has a key half a beat after its beginning.
        for (place, count) in bars.enumerated() {
            try session.perform(.looper(kind: .midi, track: place + 1))
            let bar = try session.core.boundary(.bar)
            try rig.ask("record", place + 1)
            while session.sampleTime < bar { try rig.pass(0.01) }
            try rig.pass(0.25)
            try rig.note(UInt8(60 + place))
            try rig.pass(Double(2 * count) - 0.65)
            try rig.ask("play", place + 1)
            try rig.pass(0.5)
        }
        // Beside them loops of sound, which are stretched.
        let sounds = [(track: 7, bars: 1), (8, 3)]
        for (track, count) in sounds {
            try rig.ask("record", track)
            try rig.pass(2.2 + Double(2 * (count - 1)))
            try rig.ask("play", track)
            try rig.pass(2.2)
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
        let from = Double(session.sampleTime.rawValue), line = Double(try session.core.boundary(.bar).rawValue)
        for _ in 0..<Int(Self.hours * 60) { try rig.pass(60) }
        let bar: Double = 4 * 60 / tempo * 48_000, passed = Double(session.sampleTime.rawValue) - from
        for (place, count) in bars.enumerated() {
            let onsets = rig.onsets(UInt8(60 + place)).map { Double($0) }, length = Double(count) * bar
            #expect(onsets.count >= Int(passed / length) - 1)
            guard let first = onsets.first else { continue }
            // The first is half a beat after a bar line, and each further one as many bars later.
            let lead = ((first - line) / bar - 0.125).rounded()
            let begin: Double = line + (lead + 0.125) * bar
            var worst = 0.0, drift = 0.0
            for (number, onset) in onsets.enumerated() {
                worst = max(worst, abs(onset - begin - Double(number) * length))
                drift = max(drift, abs(onset - first - Double(number) * length))
            }
            // The key was pressed to within a turn of ten milliseconds.
            #expect(worst <= 600, "\(count) bars: \(worst) frames from its beat")
            #expect(drift <= 1, "\(count) bars: \(drift) frames in \(onsets.count) turns")
        }
        for (track, count) in sounds {
            let loop = session.snapshot.loops[track - 1], beats = loop.beats.rounded()
            #expect(loop.state == "playing" && beats >= Double(4 * count) && abs(loop.beats - beats) < 1e-3)
            // It began on a bar, and its place is known to the frame of a slice.
            let now = try #require(session.parts[MetronomePart.self]?.quarters(at: session.sampleTime))
            let error = (loop.position / loop.seconds * beats - now).remainder(dividingBy: 4) * bar / 4
            #expect(abs(error) <= 3, "\(count) bars of sound: \(error) frames")
        }
        try session.finish()
    }
}
