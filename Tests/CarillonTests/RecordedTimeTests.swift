import Carillon
import Foundation
import Glibc
import MIDI
import Patches
import RealtimeCore
import Sequencer
import SongFiles
import TestFolders
import Testing

@testable import Sessions

/// The tempo, the bars and the marks of recorded songs.
@Suite struct RecordedTimeTests {
    private static let meter = Meter(beats: 7, unit: 3)
    private static let eighth = MusicalTime.partsPerQuarter / 2

    private static func said(_ beat: MetronomeBeat, at time: Int64) -> [Journal.Entry] {
        beat.musicalTime(at: SampleTime(time), meter).map {
            Journal.Entry(time: SampleTime(time), unit: nil, event: .music(.time($0)))
        }
    }

    private static func note(_ time: Int64) -> Journal.Entry {
        .init(
            time: SampleTime(time), unit: nil, event: .music(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100))))
    }

    private static func written(_ journal: Journal) throws -> Song {
        let song = try #require(RecordedSong.song(journal, title: "Played"))
        return try SongReader.read(bytes: SongWriter.bytes(of: song), name: "played.mid").song
    }

    /// 7/8 at 96 from frame 100 000 on, 103 from the third eighth of bar 9 on; two notes before bar 1, one on each eighth of twelve
    /// bars.
    @Test(arguments: [44_100, 48_000, 96_000]) func aTakeHasTheBarsAndTemposToWhichItWasPlayed(_ rate: Int) throws {
        var journal = Journal(), beat = MetronomeBeat(sampleRate: rate)
        journal.setup.sampleRate = rate
        let start = 100_000.0, slow = 30.0 / 96 * Double(rate), quick = 30.0 / 103 * Double(rate), turn = 58.0
        func frame(_ eighth: Int) -> Int64 {
            let place = Double(eighth), frames = min(place, turn) * slow + max(place - turn, 0) * quick
            return Int64((start + frames).rounded())
        }
        beat.change(isRunning: true, tempo: 96, at: SampleTime(Int64(start)))
        let begun = Self.said(beat, at: Int64(start))
        beat.change(isRunning: true, tempo: 103, at: SampleTime(frame(58)))
        let changed = Self.said(beat, at: frame(58)), eighths = [-3, -1] + Array(0..<84)
        journal.entries = (begun + changed + eighths.map { Self.note(frame($0)) }).sorted { $0.time < $1.time }
        journal.end = SampleTime(frame(84))
        let song = try Self.written(journal), head = song.tracks[0].events, bar = 7 * Self.eighth
        #expect(song.division == .ticksPerQuarter(Int(MusicalTime.partsPerQuarter)))
        #expect(
            head.filter { if case .text(let text) = $0.kind { text.kind == .marker } else { true } }.map(\.kind) == [
                .timeSignature(TimeSignature(7, over: 8)), .tempo(microsecondsPerQuarter: 625_000),
                .text(SongText(.marker, "bar 1")), .tempo(microsecondsPerQuarter: 582_524),
            ])
        let places = head.map(\.tick).filter { $0 > 0 }
        #expect(places.count == 2 && places[0] == bar && abs(places[1] - bar - 58 * Self.eighth) <= 1)
        let ticks = song.tracks[1].events.filter { if case .message(let note) = $0.kind { note.beginsNote } else { false } }.map(
            \.tick)
        #expect(zip(ticks, eighths).allSatisfy { abs($0 - bar - Int64($1) * Self.eighth) <= 1 } && ticks.count == eighths.count)
        let onsets = try Timeline(song, sampleRate: rate).events.compactMap { event -> Int64? in
            if case .message(let note) = event.event, note.beginsNote { event.time.rawValue } else { nil }
        }
        #expect(zip(onsets, eighths).allSatisfy { abs($0 - onsets[0] - (frame($1) - frame(-3))) <= 1 })
    }

    @Test func whatBeginsAnewBeginsABar() throws {
        var journal = Journal(), beat = MetronomeBeat(sampleRate: 48_000)
        for time in [10_000, 110_000] as [Int64] {
            beat.change(isRunning: true, tempo: 120, at: SampleTime(time))
            journal.entries += Self.said(beat, at: time)
            beat.change(isRunning: false, tempo: nil, at: SampleTime(time + 90_000))
        }
        journal.entries.insert(Self.note(10_000), at: 6)
        journal.entries.append(Self.note(110_000))
        journal.end = SampleTime(120_000)
        let head = try Self.written(journal).tracks[0].events
        let bars = head.filter { if case .timeSignature = $0.kind { true } else { false } }.map(\.tick)
        // 100 000 frames are 4 1/6 quarter notes.
        #expect(bars == [0, MusicalTime.partsPerQuarter * 25 / 6])
    }

    @Test func theTempoOutlivesTheEventsThatAreForgotten() throws {
        var recorder = MIDIRecorder(frames: 48_000), beat = MetronomeBeat(sampleRate: 48_000)
        beat.change(isRunning: true, tempo: 60, at: SampleTime(1_000))
        for entry in Self.said(beat, at: 1_000) { recorder.record(entry) }
        // Ten eighths later.
        recorder.record(Self.note(241_000))
        let song = try Self.written(recorder.journal(.init(), end: SampleTime(250_000)))
        #expect(song.tracks[0].events.map(\.kind).contains(.tempo(microsecondsPerQuarter: 1_000_000)))
        #expect(song.tracks[1].events.first { if case .message = $0.kind { true } else { false } }?.tick == 3 * Self.eighth)
    }

    @Test func aSessionWritesTempoSettingsAndMarks() throws {
        var options = SessionInTime.options, patch = Patch()
        options.ports = 1
        patch.units = [PatchUnit("tone", "square-wave", role: .instrument), PatchUnit("mix", "multichannel-mixer")]
        patch.connections = [PatchConnection(PatchPort("tone"), to: PatchPort("mix"))]
        patch.outputs = [PatchPort("mix")]
        patch.scenes = [Scene("soft")]
        options.patch = patch
        let time = try SessionInTime(options), session = time.session
        let place = TemporaryFolder(), folder = place.path
        var count = 0
        defer { withExtendedLifetime(place) {} }
        // No file is replaced.
        func saved() throws -> Song {
            count += 1
            try session.perform(.saveRecording(path: "\(folder)/a.mid"))
            return try SongReader.read(path: "\(folder)/a\(count == 1 ? "" : "-\(count)").mid", strict: true).song
        }
        for value in 0..<50 { try session.perform(.controller(channel: 1, 7, value: value)) }
        try time.pass(0.1)
        try session.perform(.note(channel: 1, key: 60, velocity: 90, seconds: 0.1))
        try time.pass(0.5)
        let free = try saved()
        #expect(
            free.tracks[0].events.contains {
                if case .text(let text) = $0.kind { text.string.contains("no tempo ran") } else { false }
            })
        try session.perform(.metronome(true, tempo: 96, meter: Self.meter))
        try time.pass(1)
        try session.perform(.scene(.named("soft")))
        try session.perform(.note(channel: 1, key: 62, velocity: 90, seconds: 0.1))
        try time.pass(1)
        let song = try saved(), kinds = song.tracks[0].events.map(\.kind)
        #expect(
            kinds.contains(.tempo(microsecondsPerQuarter: 625_000)) && kinds.contains(.timeSignature(TimeSignature(7, over: 8))))
        #expect(kinds.contains(.text(SongText(.marker, "scene soft"))))
        // Of the controllers before the first note the last alone.
        let volumes = song.tracks[1].events.filter {
            if case .message(let move) = $0.kind { move.kind == .controlChange } else { false }
        }
        #expect(volumes.map(\.tick) == [0])
        try session.finish()
    }
}
