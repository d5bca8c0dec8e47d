import MIDI
import RealtimeCore
import Sequencer
import Testing

/// The transport: every command in every state, positions to the frame, loops without a seam.
@Suite struct TransportTests {
    /// Eight bars of 4/4 at 120, a note on every quarter (24 000 frames), a marker on bars 3 and 6.
    private static func song(bars: Int = 8) throws -> Timeline {
        var notes: [SongEvent] = []
        for beat in 0..<Int64(bars * 4) {
            notes.append(SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0x90, data1: UInt8(beat), data2: 99))))
            notes.append(SongEvent(tick: beat * 480 + 400, .message(MIDIMessage(status: 0x80, data1: UInt8(beat), data2: 0))))
        }
        let marks = [3, 6].map { SongEvent(tick: Int64($0 - 1) * 1920, .text(SongText(.marker, "bar \($0)"))) }
        return try Timeline(
            Song(tracks: [Track(events: marks), Track(events: notes, endTick: Int64(bars) * 1920)]), sampleRate: 48_000)
    }

    private static let bar: Int64 = 96_000

    // MARK: States and commands

    /// What each command makes of each state; nil where a segment must not come.
    @Test func everyCommandInEveryState() throws {
        let timeline = try Self.song()
        let commands: [TransportCommand] = [
            .play, .pause, .togglePlay, .stop, .seek(.bar(3)), .tempo(2), .transpose(5), .loop(.song),
            .rounds(.song, count: 2, fade: nil),
            .rounds(.bars(2, to: 4), count: 3, fade: 2), .seek(.bySeconds(1)), .end(nil),
        ]
        for state in Transport.State.allCases {
            for command in commands {
                var transport = Transport(timeline)
                if state != .stopped { _ = transport.take(.play, now: .zero, lookahead: 100) }
                if state == .paused { _ = transport.take(.pause, now: SampleTime(50_000), lookahead: 100) }
                #expect(transport.state == state)
                let now = SampleTime(96_000), effect = SampleTime(96_100)
                let before = transport.position(at: effect).frame
                let segments = transport.take(command, now: now, lookahead: 100)
                let after = transport.position(at: effect).frame, what = "\(state), \(command)"
                let isPlaying = state == .playing
                switch command {
                case .play, .togglePlay:
                    let starts = !isPlaying
                    let isPausing = isPlaying && command == .togglePlay
                    #expect(transport.state == (isPausing ? .paused : .playing), "\(what)")
                    #expect(segments.count == (starts ? 2 : isPausing ? 1 : 0), "\(what)")
                    #expect(after == before, "\(what)")
                    if starts { #expect(segments[0].position == before && segments[0].releases, "\(what)") }
                case .pause:
                    #expect(transport.state == (isPlaying ? .paused : state), "\(what)")
                    #expect(segments.count == (isPlaying ? 1 : 0) && after == before, "\(what)")
                    #expect(segments.allSatisfy { $0.events.isEmpty && $0.releases && $0.start == effect }, "\(what)")
                case .end: #expect(transport.state == state && after == before, "\(what)")
                case .stop:
                    #expect(transport.state == .stopped && after == 0, "\(what)")
                    #expect(segments.count == (isPlaying ? 1 : 0), "\(what)")
                case .seek(let target):
                    #expect(transport.state == state, "\(what)")
                    #expect(after == (target == .bar(3) ? 2 * Self.bar : before + 48_000), "\(what)")
                    #expect(segments.count == (isPlaying ? 2 : 0), "\(what)")
                    #expect(segments.first?.releases != false && segments.first?.position != before, "\(what)")
                case .tempo, .transpose, .loop, .rounds:
                    #expect(transport.state == state && after == before, "\(what)")
                    #expect(segments.count == (isPlaying ? 2 : 0), "\(what)")
                    if isPlaying {
                        #expect(
                            !segments[0].releases && segments[0].prologue.allSatisfy(\.isTime), "\(what): sounding notes go on")
                        #expect(segments[0].start == effect && segments[0].position == before, "\(what)")
                    }
                    // The same again changes nothing.
                    #expect(transport.take(command, now: now, lookahead: 100).isEmpty, "\(what)")
                }
                #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.start < $1.start }, "\(what)")
            }
        }
    }

    @Test func theSongEndsByItself() throws {
        var transport = Transport(try Self.song())
        let segments = transport.take(.play, now: .zero, lookahead: 64)
        #expect(transport.endTime == SampleTime(64 + 8 * Self.bar))
        #expect(segments.last?.start == transport.endTime && segments.last?.releases == true)
        #expect(transport.advance(now: SampleTime(8 * Self.bar), horizon: 4800).isEmpty)
        #expect(transport.state == .playing && !transport.hasEnded)
        _ = transport.advance(now: SampleTime(64 + 8 * Self.bar), horizon: 4800)
        #expect(transport.state == .stopped && transport.hasEnded && transport.endTime == nil)
        #expect(transport.position(at: SampleTime(9 * Self.bar)).frame == 0)
        #expect(transport.take(.play, now: SampleTime(9 * Self.bar), lookahead: 64).first?.position == 0)
        #expect(!transport.hasEnded)
    }

    @Test func seekingToTheEndEndsTheSong() throws {
        var transport = Transport(try Self.song())
        _ = transport.take(.play, now: .zero, lookahead: 64)
        let segments = transport.take(.seek(.seconds(1e9)), now: SampleTime(1000), lookahead: 64)
        #expect(segments.count == 2 && segments[1].start == SampleTime(1065))
        _ = transport.advance(now: SampleTime(2000), horizon: 0)
        #expect(transport.hasEnded)
    }

    // MARK: Positions

    @Test func positionsAreExactInEveryUnit() throws {
        var transport = Transport(try Self.song())
        _ = transport.take(.play, now: SampleTime(1000), lookahead: 24)
        #expect(transport.position(at: SampleTime(1023)).frame == 0)
        for frames: Int64 in [0, 1, 24_000, 100_000, 767_999] {
            let position = transport.position(at: SampleTime(1024 + frames))
            #expect(position.frame == frames && position.isRunning && position.tempo == 120)
            #expect(position.seconds == Double(frames) / 48_000)
            #expect(position.tick == frames / 50)
            #expect(
                position.bar
                    == BarPosition(
                        bar: frames / 96_000 + 1, beat: Int(frames % 96_000 / 24_000) + 1, tick: Int(frames % 24_000 / 50)))
        }
        _ = transport.take(.tempo(0.5), now: SampleTime(1000 + 48_000), lookahead: 24)
        #expect(transport.position(at: SampleTime(1024 + 48_000 + 10_000)).frame == 48_000 + 5_000)
        #expect(transport.position(at: SampleTime(1024 + 48_000)).tempo == 60)
    }

    @Test func targetsAreFound() throws {
        var transport = Transport(try Self.song())
        func seek(_ target: TransportTarget) -> Int64 {
            _ = transport.take(.seek(target), now: .zero, lookahead: 0)
            return transport.position(at: .zero).frame
        }
        #expect(seek(.seconds(1.5)) == 72_000 && seek(.bySeconds(-0.5)) == 48_000 && seek(.bySeconds(-9)) == 0)
        #expect(seek(.seconds(.nan)) == 0 && seek(.seconds(-.infinity)) == 0 && seek(.seconds(.infinity)) == 8 * Self.bar)
        #expect(seek(.bar(1)) == 0 && seek(.bar(-7)) == 0 && seek(.bar(5)) == 4 * Self.bar && seek(.bar(.max)) == 8 * Self.bar)
        #expect(seek(.seconds(4.7)) == 225_600 && seek(.byBars(0)) == 2 * Self.bar && seek(.byBars(-1)) == Self.bar)
        #expect(seek(.byBars(.max)) == 8 * Self.bar && seek(.byBars(.min)) == 0 && seek(.byBars(2)) == 2 * Self.bar)
        #expect(seek(.byMarkers(0)) == 2 * Self.bar && seek(.byMarkers(1)) == 5 * Self.bar)
        #expect(seek(.byMarkers(1)) == 5 * Self.bar, "there is no third marker: it stays")
        #expect(seek(.byMarkers(.max)) == 5 * Self.bar && seek(.byMarkers(-1)) == 2 * Self.bar)
        #expect(seek(.byMarkers(-1)) == 0 && seek(.byMarkers(.min)) == 0)
    }

    @Test func theFirstTickOfABarIsWhereThePositionSaysSo() {
        let meters: [(tick: Int64, meter: TimeSignature)] = [
            (0, TimeSignature(3, over: 4)), (3 * 480 * 2 + 100, TimeSignature(7, over: 8)), (20_000, TimeSignature(5, over: 16)),
            (30_001, .common),
        ]
        for division in [480, 5, 1] {
            let map = TempoMap(division: .ticksPerQuarter(division), tempos: [], meters: meters, sampleRate: 48_000)
            for bar in Int64(1)...60 {
                guard let tick = map.tick(ofBar: bar) else { Issue.record("no bars"); return }
                #expect(map.position(ofTick: tick)?.bar == bar, "bar \(bar) at \(tick)")
                if tick > 0 { #expect((map.position(ofTick: tick - 1)?.bar ?? 0) < bar) }
            }
        }
        #expect(TempoMap(division: .smpte(.pal, ticksPerFrame: 40), tempos: [], sampleRate: 48_000).tick(ofBar: 2) == nil)
    }

    // MARK: Loops and tempo

    @Test(arguments: [1, 0.7, 1.3]) func aLoopHasNoSeam(_ factor: Double) throws {
        let timeline = try Self.song()
        var transport = Transport(timeline), listener = SegmentListener()
        _ = transport.take(.loop(.bars(2, to: 4)), now: .zero, lookahead: 0)
        _ = transport.take(.tempo(factor), now: .zero, lookahead: 0)
        listener.post(transport.take(.play, now: .zero, lookahead: 500))
        let round = transport.rate.clockFrames(ofScore: 2 * Self.bar)
        let end = 110 * round
        var now = SampleTime.zero
        while now.rawValue < end {
            listener.post(transport.advance(now: now, horizon: 24_000))
            now = now + 9_600
        }
        let onsets = listener.onsets(timeline, until: end)
        for key in UInt8(4)..<12 {
            // The way into the loop is counted from the song's beginning, and may round otherwise at a broken rate.
            let times = onsets.filter { $0.key == key }.map(\.time).dropFirst(factor == 1 ? 0 : 1)
            #expect(times.count >= 100)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == round }, "beat \(key)")
        }
        // Equal beats are equally far apart everywhere, but for the frame that a broken rate rounds.
        let beats = onsets.map(\.time), wanted = 24_000 / factor
        #expect(zip(beats, beats.dropFirst()).allSatisfy { abs(Double($1 - $0) - wanted) <= 1 })
        let place = transport.position(at: SampleTime(end)).frame
        #expect((Self.bar..<3 * Self.bar).contains(place))
    }

    @Test func aResetAtTheBeginningDoesNotCutWhatRingsOverTheSeam() throws {
        let on = SongEvent(tick: 0, .systemExclusive([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]))
        let events = [
            on, SongEvent(tick: 0, .message(MIDIMessage(status: 0xC0, data1: 7))),
            SongEvent(tick: 10, .message(MIDIMessage(status: 0x90, data1: 60, data2: 90))),
            SongEvent(tick: 900, .message(MIDIMessage(status: 0xB0, data1: 1, data2: 50))),
            SongEvent(tick: 1900, .message(MIDIMessage(status: 0x80, data1: 60))),
        ]
        let timeline = try Timeline(Song(tracks: [Track(events: events, endTick: 1920)]), sampleRate: 48_000)
        func resets(_ list: some Sequence<MusicEvent>) -> Int {
            list.filter { if case .reset = $0 { true } else { false } }.count
        }
        #expect(resets(timeline.events.map(\.event)) == 1)
        var transport = Transport(timeline)
        _ = transport.take(.loop(.song), now: .zero, lookahead: 0)
        let first = transport.take(.play, now: .zero, lookahead: 0)
        #expect(resets(timeline.events[first[0].events].map(\.event)) == 1)
        let rounds = first.dropFirst() + transport.advance(now: SampleTime(Self.bar / 2), horizon: 2 * 96_000)
        #expect(!rounds.isEmpty)
        for round in rounds {
            let told = round.prologue + timeline.events[round.events].map(\.event)
            #expect(resets(told) == 0)
            // The program is the song's, the modulation is taken back, and the note begins anew.
            #expect(told.contains(.message(MIDIMessage(status: 0xC0, data1: 7))))
            #expect(told.contains(.message(MIDIMessage(status: 0xB0, data1: 1, data2: 0))))
            #expect(told.contains(.message(MIDIMessage(status: 0x90, data1: 60, data2: 90))))
        }
    }

    @Test func aShortLoopIsPostedFarEnoughAhead() throws {
        var transport = Transport(try Self.song())
        _ = transport.take(.loop(.ticks(0, to: 1)), now: .zero, lookahead: 0)
        #expect(transport.loop == 0..<4_800)
        var last = transport.take(.play, now: .zero, lookahead: 100).map(\.start).max() ?? .zero
        for step in 0..<200 {
            let now = SampleTime(Int64(step) * 2_400)
            if step > 0 { #expect(last > now, "the renderer has the next round in time") }
            last = max(last, transport.advance(now: now, horizon: 24_000).map(\.start).max() ?? .zero)
            #expect(last - now > 24_000 || step == 0)
        }
    }

    @Test func aTransportThatWasForgottenComesBackInTime() throws {
        var transport = Transport(try Self.song())
        _ = transport.take(.loop(.bars(1, to: 2)), now: .zero, lookahead: 0)
        _ = transport.take(.play, now: .zero, lookahead: 0)
        let segments = transport.advance(now: SampleTime(1000 * Self.bar + 7), horizon: 100)
        #expect(segments.count <= 3)
        #expect(transport.position(at: SampleTime(1000 * Self.bar + 7)).frame == 7)
    }

    @Test func leavingALoopPlaysOnToTheEnd() throws {
        let timeline = try Self.song()
        var transport = Transport(timeline), listener = SegmentListener()
        _ = transport.take(.loop(.bars(1, to: 2)), now: .zero, lookahead: 0)
        listener.post(transport.take(.play, now: .zero, lookahead: 0))
        listener.post(transport.advance(now: SampleTime(90_000), horizon: 24_000))
        listener.post(transport.advance(now: SampleTime(2 * Self.bar), horizon: 24_000))
        listener.post(transport.take(.loop(nil), now: SampleTime(2 * Self.bar + 10), lookahead: 100))
        let keys = listener.onsets(timeline, until: 20 * Self.bar).map(\.key)
        #expect(keys == (0..<3).flatMap { _ in UInt8(0)..<4 } + Array(4..<32))
        #expect(transport.endTime == SampleTime(10 * Self.bar))
    }

    @Test func manyTempoChangesLoseNoNoteAndRepeatNone() throws {
        for seed in UInt64(1)...10 {
            let timeline = try Self.song()
            var transport = Transport(timeline), listener = SegmentListener()
            listener.post(transport.take(.play, now: .zero, lookahead: 300))
            var now: Int64 = 0, state = seed
            while !transport.hasEnded {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                now += Int64(state >> 33 % 5_000) % 9_000 + 1
                let factor = 0.5 + Double(state >> 40 % 300) / 100
                listener.post(transport.advance(now: SampleTime(now), horizon: 2_400))
                listener.post(
                    transport.take(
                        state & 1 << 20 == 0 ? .tempo(min(factor, 3)) : .transpose(Int(state >> 50 % 20)),
                        now: SampleTime(now), lookahead: 300))
            }
            #expect(listener.onsets(timeline, until: .max).map(\.key) == Array(0..<32), "seed \(seed)")
        }
    }

    @Test func nothingIsPostedThatWasNotThere() throws {
        let empty = try Timeline(Song(tracks: [Track()]), sampleRate: 48_000)
        var transport = Transport(empty)
        for command in [
            TransportCommand.play, .seek(.bar(7)), .loop(.song), .rounds(.song, count: 0, fade: .nan), .tempo(.nan),
            .transpose(.max), .stop, .pause,
        ] {
            for segment in transport.take(command, now: .zero, lookahead: 0) { #expect(segment.events.isEmpty) }
        }
        #expect(transport.transpose == 48 && transport.rate == .nominal)
    }
}
