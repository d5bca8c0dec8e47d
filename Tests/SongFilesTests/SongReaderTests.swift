import Glibc
import MIDI
import Sequencer
import SongFiles
import Testing

struct SongReaderTests {
    @Test func whatCannotBeOpenedIsToldApart() {
        #expect(throws: SongError.notFound(path: "/proc/nowhere/song.mid")) {
            try SongReader.read(path: "/proc/nowhere/song.mid")
        }
        #expect(throws: SongError.notFound(path: "/dev/null/song.mid")) {
            try SongReader.read(path: "/dev/null/song.mid")
        }
        #expect(throws: SongError.isDirectory(path: "/tmp")) { try SongReader.read(path: "/tmp") }
        #expect(throws: SongError.empty(name: "/dev/null")) { try SongReader.read(path: "/dev/null") }
        // Reading it blocks nowhere and is refused by the kernel at address 0.
        #expect(throws: SongError.unreadable(path: "/proc/self/mem", reason: EIO)) {
            try SongReader.read(path: "/proc/self/mem")
        }
    }

    @Test func aFileIsReadAsItsBytesAre() throws {
        let path = try temporaryPath()
        defer { unlink(path) }
        let odd = OddSongs.named("3000 tracks")
        let song = try SongReader.read(bytes: odd.bytes, name: odd.name).song
        try SongWriter.write(song, path: path)
        let file = try SongReader.read(path: path, strict: true)
        #expect(file.song == song)
        #expect(file.byteCount == (try SongWriter.bytes(of: song)).count)
        #expect(access(path + ".part", F_OK) != 0)
    }

    @Test func aWriteThatFailsLeavesNothing() {
        #expect(throws: SongError.cannotCreate(path: "/proc/nowhere/song.mid", reason: ENOENT)) {
            try SongWriter.write(Song(tracks: [Track()]), path: "/proc/nowhere/song.mid")
        }
    }

    @Test func errorsSayWhatToDo() {
        #expect(
            SongError.notASong(name: "a.txt", start: [0x44, 0x65]).description
                == "a.txt: is not a song file (starts with 44 65, not with MThd or RIFF ... RMID); "
                + "give a Standard MIDI File"
        )
        #expect(
            SongError.refused(name: "a.mid", first: SongRepair(byteOffset: 22, fault: .noEndOfTrack)).description
                == "a.mid: byte 22: no End of Track: the track ends after its last event; "
                + "read it without being strict to have it repaired"
        )
    }

    @Test func whatIsBeyondALimitIsRefusedByItsNumber() {
        var limits = SongLimits()
        limits.events = 3
        let song = SongBytes.song(SongBytes.note(60) + SongBytes.end, SongBytes.note(60) + SongBytes.end)
        #expect(throws: SongError.tooManyEvents(name: "s", limit: 3)) {
            try SongReader.read(bytes: song, name: "s", limits: limits)
        }
        limits.events = 4
        limits.tracks = 1
        #expect(throws: SongError.tooManyTracks(name: "s", limit: 1)) {
            try SongReader.read(bytes: song, name: "s", limits: limits)
        }
        limits.tracks = 2
        limits.bytes = song.count - 1
        #expect(throws: SongError.tooLong(name: "s", bytes: song.count, limit: song.count - 1)) {
            try SongReader.read(bytes: song, name: "s", limits: limits)
        }
        // A file that never ends is read no further than the limit.
        #expect(throws: SongError.self) { try SongReader.read(path: "/dev/zero", limits: limits) }
    }

    @Test func aSongOfEveryKindOfEventSurvivesWritingAndReading() throws {
        let events: [SongEvent.Kind] = [
            .text(SongText(.trackName, "Everything")), .port(3), .tempo(microsecondsPerQuarter: 333_333),
            .tempo(microsecondsPerQuarter: 444_444), .timeSignature(TimeSignature(7, over: 8)),
            .key(KeySignature(sharps: -3, isMinor: true)),
            .message(MIDIMessage(status: 0xB1, data1: 7, data2: 100)), .message(MIDIMessage(status: 0xC1, data1: 12)),
            .message(MIDIMessage(status: 0xE1, data1: 1, data2: 127)), .message(MIDIMessage(status: 0xD1, data1: 9)),
            .message(MIDIMessage(status: 0xA1, data1: 60, data2: 1)), .systemExclusive([0xF0, 0xF7]),
            .systemExclusive([0xF0] + [UInt8](repeating: 5, count: 300) + [0xF7]), .escape([0xFB]), .escape([]),
            .text(SongText(.marker, String(repeating: "m", count: 128))), .text(SongText(.cue, "")),
            .meta(type: 0x7F, bytes: [0x7D, 1]), .meta(type: 0x00, bytes: [0, 1]),
        ]
        var track = Track(name: "Everything", port: 3, events: [], endTick: 500_000_000)
        for (index, kind) in (events + events).enumerated() {
            track.events.append(SongEvent(tick: Int64(index / 2) * 13_000_001, kind))
        }
        for division in [Division.ticksPerQuarter(32_767), .smpte(.ntscDrop, ticksPerFrame: 255)] {
            let song = Song(format: .sequential, division: division, tracks: [track, Track(), track])
            let bytes = try SongWriter.bytes(of: song)
            #expect(try SongReader.read(bytes: bytes, name: "everything", strict: true).song == song)
        }
    }

    @Test func aNameAndAPortOutsideTheEventsAreWritten() throws {
        let song = Song(tracks: [Track(name: "Bells", port: 2, events: [])])
        let again = try SongReader.read(bytes: SongWriter.bytes(of: song), name: "bells").song
        #expect(again.tracks[0].name == "Bells")
        #expect(again.tracks[0].port == 2)
    }

    @Test func whatAFileCannotHoldIsRefused() {
        func fault(_ song: Song) -> SongWriterFault? {
            do {
                _ = try SongWriter.bytes(of: song)
                return nil
            } catch {
                if case .cannotWrite(let fault) = error { return fault } else { return nil }
            }
        }
        func one(_ events: SongEvent...) -> Song { Song(tracks: [Track(events: events)]) }
        #expect(fault(Song(tracks: [Track](repeating: Track(), count: 65_536))) == .trackCount(65_536))
        #expect(fault(Song(format: .single, tracks: [Track(), Track()])) == .trackCount(2))
        #expect(fault(Song(division: .ticksPerQuarter(0), tracks: [Track()])) == .division)
        #expect(fault(Song(division: .smpte(.film, ticksPerFrame: 256), tracks: [Track()])) == .division)
        #expect(fault(one(SongEvent(tick: 5, .port(1)), SongEvent(tick: 4, .port(1)))) == .order(track: 1, tick: 4))
        #expect(fault(one(SongEvent(tick: 0x1000_0000, .port(1)))) == .gap(track: 1, tick: 0x1000_0000))
        #expect(fault(Song(tracks: [Track(endTick: 0x1000_0000)])) == .gap(track: 1, tick: 0x1000_0000))
        #expect(fault(one(SongEvent(tick: 1, .tempo(microsecondsPerQuarter: 0)))) == .event(track: 1, tick: 1))
        #expect(fault(one(SongEvent(tick: 1, .systemExclusive([0xF0, 1])))) == .event(track: 1, tick: 1))
        #expect(fault(one(SongEvent(tick: 1, .meta(type: 0x2F, bytes: [])))) == .event(track: 1, tick: 1))
        #expect(
            fault(one(SongEvent(tick: 1, .message(MIDIMessage(status: 0xF8, data1: 0))))) == .event(track: 1, tick: 1))
        #expect(
            fault(one(SongEvent(tick: 1, .message(MIDIMessage(status: 0x90, data1: 128))))) == .event(track: 1, tick: 1)
        )
    }

    private func temporaryPath() throws -> String {
        var template = Array("/tmp/carillon-song-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        close(descriptor)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
