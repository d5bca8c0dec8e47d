import Carillon
import Foundation
import Testing

/// A song on an engine: where it stands, what it does when it is told, and that offline it is always the same.
@Suite struct SongPlaybackTests {
    /// A note of a quarter of a second at 0, one at 1 s, and the end at 2 s.
    private let song = RenderedSong.song(
        [
            (0, .message(MIDIMessage(status: 0x90, data1: 69, data2: 100))),
            (240, .message(MIDIMessage(status: 0x80, data1: 69, data2: 64))),
            (960, .message(MIDIMessage(status: 0x90, data1: 57, data2: 100))),
            (1200, .message(MIDIMessage(status: 0x80, data1: 57, data2: 64))),
        ], end: 1920)

    private func engine(maximumFrames: Int = 4096) throws -> Engine {
        let engine = Engine(maximumFrames: maximumFrames)
        try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            try graph.route(part: 0, to: square)
        }
        return engine
    }

    /// Whether anything is heard in a tenth of a second from `seconds` on.
    private func isHeard(_ sound: [Float], at seconds: Double) -> Bool {
        sound[Int(seconds * 48_000)..<Int(seconds * 48_000) + 4_800].contains { abs($0) > 0.01 }
    }

    @Test func itSoundsLikeItsTimelineWhateverIsPulledAtATime() throws {
        let other = try engine()
        other.play(try Timeline(song, sampleRate: 48_000), at: SampleTime(100))
        try other.start(on: .offline)
        let wanted = try other.render(frames: 120_000)
        for frames in [64, 1_000, 4_096] {
            let engine = try engine(maximumFrames: frames)
            try engine.start(on: .offline)
            let playback = try engine.play(song: song, at: SampleTime(100))
            #expect(playback.state == .playing && playback.length == 2)
            let first = try engine.render(frames: 48_100)
            #expect(playback.position.frame == 48_000 && !playback.hasEnded)
            let rest = try engine.render(frames: 71_900)
            #expect(first[0] + rest[0] == wanted[0], "pulls of \(frames)")
            try engine.maintain()
            #expect(playback.hasEnded && playback.state == .stopped)
        }
        #expect(isHeard(wanted[0], at: 0.1) && !isHeard(wanted[0], at: 0.6) && isHeard(wanted[0], at: 1.1))
    }

    /// An SFZ instrument that comes while the song loops takes its turns anew in each round.
    @Test func anInstrumentThatCountsMayComeWhileItPlays() throws {
        let path = "/tmp/carillon-turns-\(getpid()).sfz"
        let turns = (1...2).map { "<region> sample=*sine seq_length=2 seq_position=\($0) transpose=\(12 * $0)\n" }.joined()
        try Data(turns.utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        let engine = try engine()
        try engine.start(on: .offline)
        let one = RenderedSong.song(
            [
                (0, .message(MIDIMessage(status: 0x90, data1: 69, data2: 100))),
                (240, .message(MIDIMessage(status: 0x80, data1: 69, data2: 64))),
            ], end: 1920)
        try engine.play(song: one, loop: true)
        _ = try engine.render(frames: 24_000)
        try engine.edit { graph in
            let sampler = try graph.add(named: "sampler", buses: .main, properties: ["soundfonts": .list([.text(path)])])
            try graph.setOutput(sampler)
            try graph.route(part: 0, to: sampler)
        }
        // The beginnings of the next two rounds are posted.
        _ = try engine.render(frames: 48_000 * 6 - 24_000)
        let rounds = try (0..<3).map { _ in try engine.render(frames: 96_000)[0][..<24_000] }
        #expect(rounds[0].contains { abs($0) > 0.01 })
        #expect(rounds[1] == rounds[0] && rounds[2] == rounds[0])
    }

    @Test func aLoopGoesOnAndEndsWhenItIsTakenAway() throws {
        let engine = try engine()
        try engine.start(on: .offline)
        let playback = try engine.play(song: song, loop: true)
        let sound = try engine.render(frames: 48_000 * 7)[0]
        for round in 0..<3 {
            let start = Double(2 * round)
            #expect(isHeard(sound, at: start + 0.1) && !isHeard(sound, at: start + 0.6))
            #expect(isHeard(sound, at: start + 1.1) && !isHeard(sound, at: start + 1.6))
        }
        #expect(playback.isLooping && playback.position.frame == 48_000)
        try playback.loop(nil)
        let rest = try engine.render(frames: 48_000 * 3)[0]
        #expect(isHeard(rest, at: 0.1) && !isHeard(rest, at: 1.1) && playback.hasEnded)
    }

    @Test func itObeysOnTheFrameThatIsNamed() throws {
        let engine = try engine()
        try engine.start(on: .offline)
        let playback = try engine.play(song: song)
        try playback.pause(at: SampleTime(6_000))
        let paused = try engine.render(frames: 48_000)[0]
        #expect(isHeard(paused, at: 0) && !isHeard(paused, at: 0.3))
        #expect(playback.state == .paused && playback.position.frame == 6_000)
        // The second note, an octave lower, twice as fast: 0.125 s.
        try playback.seek(to: .seconds(1))
        try playback.setTempo(2)
        #expect(playback.tempo == 2)
        try playback.play()
        let fast = try engine.render(frames: 9_600)[0]
        #expect(fast[1_000..<5_000].contains { abs($0) > 0.01 } && playback.position.frame == 48_000 + 19_200)
        try playback.stop()
        _ = try engine.render(frames: 4_800)
        #expect(playback.state == .stopped && playback.position.frame == 0 && !playback.hasEnded)
    }

    @Test func anotherSongTakesItsPlace() throws {
        let engine = try engine()
        try engine.start(on: .offline)
        let first = try engine.play(song: song)
        _ = try engine.render(frames: 4_800)
        let second = try engine.play(song: song, at: engine.now + 24_000)
        let sound = try engine.render(frames: 48_000)[0]
        #expect(isHeard(sound, at: 0.02), "it plays on until then")
        #expect(second.position.frame == 24_000)
        #expect(throws: Fault.songReplaced) { try first.play() }
        engine.play(try Timeline(song, sampleRate: 48_000))
        #expect(throws: Fault.songReplaced) { try second.pause() }
        #expect(throws: Fault.self) { try engine.play(song: "/proc/nowhere/song.mid") }
    }

    @Test func aDeviceIsServedByMaintain() throws {
        let engine = try engine(), port = SimulatedPort()
        try engine.start(on: .simulated(port, period: 128, periods: 3))
        let playback = try engine.play(song: song, loop: true)
        for _ in 0..<60 {
            port.advance(seconds: 0.1)
            try engine.maintain()
        }
        let sound = port.played[0]
        for second in 0..<5 { #expect(isHeard(sound, at: Double(second) + 0.1) && !isHeard(sound, at: Double(second) + 0.6)) }
        #expect(playback.isLooping && engine.renderer.counters.lateEvents == 0)
    }
}
