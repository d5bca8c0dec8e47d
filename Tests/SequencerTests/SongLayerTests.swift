import MIDI
import RealtimeCore
import Reports
import Testing

@testable import Sequencer

/// Songs that lie over others: in their beat to the frame, and nothing of the others is different.
@Suite struct SongLayerTests {
    private static func note(_ tick: Int64, _ length: Int64, _ key: UInt8, channel: UInt8 = 0) -> [SongEvent] {
        [
            SongEvent(tick: tick, .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: 100))),
            SongEvent(tick: tick + length, .message(MIDIMessage(status: 0x80 | channel, data1: key, data2: 0))),
        ]
    }

    /// Eight bars of quarters at 96 ticks, whose tempo changes in every bar, to quarters of no whole number of frames.
    private static let base: Song = {
        var track = Track()
        for beat in Int64(0)..<32 {
            if beat % 4 == 0 {
                track.events.append(SongEvent(tick: beat * 96, .tempo(microsecondsPerQuarter: UInt32(400_001 + 37_003 * beat))))
            }
            track.events += note(beat * 96, 90, 40)
        }
        track.endTick = 32 * 96
        return Song(division: .ticksPerQuarter(96), tracks: [track])
    }()

    /// A bar of triplets, three in two quarters, at 1000 ticks, which are no whole ticks anywhere.
    private static func triplets(_ events: [SongEvent] = []) -> Song {
        var track = Track()
        for beat in Int64(0)..<6 { track.events += note(beat * 2000 / 3, 300, UInt8(70 + beat)) }
        track.events += events
        track.events.sort { $0.tick < $1.tick }
        return Song(division: .ticksPerQuarter(1000), tracks: [track])
    }

    private func onsets(_ timeline: Timeline, port: UInt8) -> [(frame: Int64, key: UInt8)] {
        timeline.events.compactMap { timed in
            guard case .message(let message) = timed.event, message.kind == .noteOn, message.data2 > 0, message.port == port
            else { return nil }
            return (timed.time.rawValue, message.data1)
        }
    }

    @Test func everyNoteFollowsTheOtherSongsBeatToTheFrame() throws {
        let alone = try Timeline(Self.base, sampleRate: 44_100)
        let layer = try SongLayer(Self.triplets(), port: 2)
        let timeline = try Timeline(Self.base, sampleRate: 44_100, layers: [SongLayer.Placement(layer)])
        #expect(timeline.events.filter { $0.event.port == 0 } == alone.events)
        #expect(timeline.summary.end == alone.summary.end && timeline.tempoMap == alone.tempoMap)
        let heard = onsets(timeline, port: 2)
        #expect(heard.count == 8 * 6 && heard.map(\.key) == (0..<48).map { UInt8(70 + $0 % 6) })
        for (index, onset) in heard.enumerated() {
            // A tick of the layer, exactly: quarters = tick / 1000; the song's tempo is the same for a whole bar.
            let bar = Int64(index / 6), tick = Int64(index % 6) * 2000 / 3
            var elapsed: Int128 = 0
            for before in 0..<bar { elapsed += 4000 * Int128(400_001 + 148_012 * before) }
            elapsed += Int128(tick) * Int128(400_001 + 148_012 * bar)
            // Nearest frame, halves up, as the song's own.
            let wanted = (elapsed * 88_200 + 1_000_000_000) / 2_000_000_000
            #expect(Int128(onset.frame) == wanted, "note \(index)")
        }
    }

    @Test func itEndsWhatSoundsWhereItIsHeardNoMore() throws {
        // A note over the whole bar, from its second beat on: the loop's end cuts it, and so does every edge.
        let layer = try SongLayer(Song(division: .ticksPerQuarter(96), tracks: [Track(events: Self.note(96, 288, 60))]), port: 1)
        for placement in [
            SongLayer.Placement(layer, start: 0, outside: 480..<960),
            SongLayer.Placement(layer, start: 384, endingIn: 500..<1152),
            SongLayer.Placement(layer, start: 192),
        ] {
            let timeline = try Timeline(Self.base, sampleRate: 48_000, layers: [placement])
            var down = 0, downInGaps = 0
            for timed in timeline.events {
                guard case .message(let message) = timed.event, message.port == 1 else { continue }
                if message.kind == .noteOn { down += 1 } else if message.kind == .noteOff { down = 0 }
                let tick = timeline.tempoMap.tick(at: timed.time)
                if (480..<960).contains(tick), placement.windows.count == 2 { downInGaps += down }
                if tick >= 1152, placement.windows.first?.goesOn == true { downInGaps += down }
            }
            #expect(down == 0 && downInGaps == 0)
        }
    }

    @Test func aLoopIsWhatTheSongAsksForElseWholeBars() throws {
        // Two beats before the loop, one beat in it, three rounds, one behind it.
        var track = Track()
        for beat in Int64(0)..<4 { track.events += Self.note(beat * 480, 240, UInt8(60 + beat)) }
        track.events += [
            SongEvent(tick: 960, .text(SongText(.marker, "loopStart"))),
            SongEvent(tick: 1440, .text(SongText(.marker, "loopEnd"))),
        ]
        track.events.sort { $0.tick < $1.tick }
        let song = Song(tracks: [track]), base = Song(tracks: [Track(events: Self.note(0, 480, 30), endTick: 480 * 40)])
        func keys(_ layer: SongLayer, _ start: Int64 = 0) throws -> [Int] {
            let timeline = try Timeline(base, sampleRate: 48_000, layers: [.init(layer, start: start)])
            return onsets(timeline, port: 1).map { Int($0.frame / 24_000) * 100 + Int($0.key) }
        }
        #expect(try keys(SongLayer(song, port: 1, rounds: 3)) == [60, 161, 262, 362, 462, 563])
        #expect(try keys(SongLayer(song, port: 1, rounds: 1), 480 * 4) == [460, 561, 662, 763])
        #expect(try keys(SongLayer(song, port: 1)).suffix(2) == [3862, 3962])
        // Before its beginning it is there in the same beat.
        #expect(try keys(SongLayer(song, port: 1), 480 * 4).prefix(6) == [62, 162, 262, 362, 460, 561])
        // Three beats and a bit are a bar; in 3/4, two bars.
        track.events.removeAll { if case .text = $0.kind { true } else { false } }
        track.endTick = 1500
        #expect(try SongLayer(Song(tracks: [track])).loop == 0..<1920)
        let waltz = TimeSignature(3, over: 4)
        track.events.insert(SongEvent(tick: 0, .timeSignature(waltz)), at: 0)
        #expect(try SongLayer(Song(tracks: [track])).loop == 0..<2880)
        // What it asks for does not make the song loop that it lies over.
        track.events.append(SongEvent(tick: 0, .message(MIDIMessage(status: 0xB0, data1: 111, data2: 0))))
        track.events.sort { $0.tick < $1.tick }
        let layer = try SongLayer(Song(tracks: [track]), port: 1)
        let timeline = try Timeline(base, sampleRate: 48_000, layers: [.init(layer)])
        #expect(LoopPoints(timeline) == nil && layer.loop == 0..<2880)
    }

    @Test func aRoundBeginsAsTheFirstOneDid() throws {
        // A program, a bend and a pedal that are left otherwise at the end; a reset that is not to come again.
        var track = Track()
        track.events =
            [
                SongEvent(tick: 0, .systemExclusive([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])),
                SongEvent(tick: 0, .message(MIDIMessage(status: 0xC0, data1: 5))),
            ] + Self.note(0, 200, 60) + [
                SongEvent(tick: 960, .message(MIDIMessage(status: 0xC0, data1: 9))),
                SongEvent(tick: 960, .message(MIDIMessage(status: 0xE0, data1: 0, data2: 100))),
                SongEvent(tick: 960, .message(MIDIMessage(status: 0xB0, data1: 64, data2: 127))),
            ]
        track.endTick = 1920
        let layer = try SongLayer(Song(tracks: [track]), port: 3, level: 0.5)
        let timeline = try Timeline(
            Song(tracks: [Track(endTick: 1920 * 4)]), sampleRate: 48_000, layers: [.init(layer)])
        var instrument = RecordingInstrument(), strikes = 0, resets = 0
        for timed in timeline.events {
            if case .reset = timed.event { resets += 1 }
            if case .message(let message) = timed.event, message.kind == .noteOn {
                strikes += 1
                let part = instrument.parts[48]
                #expect(part.program == 5 && part.bend == 8192 && part.controllers[64] == 0, "round \(strikes)")
                #expect(instrument.volumes[3] == 0.5, "round \(strikes)")
            }
            instrument.hear(timed.event)
        }
        // One to begin with, and its own.
        #expect(strikes == 4 && resets == 2)
    }

    @Test func onPortOneItSharesChannelsAndResetsNothing() throws {
        var track = Track()
        track.events = [SongEvent(tick: 0, .systemExclusive([0xF0, 0x7E, 0x7F, 9, 1, 0xF7]))] + Self.note(0, 96, 60, channel: 5)
        let layer = try SongLayer(Song(division: .ticksPerQuarter(96), tracks: [track]), level: 0.5)
        let timeline = try Timeline(Self.base, sampleRate: 48_000, layers: [.init(layer)])
        #expect(timeline.events.allSatisfy { if case .message = $0.event { true } else { $0.event.isTime } })
        #expect(timeline.summary.parts.map(\.channel) == [0, 5] && timeline.summary.parts.allSatisfy { $0.port == 0 })
    }

    @Test func whatHasNoBarsIsRefused() throws {
        let film = Song(division: .smpte(.pal, ticksPerFrame: 40), tracks: [Track(events: Self.note(0, 10, 60))])
        let patterns = Song(format: .sequential, tracks: [Track(), Track()])
        #expect(throws: Fault.countsFilmFrames) { try SongLayer(film) }
        #expect(throws: Fault.playsPatterns) { try SongLayer(patterns) }
        let ports = Song(tracks: [Track(port: 3, events: Self.note(0, 10, 60))])
        #expect(throws: Fault.tooManyPorts) { try SongLayer(ports, port: 13) }
        let layer = try SongLayer(ports, port: 12)
        #expect(throws: Fault.countsFilmFrames) { try Timeline(film, sampleRate: 48_000, layers: [.init(layer)]) }
        #expect(throws: Fault.playsPatterns) {
            try Timeline(patterns, sampleRate: 48_000, layers: [.init(layer)])
        }
        // A note a 32nd, over years.
        let dense = try SongLayer(Song(tracks: [Track(events: Self.note(0, 1, 60), endTick: 1)]), port: 1)
        #expect(dense.loop == 0..<1920)
        let years = Song(tracks: [Track(endTick: 1 << 40)])
        #expect(throws: Fault.tooManyEvents) { try Timeline(years, sampleRate: 48_000, layers: [.init(dense)]) }
    }
}
