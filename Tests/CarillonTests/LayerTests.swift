import Carillon
import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Layers come and go on a bar, to the frame, and what plays below them is as it was.
@Suite struct LayerTests {
    /// Frames of a beat, no whole number of microseconds or of slices; four are a bar.
    private static let beat: Int64 = 4_801, bar: Int64 = 4 * beat

    /// A song of so many beats at exactly `beat` frames, one note each.
    private static func song(_ beats: Int, key: UInt8, tempoTrack: Bool = true) -> Song {
        // 4 801 frames at 48 000 are 100 020.8 microseconds: a division of 12 has parts that are whole.
        var track = SessionInTime.song(beats, key: key, beatFrames: 4_801).tracks[0]
        if !tempoTrack { track.events.removeFirst() }
        return Song(tracks: [track])
    }

    private static func listed(_ beats: Int, key: UInt8) -> SessionSong {
        SessionSong(name: "song of \(key)", song: song(beats, key: key))
    }

    private func options(_ layers: (String, SessionSong, Int?)...) -> LiveOptions {
        var options = SessionInTime.options
        for (name, song, rounds) in layers {
            var layer = SessionLayer(name, song)
            layer.rounds = rounds
            options.layers.append(layer)
        }
        return options
    }

    /// The layer: a bar of two notes, at the song's beats 1 and 3, written at another tempo and division.
    private var drums: SessionSong {
        var track = Track(events: [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 777_777))])
        for tick in [Int64(0), 192] {
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x99, data1: 36, data2: 100))))
            track.events.append(SongEvent(tick: tick + 90, .message(MIDIMessage(status: 0x89, data1: 36, data2: 0))))
        }
        return SessionSong(name: "drums", song: Song(division: .ticksPerQuarter(96), tracks: [track]))
    }

    private func onsets(_ time: SessionInTime, of key: UInt8) -> [Int64] { time.onsets.filter { $0.key == key }.map(\.time) }

    @Test func itBeginsAndEndsOnABarToTheFrame() throws {
        let time = try SessionInTime(options(("drums", drums, nil)), [Self.listed(400, key: 60)])
        try time.pass(1.03)
        #expect(time.session.snapshot.layers == [.init(name: "drums", state: .off)])
        try time.session.perform(.layer("drums", true))
        let asked = time.session.sampleTime.rawValue
        #expect(time.session.snapshot.layers[0].state == .coming)
        #expect(try time.pass { time.session.snapshot.layers[0].state == .on })
        try time.pass(3.3)
        try time.session.perform(.layer("drums", false))
        let ended = time.session.sampleTime.rawValue
        #expect(time.session.snapshot.layers[0].state == .going)
        try time.pass(3)
        #expect(time.session.snapshot.layers[0].state == .off)
        let melody = onsets(time, of: 60), hits = onsets(time, of: 36)
        // The song's beats are all there, where they are without a layer.
        let alone = try SessionInTime(SessionInTime.options, [Self.listed(400, key: 60)])
        try alone.pass(8)
        #expect(onsets(alone, of: 60).starts(with: melody))
        // Each hit is on the frame of the song's first or third beat; from the first bar behind the wish to that behind the end.
        let beats = Set(melody.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        #expect(hits.allSatisfy(beats.contains) && hits.count > 10)
        let bars = melody.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
        let first = try #require(hits.first), last = try #require(hits.last)
        #expect(bars.contains(first) && first - asked < Self.bar + 9_000 && first > asked)
        #expect(!bars.contains(last) && last > ended - Self.bar && last < ended + Self.bar)
        // No hit is missing in between.
        #expect(hits == melody.enumerated().filter { $0.offset % 2 == 0 && (first...last).contains($0.element) }.map(\.element))
        #expect(time.held[36] == 0)
        try time.session.finish()
    }

    @Test func itGoesOnFromSongToSongAndRoundToRound() throws {
        let time = try SessionInTime(
            options(("drums", drums, nil)), [Self.listed(8, key: 60), Self.listed(12, key: 62)])
        try time.session.perform(.repeats(.all))
        try time.session.perform(.layer("drums", true))
        try time.pass(20)
        let songs = time.onsets.filter { $0.key != 36 }.map(\.time), hits = onsets(time, of: 36)
        #expect(hits.count > 80)
        // From the first bar on, on every other beat of every song.
        let first = try #require(hits.first)
        let wanted = songs.enumerated().filter { $0.offset % 2 == 0 && $0.element >= first }.map(\.element)
        #expect(hits == wanted)
        try time.session.finish()
        #expect(time.held.values.allSatisfy { $0 == 0 })
    }

    @Test func aSongThatLoopsTakesItRound() throws {
        // Ten beats: the last bar is a short one, and the song goes back in the middle of it.
        let time = try SessionInTime(options(("drums", drums, nil)), [Self.listed(10, key: 60)])
        try time.session.perform(.repeats(.all))
        try time.pass(0.9)
        // Bar 3 begins with beat 9 and lasts for two: the next one is the song's first.
        try time.session.perform(.layer("drums", true))
        try time.pass(5.05)
        try time.session.perform(.layer("drums", false))
        try time.pass(4)
        let songs = onsets(time, of: 60), hits = onsets(time, of: 36)
        let first = try #require(hits.first), last = try #require(hits.last)
        let wanted = songs.enumerated().filter {
            [0, 2, 4, 6, 8].contains($0.offset % 10) && (first...last).contains($0.element)
        }
        #expect(hits == wanted.map(\.element) && hits.count >= 20)
        #expect(
            songs.enumerated().filter { $0.offset % 10 == 0 || $0.offset % 10 == 4 || $0.offset % 10 == 8 }.map(\.element)
                .contains(first))
        try time.session.finish()
    }

    @Test func aLayerThatIsCountedEndsByItself() throws {
        let time = try SessionInTime(options(("drums", drums, 3)), [Self.listed(400, key: 60)])
        try time.pass(0.5)
        try time.session.perform(.layer("drums", true))
        #expect(try time.pass { time.session.snapshot.layers[0].state == .off })
        try time.pass(2)
        #expect(onsets(time, of: 36).count == 6)
        // Again, as before.
        try time.session.perform(.layer("drums", true))
        try time.pass(3)
        #expect(onsets(time, of: 36).count == 12)
        try time.session.finish()
    }

    @Test(arguments: 1...6) func seeksPausesAndTemposTakeItAlong(_ seed: UInt64) throws {
        let time = try SessionInTime(options(("drums", drums, nil)), [Self.listed(4000, key: 60)])
        try time.session.perform(.layer("drums", true))
        try time.pass(2)
        var random = SeededRandom(seed: seed)
        let steps: [ControlCommand] = [
            .seek(.bar(31)), .tempo(1.7), .pause, .play, .seek(.bySeconds(-2)), .layer("drums", false), .layer("drums", true),
            .seek(.byBars(5)), .tempo(0.6), .stop, .play, .transpose(3), .transpose(0),
        ]
        for _ in 0..<60 {
            try time.session.perform(try #require(steps.randomElement(using: &random)))
            try time.pass(Double.random(in: 0.02...0.7, using: &random))
        }
        try time.session.perform(.transpose(0))
        try time.session.perform(.play)
        try time.session.perform(.layer("drums", true))
        try time.pass(6)
        let from = time.session.sampleTime.rawValue
        try time.pass(5)
        // Every hit stands on a beat of the song, and every other beat has one.
        let songs = onsets(time, of: 60).filter { $0 >= from }, hits = onsets(time, of: 36).filter { $0 >= from }
        #expect(hits.count > 10 && Set(hits).isSubset(of: songs))
        let places = hits.map { hit in songs.firstIndex(of: hit) ?? 0 }
        #expect(Set(zip(places, places.dropFirst()).map { $1 - $0 }) == [2])
        try time.session.finish()
        #expect(time.held.values.allSatisfy { $0 == 0 })
    }

    @Test func layersOfASongComeWithItAndGoWithIt() throws {
        var first = Self.listed(8, key: 60)
        first.manner.layers = ["drums"]
        var last = Self.listed(8, key: 64)
        last.manner.takesLayers = false
        let other = SessionSong(name: "other", song: Self.song(4, key: 50, tempoTrack: false))
        let time = try SessionInTime(
            options(("drums", drums, nil), ("other", other, nil)), [first, Self.listed(8, key: 62), last])
        try time.session.perform(.layer("other", true))
        #expect(try time.pass { time.session.isOver })
        let songs = [UInt8(60), 62, 64].map { onsets(time, of: $0) }
        // With it on its first frame, not in the second.
        #expect(onsets(time, of: 36) == [songs[0][0], songs[0][2], songs[0][4], songs[0][6]])
        // What was asked for goes on in the second, and the third takes none.
        let others = onsets(time, of: 50)
        #expect(others.suffix(8) == songs[1] && others.count <= 16)
        try time.session.finish()
    }

    @Test func whatCannotBeIsTold() throws {
        let time = try SessionInTime(options(("drums", drums, nil)), [Self.listed(40, key: 60)])
        #expect(throws: Fault.self) { try time.session.perform(.layer("choir", true)) }
        try time.session.perform(.layer("drums", false))
        try time.session.finish()
        // A song without bars takes no layer, and plays.
        var film = Track()
        for beat in 0..<8 {
            film.events.append(SongEvent(tick: Int64(beat) * 100, .message(MIDIMessage(status: 0x90, data1: 60, data2: 90))))
            film.events.append(SongEvent(tick: Int64(beat) * 100 + 50, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))))
        }
        var song = SessionSong(name: "film", song: Song(division: .smpte(.pal, ticksPerFrame: 40), tracks: [film]))
        song.manner.layers = ["drums"]
        let other = try SessionInTime(options(("drums", drums, nil)), [song])
        #expect(other.session.takeNotices().contains { $0.contains("film plays without layers") })
        try other.pass(0.2)
        // Asked for it waits for a song that takes it.
        try other.session.perform(.layer("drums", true))
        #expect(other.session.snapshot.layers[0].state == .coming)
        try other.pass(1)
        #expect(onsets(other, of: 60).count == 8 && onsets(other, of: 36).isEmpty)
        try other.session.finish()
        // One that cannot be read stops the start, unless it may be left out.
        var options = options(("drums", SessionSong(name: "drums", path: "/no/such.mid"), nil))
        #expect(throws: Fault.self) { try SessionInTime(options, [Self.listed(4, key: 60)]) }
        options.layers[0].isOptional = true
        let without = try SessionInTime(options, [Self.listed(4, key: 60)])
        #expect(without.session.takeNotices().contains { $0.contains("layer drums is left out") })
        #expect(throws: Fault.self) { try without.session.perform(.layer("drums", true)) }
        try without.session.finish()
        options.layers[0] = SessionLayer("drums", drums)
        (options.layers[0].port, options.layers[0].level) = (1, -6)
        #expect(throws: Fault.self) { try SessionInTime(options, [Self.listed(4, key: 60)]) }
    }
}
