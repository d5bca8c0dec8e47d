import MIDI
import RealtimeCore
import Sequencer
import Testing

/// Tracks that change while they sound: each change on its frame, and no key stays down.
@Suite struct TrackPlayerTests {
    private typealias Track = Song.Arrangement.Track
    private typealias Event = Song.Arrangement.Event

    private struct Dice {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    /// A song of several tracks with tempos, meters, controllers and notes on all kinds of ticks.
    private func song(_ seed: UInt64) -> Song {
        var dice = Dice(state: seed)
        var tempo: [SongEvent] = [], tracks: [Sequencer.Track] = []
        for place in 0..<6 {
            tempo.append(
                SongEvent(tick: Int64(place) * 700, .tempo(microsecondsPerQuarter: UInt32(300_000 + dice.next(500_000)))))
        }
        tempo.insert(SongEvent(tick: 0, .timeSignature(TimeSignature(3, over: 4))), at: 0)
        tracks.append(Sequencer.Track(events: tempo))
        for channel in 0..<3 {
            var events: [SongEvent] = [], tick: Int64 = 0
            for _ in 0..<60 {
                let key = UInt8(40 + dice.next(40)), length = Int64(5 + dice.next(90))
                if dice.next(4) == 0 {
                    events.append(SongEvent(tick: tick, .message(MIDIMessage(part: channel, 0xB0, 7, UInt8(dice.next(128))))))
                }
                events.append(SongEvent(tick: tick, .message(MIDIMessage(part: channel, 0x90, key, 90))))
                tick += length
                events.append(SongEvent(tick: tick, .message(MIDIMessage(part: channel, 0x80, key, 30))))
                tick += Int64(1 + dice.next(60))
            }
            tracks.append(Sequencer.Track(events: events))
        }
        return Song(tracks: tracks)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func anArrangementSoundsOnTheFramesOfItsSong(_ seed: UInt64) throws {
        let song = song(seed), wanted = try Timeline(song, sampleRate: 48_000).events.filter { $0.event.isMessage }
        for slice in [64, 1_000, 5_000] {
            var listener = TrackListener(Song.Arrangement(song))
            listener.play()
            listener.advance(to: wanted[wanted.count - 1].time.rawValue + 10, slice: slice)
            let heard = listener.heard.filter { $0.event.isMessage }, isSame = heard == wanted
            #expect(isSame, "from \(zip(heard, wanted).first { $0 != $1 }.debugDescription) on")
        }
        let again = Song.Arrangement(song).song(ticksPerQuarter: 480)
        let events = try Timeline(again, sampleRate: 48_000).events, isSame = events.filter { $0.event.isMessage } == wanted
        #expect(isSame)
    }

    /// 120 quarter notes a minute: a beat is 24 000 frames.
    private func line(_ events: [Event]) -> TrackListener {
        var listener = TrackListener(Song.Arrangement(tracks: [Track(events)]))
        listener.play()
        return listener
    }

    @Test func editsTakeEffectOnTheirFrames() {
        let events = [Event(0, note: 60, length: 2), Event(1, note: 64, length: 2), Event(3, note: 67, length: 1)]
        var gone = line(events)
        gone.advance(to: 10_000)
        gone.edit(at: 30_000) { $0.tracks[0].remove(at: 0) }
        gone.advance(to: 120_000)
        #expect(gone.notes == ["+60@0", "+64@24000", "-60@30000", "-64@72000", "+67@72000", "-67@96000"])

        var longer = line(events)
        longer.edit(at: 30_000) { $0.tracks[0].replace(at: 0, with: Event(0, note: 60, length: 2.5)) }
        longer.edit(at: 36_000) { $0.tracks[0].replace(at: 1, with: Event(1, note: 64, length: 0.75)) }
        longer.advance(to: 70_000)
        #expect(longer.notes == ["+60@0", "+64@24000", "-64@42000", "-60@60000"])

        // One for a time before the last one's takes effect with that; what should have begun is not struck.
        var late = line(events)
        late.edit(at: 30_000) { $0.tracks[0].move(3..<4, by: -1) }
        late.edit(at: 20_000) { $0.tracks[0].add(note: 72, at: 1.1, length: 1) }
        late.advance(to: 80_000)
        #expect(late.notes == ["+60@0", "+64@24000", "-60@48000", "+67@48000", "-64@72000", "-67@72000"])
    }

    @Test func severalEditsOfOneFrameLoseNothing() {
        var listener = line([Event(0, note: 60, length: 4), Event(0, note: 64, length: 4), Event(0, note: 67, length: 4)])
        listener.advance(to: 1_000)
        for key in [60, 64] as [UInt8] {
            listener.edit(at: 5_000) { arrangement in
                let place = arrangement.tracks[0].events.firstIndex { $0.isKey(key) }
                arrangement.tracks[0].remove(at: place ?? 9)
            }
        }
        listener.advance(to: 20_000)
        #expect(listener.notes == ["+60@0", "+64@0", "+67@0", "-60@5000", "-64@5000"])
        listener.stop(at: 20_000)
        listener.advance(to: 20_001)
        #expect(listener.held.isEmpty && listener.notes.last == "-67@20000")
    }

    @Test func aNoteWithoutLengthGoesUpWithItsMessage() {
        var listener = line([
            Event(0, .message(MIDIMessage(part: 0, 0x90, 60, 90))), Event(0, .message(MIDIMessage(part: 0, 0x90, 62, 90))),
            Event(2, .message(MIDIMessage(part: 0, 0x80, 60, 0))),
        ])
        listener.edit(at: 1_000) { $0.tracks[0].remove(at: 1) }
        listener.edit(at: 2_000) { $0.tracks[0].isMuted = true }
        listener.advance(to: 3_000)
        #expect(listener.notes == ["+60@0", "+62@0", "-62@1000", "-60@2000"])
    }

    @Test func aPlayerThatStoodStillBeginsOnItsFrame() {
        var listener = TrackListener(Song.Arrangement(tracks: [Track([Event(0, note: 60, length: 100)])]))
        listener.advance(to: 52_800)
        listener.play(at: 52_800)
        listener.advance(to: 90_000)
        #expect(listener.notes == ["+60@52800"])
        listener.stop(at: 90_000)
        listener.play(at: 100_000)
        listener.advance(to: 110_000)
        #expect(listener.notes == ["+60@52800", "-60@90000"])
    }

    @Test func aKeyOfTwoTracksKeepsBothEnds() {
        var listener = TrackListener(
            Song.Arrangement(tracks: [Track([Event(0, note: 60, length: 2)]), Track([Event(0, note: 60, length: 4)]), Track()]))
        listener.play()
        listener.edit(at: 1_000) { $0.tracks[2].add(note: 70, at: 8, length: 1) }
        listener.advance(to: 100_000)
        #expect(listener.notes == ["+60@0", "+60@0", "-60@48000", "-60@96000"])
        // One of them is taken out: the other one holds the key.
        var other = TrackListener(listener.player.arrangement)
        other.play()
        other.edit(at: 1_000) { $0.tracks.removeFirst() }
        other.advance(to: 100_000)
        #expect(other.notes == ["+60@0", "+60@0", "-60@96000", "-60@96000"])
    }

    @Test func muteAndSoloEndWhatIsLeftOut() {
        var listener = TrackListener(
            Song.Arrangement(tracks: [Track([Event(0, note: 60, length: 8)]), Track([Event(0, note: 64, length: 8)])]))
        listener.play(at: 100)
        listener.edit(at: 1_000) { $0.tracks[0].isMuted = true }
        listener.edit(at: 2_000) { $0.tracks[0].isMuted = false }
        listener.edit(at: 3_000) { $0.tracks[0].isSoloed = true }
        listener.advance(to: 4_000)
        #expect(listener.notes == ["+60@100", "+64@100", "-60@1000", "-64@3000"])
    }

    @Test func loopsTurnAndSayTheirRounds() {
        var track = Track([Event(0, note: 60, length: 0.5), Event(1, note: 62, length: 4), Event(2, note: 64, length: 0.5)])
        track.loop = Song.Arrangement.Loop(1..<2, rounds: 3)
        var listener = TrackListener(Song.Arrangement(tracks: [track]))
        listener.play()
        listener.advance(to: 130_000)
        #expect(
            listener.notes == [
                "+60@0", "-60@12000", "+62@24000", "-62@48000", "+62@48000", "-62@72000", "+62@72000", "+64@96000", "-64@108000",
            ])
        let reports = listener.player.takeReports(before: listener.now)
        #expect(reports.map(\.kind) == [.turn(1), .turn(2)] && reports.map(\.time.rawValue) == [48_000, 72_000])
        #expect(reports.map(\.beat) == [2, 3] && reports.map(\.track) == [0, 0])
        // Without end, and an offset: the sequence has no end.
        listener.edit(at: 130_000) { arrangement in
            arrangement.tracks[0].loop?.rounds = nil
            arrangement.tracks[0].offset = 0.25
        }
        listener.advance(to: 24_000 * 100)
        #expect(listener.heard.last { $0.event.beginsNote }?.time == SampleTime(24_000 * 99 + 6_000))
        #expect(!listener.player.hasEnded(at: listener.now))
    }

    @Test func anotherTempoGoesOnAtItsBeat() {
        var listener = line((0..<8).map { Event(Double($0), note: 60, length: 0.25) })
        listener.edit(at: 36_000) { $0.tempoTrack.add(Event(0, .tempo(60))) }
        listener.advance(to: 200_000)
        let onsets = listener.heard.filter { $0.event.beginsNote }.map(\.time.rawValue)
        #expect(onsets == [0, 24_000, 60_000, 108_000, 156_000])
        listener.post(listener.player.setRate(4, at: SampleTime(204_000), now: listener.now))
        listener.advance(to: 220_000)
        #expect(listener.player.beat(at: SampleTime(204_000)) == 5 && listener.player.beat(at: SampleTime(216_000)) == 6)
        #expect(listener.player.time(ofBeat: 7) == SampleTime(228_000))
    }

    @Test func cuesAreReportedOnTheirFrames() {
        var listener = line([Event(0.5, .cue([1, 2], kind: 4)), Event(2, .cue([3]))])
        listener.advance(to: 20_000)
        let first = listener.player.takeReports(before: listener.now)
        #expect(first.map(\.kind) == [.cue([1, 2], kind: 4)] && first.map(\.time.rawValue) == [12_000])
        #expect(first.map(\.beat) == [0.5] && first.map(\.track) == [0])
        listener.edit(at: 30_000) { $0.tracks[0].clear(1..<3) }
        listener.advance(to: 90_000)
        #expect(listener.player.takeReports(before: listener.now).isEmpty)
        #expect(listener.player.hasEnded(at: listener.now))
    }

    @Test func aSeekSendsTheSettingsOfThePlace() {
        var listener = line([
            Event(0, .message(MIDIMessage(part: 0, 0xC0, 5, 0))), Event(1, .message(MIDIMessage(part: 0, 0xB0, 64, 127))),
            Event(2, .message(MIDIMessage(part: 0, 0xC0, 9, 0))), Event(3, note: 60, length: 1),
        ])
        listener.advance(to: 30_000)
        #expect(listener.pedals == [0])
        listener.post(listener.player.seek(to: 2.5, at: SampleTime(30_000), now: listener.now))
        listener.advance(to: 43_000)
        #expect(listener.pedals == [0] && listener.notes == ["+60@42000"])
        let programs = listener.heard.compactMap { timed -> UInt8? in
            guard case .message(let message) = timed.event, message.kind == .programChange else { return nil }
            return message.data1
        }
        #expect(programs == [5, 9])
        listener.edit(at: 43_000) { $0.tracks[0].clear(1..<2) }
        listener.advance(to: 44_000)
        #expect(listener.pedals.isEmpty)
    }

    @Test func noKeyHangsInRandomEdits() {
        for seed in 0..<UInt64(200) {
            var dice = Dice(state: seed), arrangement = Song.Arrangement()
            for _ in 0..<3 {
                var track = Track()
                for _ in 0..<30 {
                    track.add(note: UInt8(48 + dice.next(16)), at: Double(dice.next(64)) / 8, length: Double(dice.next(16)) / 8)
                }
                arrangement.tracks.append(track)
            }
            var listener = TrackListener(arrangement)
            listener.play()
            for _ in 0..<50 {
                listener.edit(at: listener.now.rawValue + Int64(dice.next(3) * dice.next(9_000))) { Self.change(&$0, &dice) }
                if dice.next(3) > 0 {
                    listener.advance(to: listener.now.rawValue + Int64(dice.next(12_000)), slice: 64 + dice.next(2_000))
                }
            }
            let end = listener.now.rawValue + 20_000
            if dice.next(2) == 0 { listener.stop(at: end) } else { listener.edit(at: end) { $0.tracks = [] } }
            listener.advance(to: end + 1)
            #expect(listener.held.isEmpty, "seed \(seed)")
        }
    }

    private static func change(_ arrangement: inout Song.Arrangement, _ dice: inout Dice) {
        let place = dice.next(max(arrangement.tracks.count, 1))
        guard arrangement.tracks.indices.contains(place) else { return arrangement.tracks.append(Track()) }
        let from = Double(dice.next(64)) / 8, range = from..<from + Double(1 + dice.next(16)) / 8
        switch dice.next(14) {
        case 0: arrangement.tracks[place].isMuted.toggle()
        case 1: arrangement.tracks[place].isSoloed.toggle()
        case 2: arrangement.tracks[place].offset = Double(dice.next(16) - 8) / 8
        case 3: arrangement.tracks[place].loop = Song.Arrangement.Loop(range, rounds: dice.next(2) == 0 ? nil : dice.next(4))
        case 4: arrangement.tracks[place].loop = nil
        case 5: arrangement.tracks[place].clear(range)
        case 6: arrangement.tracks[place].cut(range)
        case 7: arrangement.tracks[place].move(range, by: Double(dice.next(16) - 8) / 8)
        case 8: arrangement.tracks[place].insert(range, of: arrangement.tracks[dice.next(arrangement.tracks.count)], at: from)
        case 9: arrangement.tracks[place].merge(range, of: arrangement.tracks[dice.next(arrangement.tracks.count)], at: from)
        case 10: arrangement.tempoTrack.add(Event(from, .tempo(Double(40 + dice.next(300)))))
        case 11:
            if arrangement.tracks.count > 1 { arrangement.tracks.remove(at: place) } else { arrangement.tracks.append(Track()) }
        case 12:
            if !arrangement.tracks[place].events.isEmpty {
                arrangement.tracks[place].remove(at: dice.next(arrangement.tracks[place].events.count))
            }
        default: arrangement.tracks[place].add(note: UInt8(48 + dice.next(16)), at: from, length: Double(dice.next(24)) / 8)
        }
    }
}

extension MusicEvent {
    fileprivate var isMessage: Bool { if case .message = self { true } else { false } }
}

extension Song.Arrangement.Event {
    fileprivate func isKey(_ key: UInt8) -> Bool { if case .note(let note) = kind { note.key == key } else { false } }
}
