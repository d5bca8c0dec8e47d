import Glibc
import MIDI
import RealtimeCore
import Reports
import Sequencer
import Testing

struct TimelineTests {
    private func on(_ key: UInt8, channel: UInt8 = 0, velocity: UInt8 = 100) -> SongEvent.Kind {
        .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: velocity))
    }
    private func off(_ key: UInt8, channel: UInt8 = 0) -> SongEvent.Kind {
        .message(MIDIMessage(status: 0x80 | channel, data1: key, data2: 64))
    }
    private func control(_ number: Controller, _ value: UInt8, channel: UInt8 = 0) -> SongEvent.Kind {
        .message(MIDIMessage(status: 0xB0 | channel, data1: number.rawValue, data2: value))
    }
    private func program(_ number: UInt8, channel: UInt8 = 0) -> SongEvent.Kind {
        .message(MIDIMessage(status: 0xC0 | channel, data1: number))
    }
    private func track(_ events: (Int64, SongEvent.Kind)...) -> Track {
        Track(events: events.map { SongEvent(tick: $0.0, $0.1) })
    }
    /// One tick is one millisecond.
    private func timeline(_ tracks: Track..., format: Song.Format = .simultaneous, only: Int? = nil) throws -> Timeline {
        try Timeline(
            Song(format: format, division: .ticksPerQuarter(500), tracks: tracks), sampleRate: 48_000, track: only)
    }
    private func kinds(_ timeline: Timeline) -> [SongEvent.Kind] {
        timeline.events.map { event in
            if case .message(let message) = event.event { .message(message) } else { .escape([]) }
        }
    }

    /// GS part 2 hears channel 1 too, and part 3 none: until the reset.
    @Test func aPartHearsTheChannelThatItReceives() throws {
        func roland(_ tick: Int64, _ address: [UInt8], _ value: UInt8) -> SongEvent {
            SongEvent(tick: tick, .systemExclusive([0xF0, 0x41, 0x10, 0x42, 0x12] + address + [value, 0, 0xF7]))
        }
        func note(_ tick: Int64, _ channel: UInt8) -> SongEvent {
            SongEvent(tick: tick, .message(MIDIMessage(status: 0x90 | channel, data1: 60, data2: 100)))
        }
        var track = Track()
        track.events = [
            roland(0, [0x40, 0x12, 0x02], 0), roland(0, [0x40, 0x13, 0x02], 16), note(10, 0), note(20, 1), note(30, 2),
            roland(40, [0x40, 0x00, 0x7F], 0), note(50, 0), note(60, 2),
        ]
        track.endTick = 100
        let song = Song(division: .ticksPerQuarter(480), tracks: [track])
        let heard = try Timeline(song, sampleRate: 48_000).events.compactMap { timed -> UInt8? in
            guard case .message(let message) = timed.event, message.kind == .noteOn, message.data2 > 0 else { return nil }
            return message.channel
        }
        #expect(heard == [0, 1, 0, 2])
    }

    @Test func betweenTracksControllersComeFirstThenOffsThenOns() throws {
        let result = try timeline(
            track((0, on(60)), (10, on(62))),
            track((10, off(60))),
            track((10, program(5, channel: 1)), (10, control(.volume, 9, channel: 1))))
        #expect(kinds(result) == [on(60), program(5, channel: 1), control(.volume, 9, channel: 1), off(60), on(62), off(62)])
    }

    @Test func insideATrackTheOrderOfTheFileIsKept() throws {
        let result = try timeline(
            track((10, on(60)), (10, control(.sustain, 127)), (10, off(61))),
            track((10, off(70, channel: 1)), (10, program(3, channel: 1))))
        // The program is behind an off of its own track and comes with the offs; the first track's all behind its on.
        let wanted = [off(70, channel: 1), program(3, channel: 1), on(60), control(.sustain, 127), off(61)]
        #expect(kinds(result) == wanted + [off(60), control(.sustain, 0)])
    }

    @Test(arguments: [Int.min, -1, 0, 2, Int.max]) func aTrackThatIsNotThereIsRefused(number: Int) {
        #expect(throws: Fault.noSuchTrack(number: number, count: 1)) {
            try timeline(track((0, on(60))), only: number)
        }
    }

    @Test func aNoteOnOfVelocityZeroIsANoteOff() throws {
        let result = try timeline(track((0, on(60)), (5, on(62))), track((5, on(60, velocity: 0))))
        #expect(kinds(result) == [on(60), on(60, velocity: 0), on(62), off(62)])
        #expect(result.summary.unendedNotes == 1)
        #expect(result.summary.noteCount == 2)
    }

    @Test func aNoteOfNoLengthSoundsForOneFrame() throws {
        let result = try timeline(track((10, on(60)), (10, off(60)), (20, on(64)), (21, off(64))))
        #expect(kinds(result) == [on(60), off(60), on(64), off(64)])
        #expect(result.events.map(\.time.rawValue) == [480, 481, 960, 1_008])
        #expect(result.summary.unendedNotes == 0)
    }

    @Test func aChordOfNoLengthEndsTogetherOneFrameLater() throws {
        let result = try timeline(track((10, on(60)), (10, off(60)), (10, on(64)), (10, off(64)), (10, off(64))))
        #expect(kinds(result) == [on(60), on(64), off(60), off(64), off(64)])
        #expect(result.events.map(\.time.rawValue) == [480, 480, 481, 481, 481])
    }

    @Test func whereTheKeyIsStruckAgainOnTheFrameTheEndComesBefore() throws {
        let result = try timeline(track((10, on(60)), (10, off(60)), (10, on(60)), (30, off(60))))
        #expect(kinds(result) == [on(60), off(60), on(60), off(60)])
        #expect(result.events.map(\.time.rawValue) == [480, 480, 480, 1_440])
        let pedal = try timeline(track((10, on(60)), (10, off(60)), (10, control(.sustain, 127))))
        #expect(kinds(pedal) == [on(60), off(60), control(.sustain, 127), control(.sustain, 0)])
    }

    @Test func anEndOneFrameLateStaysBeforeWhatComesThere() throws {
        // At 1000 ticks a quarter and 1 us a tick every tick is less than a frame.
        var song = Song(division: .ticksPerQuarter(1), tracks: [])
        song.tracks = [
            Track(events: [
                SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 21)), SongEvent(tick: 0, on(60)),
                SongEvent(tick: 0, off(60)), SongEvent(tick: 1, on(60)), SongEvent(tick: 9, off(60)),
            ])
        ]
        let result = try Timeline(song, sampleRate: 48_000)
        #expect(kinds(result) == [on(60), off(60), on(60), off(60)])
        #expect(result.events.map(\.time.rawValue) == [0, 1, 1, 9])
    }

    @Test func aTrackAloneKeepsTheTempoOfTheOthers() throws {
        let conductor = track((0, .tempo(microsecondsPerQuarter: 1_000_000)), (0, on(30)), (1, off(30)))
        let result = try timeline(conductor, track((500, on(60)), (1_000, off(60))), only: 2)
        #expect(kinds(result) == [on(60), off(60)])
        #expect(result.events.map(\.time.rawValue) == [48_000, 96_000])
    }

    @Test func patternsFollowEachOtherEachFrom120() throws {
        let slow = track((0, .tempo(microsecondsPerQuarter: 1_000_000)), (0, on(60)), (500, off(60)))
        let result = try timeline(slow, track((0, on(62)), (500, off(62))), format: .sequential)
        let music = result.events.filter { !$0.event.isTime }
        #expect(music.map(\.time.rawValue) == [0, 48_000, 48_000, 72_000])
        let times = result.events.filter(\.event.isTime)
        #expect(times.map(\.time.rawValue) == [48_000, 48_000, 48_000, 48_000])
        // A pattern begins a bar of its own.
        let second: [MusicalTime] = [.tempo(120), .meter(bar: 1, .common), .beat(1), .place(0)]
        #expect(times.map(\.event) == second.map { MusicEvent.time($0) })
        let first: [MusicalTime] = [.tempo(60), .meter(bar: 0, .common), .beat(0), .frame(0), .place(0)]
        #expect(result.opening == first.map { MusicEvent.time($0) })
        #expect(result.summary.end.rawValue == 72_000)
    }

    /// A conductor alone is a song for those who count beats.
    @Test func changesOfTempoBehindTheLastNoteAreToldToo() throws {
        let conductor = track((0, .tempo(microsecondsPerQuarter: 1_000_000)), (500, .tempo(microsecondsPerQuarter: 500_000)))
        let result = try timeline(conductor)
        #expect(result.events.map(\.event).filter(\.isTime).count == 2 && result.summary.lastEvent == .zero)
    }

    @Test func thePortOfATrackAndItsPortEventsDecide() throws {
        var second = track((0, on(60)), (5, off(60)), (5, .port(3)), (6, on(60)), (7, off(60)))
        second.port = 1
        let result = try timeline(track((0, on(60)), (5, off(60))), second)
        #expect(result.summary.parts.map(\.port) == [0, 1, 3])
        #expect(result.summary.parts.map(\.noteCount) == [1, 1, 1])
    }

    @Test func presetsAreListedWithTheirBanksAndNotes() throws {
        let result = try timeline(
            track(
                (0, on(60)), (1, off(60)),
                (2, control(.bankSelect, 8)), (2, control(.bankSelectLSB, 2)), (3, on(60)), (4, off(60)),
                (5, program(11)), (5, on(60)), (5, on(64)), (6, off(60)), (6, off(64)),
                (7, program(0)), (7, on(40, channel: 9)), (8, off(40, channel: 9)),
                (9, .systemExclusive([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x02, 0x0F, 0xF7])),
                (9, on(36, channel: 10)), (10, off(36, channel: 10))))
        let parts = result.summary.parts
        #expect(parts.map(\.channel) == [0, 9, 10])
        #expect(
            parts[0].presets == [
                PresetUse(bankMSB: 0, bankLSB: 0, program: 0, isDrums: false, noteCount: 2),
                PresetUse(bankMSB: 8, bankLSB: 2, program: 11, isDrums: false, noteCount: 2),
                PresetUse(bankMSB: 8, bankLSB: 2, program: 0, isDrums: false, noteCount: 0),
            ])
        #expect(parts[1].presets == [PresetUse(bankMSB: 0, bankLSB: 0, program: 0, isDrums: true, noteCount: 1)])
        #expect(parts[2].presets == [PresetUse(bankMSB: 0, bankLSB: 0, program: 0, isDrums: true, noteCount: 1)])
        #expect(parts[0].peakPolyphony == 2)
        #expect(result.summary.peakPolyphony == 2)
    }

    @Test func timesOfTheSummaryAreThoseOfTheSong() throws {
        let gs: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7]
        var only = track(
            (10, .systemExclusive(gs)), (20, on(60)), (30, off(60)), (40, control(.volume, 3)), (50, on(61)),
            (60, control(.allNotesOff, 0)), (70, on(62)))
        only.endTick = 5_000
        let summary = try timeline(only).summary
        #expect(summary.resets == [TimelineSummary.Reset(time: SampleTime(480), standard: .gs, port: 0)])
        #expect(summary.firstNote == SampleTime(960))
        #expect(summary.lastNoteEnd == SampleTime(5_000 * 48))
        #expect(summary.lastEvent == SampleTime(70 * 48))
        #expect(summary.end == SampleTime(5_000 * 48))
        #expect(summary.unendedNotes == 1)
    }

    /// What a song leaves down goes up where its longest track ends.
    @Test func theEndOfTheLastTrackLetsKeysAndPedalsGo() throws {
        var long = track(
            (0, control(.sustain, 127)), (0, control(.sustain, 127, channel: 2)), (20, control(.sustain, 0, channel: 2)))
        long.endTick = 100
        let result = try timeline(long, track((10, on(60)), (20, on(61)), (30, off(61)), (40, control(.sostenuto, 127))))
        #expect(kinds(result).suffix(3) == [off(60), control(.sustain, 0), control(.sostenuto, 0)])
        #expect(result.events.suffix(3).allSatisfy { $0.time.rawValue == 100 * 48 })
        #expect(result.summary.unendedNotes == 1 && result.summary.lastEvent.rawValue == 40 * 48)
        // Nothing is left down after a reset, or all notes off.
        #expect(kinds(try timeline(track((0, on(60)), (9, control(.allNotesOff, 0))))).count == 2)
    }

    @Test func anEmptySongHasAnEmptyTimeline() throws {
        let result = try timeline()
        #expect(result.events.isEmpty)
        #expect(result.summary == TimelineSummary())
        #expect(throws: Fault.noSuchTrack(number: 1, count: 0)) { try timeline(only: 1) }
        #expect(throws: Fault.sampleRateOutOfRange(0)) { try Timeline(Song(), sampleRate: 0) }
    }

    @Test func theLastOnsetAfterAnHourOfAThousandTemposIsExact() throws {
        var events: [SongEvent] = []
        // 1000 tempos, 7 quarters each: the sum of microseconds is the oracle.
        var microseconds = 0
        for index in 0..<1_000 {
            let tempo = 500_000 + index * 29 % 997 * 31
            events.append(SongEvent(tick: Int64(index) * 7 * 480, .tempo(microsecondsPerQuarter: UInt32(tempo))))
            events.append(SongEvent(tick: Int64(index) * 7 * 480, on(60)))
            events.append(SongEvent(tick: Int64(index) * 7 * 480 + 240, off(60)))
            microseconds += tempo * 7
        }
        events.append(SongEvent(tick: 7 * 480 * 1_000, on(72)))
        let result = try Timeline(
            Song(division: .ticksPerQuarter(480), tracks: [Track(events: events)]), sampleRate: 44_100)
        #expect(microseconds > 3_600_000_000)
        #expect(result.events.last?.time.rawValue == Int64((microseconds * 441 * 2 + 10_000) / 20_000))
    }

    @Test func hostileSongsTakeNoQuadraticTime() throws {
        // All on one tick: notes of no length, program changes with ever new banks, two thousand tracks.
        var tracks: [Track] = []
        for number in 0..<2_000 {
            var events: [SongEvent] = []
            for step in 0..<10 {
                let channel = UInt8((number + step) % 16)
                events.append(SongEvent(tick: 0, control(.bankSelect, UInt8(number % 128), channel: channel)))
                events.append(SongEvent(tick: 0, control(.bankSelectLSB, UInt8(number / 128), channel: channel)))
                events.append(SongEvent(tick: 0, program(UInt8(step), channel: channel)))
                events.append(SongEvent(tick: 0, on(UInt8((number + step) % 128), channel: channel)))
                events.append(SongEvent(tick: 0, off(UInt8((number + step) % 128), channel: channel)))
            }
            tracks.append(Track(events: events))
        }
        var start = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        #expect(try Timeline(Song(tracks: tracks), sampleRate: 48_000).summary.noteCount == 20_000)
        var end = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        #expect(end.tv_sec - start.tv_sec < 10)
    }

    @Test func ticksThatGoBackAreRefused() {
        for (ticks, tick, last) in [([960, -480, 0], -480, 960), ([-1], -1, 0), ([0, 5, 4], 4, 5)] as [([Int64], Int64, Int64)] {
            let events = ticks.map { SongEvent(tick: $0, .escape([0xF8])) }
            let song = Song(tracks: [Track(), Track(events: events)])
            let error = #expect(throws: Fault.tick(tick, after: last, track: 2)) {
                try Timeline(song, sampleRate: 48_000)
            }
            #expect(error?.description.contains("put the events in the order of their ticks") == true)
        }
    }
}
