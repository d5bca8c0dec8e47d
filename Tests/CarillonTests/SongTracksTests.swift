import Carillon
import Testing

/// Tracks on an engine: the song's own sound, the same bytes for any slice, edits included, and no key that stays down.
@Suite struct SongTracksTests {
    private func engine(maximumFrames: Int = 4096) throws -> Engine {
        let engine = Engine(maximumFrames: maximumFrames)
        try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            try graph.route(part: 0, to: square)
        }
        return engine
    }

    private let song = RenderedSong.song(
        [
            (0, .message(MIDIMessage(status: 0x90, data1: 69, data2: 100))),
            (240, .message(MIDIMessage(status: 0x80, data1: 69, data2: 64))),
            (960, .message(MIDIMessage(status: 0x90, data1: 57, data2: 100))),
            (1200, .message(MIDIMessage(status: 0x80, data1: 57, data2: 64))),
        ], end: 1920)

    @Test func tracksSoundLikeTheirSong() throws {
        let one = try engine(), other = try engine()
        try one.play(song: song, at: SampleTime(100))
        try one.start(on: .offline)
        let tracks = try SongPlayback.Tracks(Song.Arrangement(song), on: other)
        try tracks.play(at: SampleTime(100))
        try other.start(on: .offline)
        #expect(try one.render(frames: 100_000) == other.render(frames: 100_000))
        #expect(tracks.hasEnded && tracks.isPlaying && abs(tracks.beat - 99_900 / 24_000) < 1e-9)
    }

    @Test func editsSoundAlikeInAnySlices() throws {
        func render(_ slice: Int) throws -> [Float] {
            let engine = try engine(maximumFrames: slice)
            var track = Song.Arrangement.Track()
            for beat in 0..<4 { track.add(note: UInt8(60 + beat * 3), at: Double(beat) / 2, length: 0.75) }
            track.loop = Song.Arrangement.Loop(0..<2)
            let tracks = try SongPlayback.Tracks(Song.Arrangement(tracks: [track]), on: engine)
            try tracks.play(at: SampleTime(77))
            try tracks.edit(at: SampleTime(30_001)) { $0.tracks[0].offset = 0.125 }
            try tracks.edit(at: SampleTime(50_003)) { $0.tempoTrack.add(Song.Arrangement.Event(0, .tempo(173.5))) }
            try tracks.edit(at: SampleTime(70_001)) { $0.tracks[0].cut(0.25..<0.75) }
            try tracks.setTempo(1.7, at: SampleTime(90_007))
            try tracks.stop(at: SampleTime(130_001))
            try engine.start(on: .offline)
            return try engine.render(frames: 140_000)[0]
        }
        let wanted = try render(512)
        #expect(wanted.contains { abs($0) > 0.1 } && wanted[139_000...].allSatisfy { abs($0) < 1e-4 })
        for slice in [1, 63, 4_096] { #expect(try render(slice) == wanted) }
    }

    @Test func anotherSongEndsThemAndTheyAnother() throws {
        let engine = try engine()
        let first = try engine.play(song: song, loop: true)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 4_800)
        let tracks = try SongPlayback.Tracks(
            Song.Arrangement(tracks: [Song.Arrangement.Track([Song.Arrangement.Event(0, note: 72, length: 100)])]), on: engine)
        #expect(throws: Fault.self) { try first.play() }
        // Its note has ended, and nothing plays.
        let rest = try engine.render(frames: 48_000)[0]
        #expect(rest[40_000...].allSatisfy { abs($0) < 1e-4 })
        try tracks.play()
        #expect(try engine.render(frames: 48_000)[0][40_000...].contains { abs($0) > 0.05 })
        try engine.play(song: song)
        #expect(throws: Fault.self) { try tracks.play() }
        #expect(try engine.render(frames: 48_000)[0][30_000...].allSatisfy { abs($0) < 1e-4 })
        #expect(throws: Fault.self) { try tracks.beat(atHostTime: 0) }
    }

    @Test func beatsAndMomentsOfADeviceAgree() throws {
        let engine = try engine(), port = SimulatedPort()
        let tracks = try SongPlayback.Tracks(
            Song.Arrangement(tracks: [Song.Arrangement.Track([Song.Arrangement.Event(0, note: 69, length: 1)])]), on: engine)
        try engine.start(on: .simulated(port))
        port.advance(seconds: 1)
        let begin = port.nanoseconds + 500_000_000
        try tracks.play(atHostTime: begin)
        port.advance(seconds: 1)
        let moment = try #require(try tracks.hostTime(ofBeat: 4))
        #expect(abs(moment - begin - 2_000_000_000) < 50_000)
        #expect(abs(try tracks.beat(atHostTime: moment) - 4) < 0.001)
    }
}
