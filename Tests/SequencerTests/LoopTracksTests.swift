import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import Testing

/// Tracks that are loops beside the music: each ends its own keys, pedals and bends alone, and its turns begin on their frames.
@Suite struct LoopTracksTests {
    private typealias Track = Song.Arrangement.Track

    private static func track(_ events: [Song.Arrangement.Event], beats: Double, from beat: Double = 0) -> Track {
        var track = Track(events)
        (track.offset, track.loop) = (beat, Song.Arrangement.Loop(0..<beats))
        return track
    }

    private static func message(_ beat: Double, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> Song.Arrangement.Event {
        Song.Arrangement.Event(beat, .message(MIDIMessage(status: status, data1: data1, data2: data2)))
    }

    private static func listener(_ tracks: [Track]) -> TrackListener {
        var listener = TrackListener(Song.Arrangement(tracks: tracks), areLoops: true)
        listener.play()
        return listener
    }

    /// 120 quarter notes a minute: 24 000 frames a beat. At 97 and 3, 5 and 7 bars, each turn begins on the frame that is nearest.
    @Test(arguments: [3, 5, 7], [120.0, 97, 211]) func everyTurnBeginsOnItsFrame(_ bars: Int, _ tempo: Double) {
        let beats = Double(bars * 4)
        var listener = TrackListener(
            Song.Arrangement(tracks: [Self.track([.init(0, note: 60, length: 0.5)], beats: beats, from: 3)]), areLoops: true)
        listener.rate(tempo / 120)
        listener.play()
        let turn = beats * 60 / tempo * 48_000, first = 3 * 60 / tempo * 48_000
        listener.advance(to: Int64(first + 500 * turn) + 10, slice: 48_000)
        let onsets = listener.heard.filter(\.event.beginsNote).map(\.time.rawValue)
        #expect(onsets.count == 501)
        for (number, onset) in onsets.enumerated() {
            #expect(abs(Double(onset) - (first + Double(number) * turn)) <= 0.5 + 1e-6, "turn \(number)")
        }
        #expect(!listener.heard.contains { $0.event.isTime })
    }

    @Test func aLoopEndsItsOwnAlone() {
        var listener = Self.listener([
            Self.track([.init(0, note: 60, length: 4), Self.message(0, 0xB0, 64, 127), Self.message(0, 0xE0, 0, 100)], beats: 4),
            Self.track([.init(1, note: 60, length: 2), Self.message(1, 0xB0, 64, 100), Self.message(3, 0xB0, 64, 0)], beats: 4),
        ])
        listener.advance(to: 84_000)
        // The second loop's key and pedal went up at beat 3; the first one has both still down.
        #expect(listener.notes == ["+60@0", "+60@24000"] && listener.pedals == [0])
        listener.edit(at: 90_000) { $0.tracks[0] = Track() }
        listener.advance(to: 95_000)
        #expect(listener.held.isEmpty && listener.pedals.isEmpty)
        #expect(listener.notes.count { $0 == "-60@90000" } >= 1)
        let bends = listener.heard.compactMap { timed -> Int? in
            if case .message(let message) = timed.event, message.kind == .pitchBend { message.bend } else { nil }
        }
        #expect(bends == [4_608, 0])
    }

    @Test func aBendThatAnotherLoopHasMovedSinceStays() {
        var listener = Self.listener([
            Self.track([Self.message(0, 0xE0, 0, 100)], beats: 4), Self.track([Self.message(1, 0xE0, 0, 90)], beats: 4),
        ])
        listener.advance(to: 48_000)
        listener.edit(at: 50_000) { $0.tracks[0] = Track() }
        listener.advance(to: 60_000)
        #expect(listener.heard.count == 2)
        listener.edit(at: 70_000) { $0.tracks[1].isMuted = true }
        listener.advance(to: 80_000)
        #expect(listener.heard.count == 3)
    }

    /// Loops that come, go and change at random moments: once all are gone nothing is held.
    @Test(arguments: 0..<20) func nothingStays(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func next(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var listener = Self.listener([Track(), Track(), Track()])
        for step in 0..<100 {
            let time = listener.now.rawValue + Int64(next(20_000))
            listener.edit(at: time) { arrangement in
                let place = next(3)
                if next(3) == 0 { return arrangement.tracks[place] = Track() }
                var events: [Song.Arrangement.Event] = []
                for _ in 0..<next(6) {
                    let beat = Double(next(8)) / 2
                    switch next(3) {
                    case 0: events.append(.init(beat, note: UInt8(60 + next(3)), length: Double(1 + next(8)) / 2))
                    case 1: events.append(Self.message(beat, 0xB0, 64, UInt8(next(2) * 127)))
                    default: events.append(Self.message(beat, 0xE0, 0, UInt8(next(128))))
                    }
                }
                arrangement.tracks[place] = Self.track(events, beats: Double(1 + next(4)), from: Double(step) / 4)
            }
            listener.advance(to: time + Int64(next(20_000)))
        }
        let end = listener.now.rawValue + 10
        listener.edit(at: end) { $0.tracks = [Track(), Track(), Track()] }
        listener.advance(to: end + 100_000)
        #expect(listener.pedals.isEmpty)
        var down: Set<UInt8> = [], bend = 0
        for timed in listener.heard {
            guard case .message(let message) = timed.event else { continue }
            if message.beginsNote { down.insert(message.data1) }
            if message.endsNote { down.remove(message.data1) }
            if message.kind == .pitchBend { bend = message.bend }
        }
        #expect(down.isEmpty && bend == 0)
    }
}
