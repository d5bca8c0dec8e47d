import MIDI
import RealtimeCore
import Sequencer
import Testing

/// A loop that is played so often: what sounds when, and when all is over.
@Suite struct SongPlanTests {
    /// Eight beats of 24 000 frames at 48 kHz with a note on each, and loop points on beats.
    private func timeline(_ points: (first: Int64, last: Int64)? = (2, 6), beats: Int64 = 8) throws -> Timeline {
        var events = (0..<beats).flatMap { (beat: Int64) -> [SongEvent] in
            [
                SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0x90, data1: UInt8(60 + beat), data2: 100))),
                SongEvent(tick: beat * 480 + 200, .message(MIDIMessage(status: 0x80, data1: UInt8(60 + beat), data2: 0))),
            ]
        }
        if let points {
            events += [(points.first, "loopStart"), (points.last, "loopEnd")].map {
                SongEvent(tick: $0.0 * 480, .text(SongText(.marker, $0.1)))
            }
        }
        let track = Track(events: events.sorted { $0.tick < $1.tick }, endTick: beats * 480)
        return try Timeline(Song(tracks: [track]), sampleRate: 48_000)
    }

    /// Keys that go down, with the beat at which they do; frames that are no beat fail.
    private func notes(_ plan: SongPlan, _ timeline: Timeline) -> [String] {
        var notes: [String] = []
        for (index, stretch) in plan.stretches.enumerated() {
            let next = index + 1 < plan.stretches.count ? plan.stretches[index + 1].start.rawValue : plan.end
            for place in stretch.events {
                let event = timeline.events[place]
                guard case .message(let message) = event.event, message.kind == .noteOn, message.data2 > 0 else { continue }
                let frame = stretch.start.rawValue + event.time.rawValue - stretch.position
                if frame >= next { continue }
                #expect(frame % 24_000 == 0)
                notes.append("\(frame / 24_000):\(Int(message.data1) - 60)")
            }
        }
        return notes
    }

    @Test func theLoopIsPlayedSoOftenThenTheEnd() throws {
        let timeline = try timeline()
        let once = SongPlan(timeline, rounds: 1)
        #expect(notes(once, timeline) == (0..<8).map { "\($0):\($0)" } && once.end == 192_000 && once.fade == nil)
        let thrice = SongPlan(timeline, rounds: 3)
        #expect(thrice.loop == 48_000..<144_000 && thrice.end == 192_000 + 2 * 96_000)
        let keys = [0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7]
        #expect(notes(thrice, timeline) == keys.enumerated().map { "\($0):\($1)" })
        #expect(thrice.notes(before: thrice.end) == 16 && thrice.notes(before: 6 * 24_000) == 6)
        #expect(thrice.notes(before: 6 * 24_000 + 1) == 7 && thrice.notes(before: 0) == 0)
        // Keys go up at each seam, and nothing of the song is told again that has not changed.
        #expect(thrice.stretches.map(\.releases) == [false, true, true, false])
    }

    @Test func whatSaysNothingIsPlayedWhole() throws {
        let timeline = try timeline(nil), plan = SongPlan(timeline, rounds: 2)
        #expect(plan.loop == 0..<192_000 && plan.end == 384_000)
        #expect(notes(plan, timeline) == (0..<16).map { "\($0):\($0 % 8)" })
        let empty = try Timeline(Song(tracks: [Track()]), sampleRate: 48_000)
        let silence = SongPlan(empty, rounds: 1000)
        #expect(silence.loop == 0..<4_800 && silence.end == 4_800_000 && silence.notes(before: .max) == 0)
    }

    @Test func aFadeGoesOnLooping() throws {
        let timeline = try timeline(), plan = SongPlan(timeline, rounds: 2, fade: 5 * 24_000)
        // Two rounds end behind the tenth beat; five beats more are a round and the beginning of another.
        #expect(plan.fade == 240_000..<360_000 && plan.end == 360_000)
        #expect(notes(plan, timeline) == [0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5, 2].enumerated().map { "\($0):\($1)" })
        #expect(SongPlan(timeline, rounds: 0, fade: 1).end == 144_001)
    }

    /// What the song has set before its loop and changed in it is as it was when the loop begins again.
    @Test func theInstrumentsStandWhereTheyStoodThen() throws {
        func volume(_ beat: Int64, _ value: UInt8) -> SongEvent {
            SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0xB0, data1: 7, data2: value)))
        }
        let marks = [(2, "loopStart"), (6, "loopEnd")].map { SongEvent(tick: Int64($0.0) * 480, .text(SongText(.marker, $0.1))) }
        let events = ([volume(1, 50), volume(4, 90)] + marks).sorted { $0.tick < $1.tick }
        let timeline = try Timeline(Song(tracks: [Track(events: events, endTick: 3840)]), sampleRate: 48_000)
        let plan = SongPlan(timeline, rounds: 2)
        let wanted = MusicEvent.message(MIDIMessage(status: 0xB0, data1: 7, data2: 50))
        #expect(plan.stretches[1].prologue.filter { !$0.isTime } == [wanted] && plan.stretches[2].prologue.isEmpty)
        // The bar of the song begins where the song begins, at 120: the loop begins two beats behind that.
        func time(frame: Int32, place: Int32) -> [MusicEvent] {
            let said: [MusicalTime] = [.tempo(120), .meter(bar: 0, .common), .beat(0), .frame(frame), .place(place)]
            return said.map { MusicEvent.time($0) }
        }
        #expect(plan.stretches[0].prologue == time(frame: 0, place: 0))
        #expect(Array(plan.stretches[1].prologue.suffix(5)) == time(frame: 48_000, place: 2 * 26_880))
    }
}
