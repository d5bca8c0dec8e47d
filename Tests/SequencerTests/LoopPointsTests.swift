import MIDI
import RealtimeCore
import Sequencer
import Testing

/// What songs say of their loops, by each custom.
@Suite struct LoopPointsTests {
    /// Eight beats of half a second at 48 kHz, 24 000 frames each; controllers and markers on beats.
    private func loop(
        controllers: [(beat: Int64, number: UInt8)] = [], value: UInt8 = 0, markers: [(beat: Int64, text: String)] = []
    ) throws -> LoopPoints? {
        var events = controllers.map { place in
            SongEvent(tick: place.beat * 480, .message(MIDIMessage(status: 0xB0, data1: place.number, data2: value)))
        }
        events += markers.map { SongEvent(tick: $0.beat * 480, .text(SongText(.marker, $0.text))) }
        events.append(SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 9))))
        let track = Track(events: events.sorted { $0.tick < $1.tick }, endTick: 8 * 480)
        return LoopPoints(try Timeline(Song(tracks: [track]), sampleRate: 48_000))
    }

    @Test func eachCustomIsUnderstood() throws {
        let marked = try loop(markers: [(2, "loopStart"), (6, "Loop_End")])
        #expect(marked?.custom == .markers && marked?.frames == 48_000..<144_000)
        let maker = try loop(controllers: [(3, 111)])
        #expect(maker?.custom == .rpgMaker && maker?.frames == 72_000..<192_000)
        let zun = try loop(controllers: [(2, 2), (7, 4)])
        #expect(zun?.custom == .zun && zun?.frames == 48_000..<168_000)
        let hmi = try loop(controllers: [(1, 110), (5, 111)])
        #expect(hmi?.custom == .hmi && hmi?.frames == 24_000..<120_000)
        let miles = try loop(controllers: [(1, 116), (4, 117)])
        #expect(miles?.custom == .xmidi && miles?.frames == 24_000..<96_000)
        let apogee = try loop(controllers: [(0, 110), (0, 111), (1, 116), (2, 117), (3, 118), (5, 119)])
        #expect(apogee?.custom == .emidi && apogee?.frames == 72_000..<120_000)
    }

    @Test func whatStandsAloneGoesWithBeginningOrEnd() throws {
        #expect(try loop(markers: [(6, "loopEnd")])?.frames == 0..<144_000)
        #expect(try loop(markers: [(6, "loopStart")])?.frames == 144_000..<192_000)
        #expect(try loop(controllers: [(4, 116)])?.frames == 96_000..<192_000)
        // An end before the beginning ends nothing.
        #expect(try loop(markers: [(5, "loopStart"), (2, "loopEnd")])?.frames == 120_000..<192_000)
    }

    @Test func aSongThatSaysNothingHasNone() throws {
        #expect(try loop() == nil)
        #expect(try loop(controllers: [(0, 7), (1, 91)], markers: [(1, "Verse"), (2, "loop")]) == nil)
        #expect(try loop(controllers: [(4, 119)]) == nil, "in XMIDI this is no loop")
        #expect(try loop(controllers: [(0, 110), (0, 111)]) == nil, "in EMIDI these name devices")
        #expect(try loop(controllers: [(1, 116), (4, 117)], value: 2) == nil, "a loop that counts")
        #expect(try loop(controllers: [(1, 2), (2, 2), (4, 4)]) == nil, "breath, played")
        #expect(try loop(controllers: [(4, 2), (1, 4)]) == nil && loop(controllers: [(4, 2)]) == nil)
    }

    /// A loop point at the end is RPG Maker's way to say that nothing is repeated.
    @Test(arguments: [7.5, 8]) func aLoopPointWithinABeatOfTheEndMeansOnce(beat: Double) throws {
        let tick = Int64(beat * 480), point = SongEvent(tick: tick, .message(MIDIMessage(status: 0xB0, data1: 111, data2: 0)))
        let note = SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 9)))
        let timeline = try Timeline(Song(tracks: [Track(events: [note, point], endTick: 8 * 480)]), sampleRate: 48_000)
        #expect(LoopPoints(timeline)?.playsOnce == true)
        #expect(SongPlan(timeline, rounds: 3).end == 192_000 && SongPlan(timeline, rounds: 2, fade: 48_000).end == 240_000)
        var transport = Transport(timeline)
        _ = transport.take(.rounds(.written, count: 3, fade: nil), now: .zero, lookahead: 0)
        _ = transport.take(.play, now: .zero, lookahead: 0)
        #expect(transport.loop == nil && transport.endTime == SampleTime(192_000))
        #expect(try loop(controllers: [(7, 111)])?.playsOnce == false)
    }

    @Test func theTransportLoopsThere() throws {
        let marks = [(2, "loopStart"), (6, "loopEnd")].map {
            SongEvent(tick: Int64($0.0) * 480, .text(SongText(.marker, $0.1)))
        }
        let timeline = try Timeline(Song(tracks: [Track(events: marks, endTick: 3840)]), sampleRate: 48_000)
        var transport = Transport(timeline)
        _ = transport.take(.loop(.written), now: .zero, lookahead: 0)
        #expect(transport.loop == 48_000..<144_000)
        _ = transport.take(.play, now: .zero, lookahead: 0)
        _ = transport.advance(now: .zero, horizon: 300_000)
        #expect(transport.position(at: SampleTime(143_999)).frame == 143_999)
        #expect(transport.position(at: SampleTime(144_000)).frame == 48_000)
    }
}
