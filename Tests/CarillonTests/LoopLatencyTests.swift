import Carillon
import RealtimeCore
import Synchronization
import Testing

@testable import Sessions

/// What is sung to the beat that is heard lies on the beat in a loop, though it comes in later.
@Suite struct LoopLatencyTests {
    /// Clicks of someone who hears the beats and hits them: the frames between them, and where they are.
    private final class Clicks: Sendable {
        let times = Mutex<(from: Int, to: Int, first: Int)>((0, 0, 0))

        func sample(_ frame: Int) -> Float {
            let times = times.withLock { $0 }
            return frame >= times.from && frame < times.to && (frame - times.first) % 24_000 == 0 ? 0.5 : 0
        }
    }

    private let clicks = Clicks()

    /// The places of clicks in a bar of what a loop plays, from `bar` on.
    private func places(_ voice: LoopVoice, from bar: Int) -> [Int] {
        (0..<96_000).filter { abs(voice.port.played[0][bar + $0]) > 0.2 }
    }

    @Test(arguments: [nil, 0, 0.01] as [Double?]) func clicksLieOnTheBeat(_ latency: Double?) throws {
        let voice = try LoopVoice(latency: latency) { [clicks] in clicks.sample($0) }, session = voice.session
        try session.perform(.metronome(true, tempo: 120))
        try session.perform(.set("metronome.gain=-60"))
        try voice.pass(0.5)
        let trip = session.core.port.inputLatency + session.core.graph.latency
        #expect(trip > 500)
        let shift = latency.map { trip - Int($0 * 48_000) } ?? 0
        let bar = Int(try session.core.boundary(.bar).rawValue)
        // The player goes on where the loop ends, as its beginning is faded in from there.
        clicks.times.withLock { $0 = (bar, bar + 96_100, bar) }
        try voice.ask("record")
        try voice.pass(Double(bar - Int(session.sampleTime.rawValue)) / 48_000 + 1.9)
        try voice.ask("play")
        try voice.pass(4.5)
        #expect(voice.state == "playing")
        let first = places(voice, from: bar + 192_000)
        let expected = (0..<4).map { $0 * 24_000 + shift }
        #expect(first == expected, "\(first)")
        // A layer between the beats, from a bar to a bar.
        let next = Int(try session.core.boundary(.bar).rawValue)
        clicks.times.withLock { $0 = (next, next + 96_000, next + 12_000) }
        try voice.ask("overdub")
        try voice.pass(Double(next - Int(session.sampleTime.rawValue)) / 48_000 + 1.9)
        try voice.ask("play")
        try voice.pass(4.5)
        let both = places(voice, from: next + 192_000)
        #expect(both == (0..<8).map { $0 * 12_000 + shift }, "\(both)")
        // The first layer alone is as it was.
        try voice.ask("undo")
        try voice.pass(4)
        let later = next + 192_000 + 4 * 96_000
        try voice.pass(max(0, Double(later + 96_000 - Int(session.sampleTime.rawValue)) / 48_000 + 0.1))
        #expect(places(voice, from: later) == expected)
        try session.finish()
    }

    /// Stopped at its end, a loop has its last notes all the same.
    @Test func theEndOfAStoppedLoopComesIn() throws {
        let voice = try LoopVoice { [clicks] in clicks.sample($0) }, session = voice.session
        try voice.pass(0.5)
        try voice.ask("record")
        try voice.pass(1)
        // The last click is played 100 frames before the stop, and comes in after it.
        let stop = Int(session.core.soon.rawValue)
        clicks.times.withLock { $0 = (stop - 100, stop, stop - 100) }
        try voice.ask("stop")
        try voice.pass(1)
        let length = Int((session.snapshot.loops[0].seconds * 48_000).rounded())
        let from = voice.port.played[0].count
        try voice.ask("play")
        try voice.pass(3)
        let heard = voice.port.played[0].indices.dropFirst(from).filter { abs(voice.port.played[0][$0]) > 0.2 }
        #expect(heard.count >= 1 && zip(heard, heard.dropFirst()).allSatisfy { $1 - $0 == length }, "\(heard) \(length)")
        try session.finish()
    }
}
