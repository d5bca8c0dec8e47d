import MIDI
import Reports
import Sequencer
import SongFiles
import Testing

/// Every row of the table of odd files: it plays as wanted, and what was repaired is reported.
struct OddSongTests {
    @Test(arguments: OddSongs.all)
    func everyOddSongPlaysItsNotesOrIsNoSong(_ odd: OddSong) throws {
        guard let expected = odd.noteCount else {
            #expect(throws: SongError.self) { try SongReader.read(bytes: odd.bytes, name: odd.name) }
            return
        }
        let file = try SongReader.read(bytes: odd.bytes, name: odd.name)
        let timeline = try Timeline(file.song, sampleRate: 48_000)
        #expect(timeline.summary.noteCount == expected)
        #expect((file.repairCount > 0) == odd.isFaulty, "\(file.repairs)")
        #expect(file.repairs.allSatisfy { (0...odd.bytes.count).contains($0.byteOffset) })
        #expect(file.byteCount == odd.bytes.count)
    }

    @Test(arguments: OddSongs.all)
    func strictReadingRefusesWhatIsFaultyAndNothingElse(_ odd: OddSong) throws {
        if odd.isFaulty {
            #expect(throws: SongError.self) { try SongReader.read(bytes: odd.bytes, name: odd.name, strict: true) }
        } else {
            let strict = try SongReader.read(bytes: odd.bytes, name: odd.name, strict: true)
            let tolerant = try SongReader.read(bytes: odd.bytes, name: odd.name)
            #expect(strict.song == tolerant.song)
        }
    }

    @Test(arguments: OddSongs.all.filter { $0.noteCount != nil })
    func whatWasReadIsWrittenAndReadAgainTheSame(_ odd: OddSong) throws {
        let song = try SongReader.read(bytes: odd.bytes, name: odd.name).song
        let bytes = try SongWriter.bytes(of: song)
        let again = try SongReader.read(bytes: bytes, name: odd.name, strict: true)
        #expect(again.song == song)
        #expect(try SongWriter.bytes(of: again.song) == bytes)
    }

    @Test func aRefusalNamesTheFirstFaultAndItsPlace() throws {
        let odd = OddSongs.named("tempo zero")
        #expect(throws: SongError.refused(name: "t.mid", first: SongRepair(byteOffset: 23, fault: .tempoZero))) {
            try SongReader.read(bytes: odd.bytes, name: "t.mid", strict: true)
        }
    }

    @Test func divisionZeroIs96TicksToAQuarter() throws {
        let file = try read("division 0")
        #expect(file.song.division == .ticksPerQuarter(96))
        #expect(file.repairs == [SongRepair(byteOffset: 12, fault: .division(0))])
    }

    @Test func smpteDivisionsPlayInExactTime() throws {
        let pal = try Timeline(read("SMPTE division 25 fps, 40").song, sampleRate: 48_000)
        #expect(pal.events.map(\.time.rawValue) == [0, 4_608, 4_608, 9_216])
        // 96 ticks at 80 to a frame of 1001/30000 s.
        let ntsc = try Timeline(read("SMPTE division 29.97 drop, 80").song, sampleRate: 48_000)
        #expect(ntsc.events[1].time.rawValue == Int64((96.0 * 1001 * 48_000 / (30_000 * 80)).rounded()))
    }

    @Test func formatTwoPlaysItsTracksOneAfterTheOtherOrOne() throws {
        let song = try read("format 2").song
        #expect(song.format == .sequential)
        let all = try Timeline(song, sampleRate: 48_000)
        let music = all.events.filter { !$0.event.isTime }
        #expect(music.map(\.time.rawValue) == [0, 24_000, 24_000, 48_000, 48_000, 72_000, 72_000, 96_000])
        let second = try Timeline(song, sampleRate: 48_000, track: 2)
        #expect(second.events.map(\.time.rawValue) == [0, 24_000, 24_000, 48_000])
        #expect(throws: Fault.noSuchTrack(number: 3, count: 2)) {
            try Timeline(song, sampleRate: 48_000, track: 3)
        }
    }

    @Test(arguments: [
        "System Exclusive in packets", "System Exclusive as an escape", "System Exclusive never closed",
        "System Exclusive between running status", "padded lengths",
    ])
    func systemExclusiveIsJoinedAndMeansTheSame(_ name: String) throws {
        let file = try read(name)
        let messages = file.song.tracks[0].events.compactMap { event -> [UInt8]? in
            if case .systemExclusive(let bytes) = event.kind { bytes } else { nil }
        }
        #expect(messages == [[0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]])
        #expect(try Timeline(file.song, sampleRate: 48_000).summary.resets.map(\.standard) == [.generalMIDI])
    }

    @Test func packetsStandAtTheTickOfTheLast() throws {
        let events = try read("System Exclusive in packets").song.tracks[0].events
        #expect(events[0].tick == 20)
    }

    @Test func anIgnoredTempoLeavesTheOneBefore() throws {
        for name in ["tempo zero", "tempo of two bytes", "tempo of no bytes"] {
            let timeline = try Timeline(read(name).song, sampleRate: 48_000)
            #expect(timeline.events[1].time.rawValue == 24_000)
        }
    }

    @Test func aTrackThatBreaksKeepsWhatCameBeforeAndTheOthers() throws {
        let file = try read("nothing behind a broken delta time")
        #expect(file.song.tracks.map(\.events.count) == [2, 4])
        #expect(file.repairs.map(\.fault) == [.quantityTooLong])
    }

    @Test(arguments: [("meta event of 200 bytes", 200), ("meta event of 70000 bytes", 70_000)])
    func longTextsKeepEveryByteAndTheNotesAfterThem(_ name: String, _ length: Int) throws {
        let events = try read(name).song.tracks[0].events
        #expect(events.count == 5)
        guard case .text(let text) = events[2].kind else {
            Issue.record("no text")
            return
        }
        #expect(text.bytes.count == length)
    }

    @Test func portsAboveFifteenFold() throws {
        let file = try read("port 17")
        #expect(file.repairs.map(\.fault) == [.portNumber(17)])
        #expect(try Timeline(file.song, sampleRate: 48_000).summary.parts.map(\.port) == [1])
        let two = try Timeline(read("ports 0 and 1").song, sampleRate: 48_000)
        #expect(two.summary.parts.map(\.port) == [0, 1])
    }

    @Test func velocitiesAbove127AreTakenAs127() throws {
        let events = try read("velocity above 127").song.tracks[0].events
        #expect(events[0].kind == .message(MIDIMessage(status: 0x90, data1: 60, data2: 127)))
    }

    @Test func anUnendedNoteIsCounted() throws {
        #expect(try Timeline(read("note that never ends").song, sampleRate: 48_000).summary.unendedNotes == 1)
        #expect(try Timeline(read("note of no length").song, sampleRate: 48_000).summary.unendedNotes == 0)
    }

    @Test func rmidIsUnwrapped() throws {
        #expect(try read("RMID").container == .riff)
        #expect(try read("division 0").container == .standardMIDIFile)
    }

    @Test func repairsBeyondTheListAreCounted() throws {
        let bytes = SongBytes.song(
            (0..<5_000).flatMap { _ -> [UInt8] in [0, 0xF8] } + SongBytes.note(60) + SongBytes.end)
        let file = try SongReader.read(bytes: bytes, name: "clock")
        #expect(file.repairs.count == SongLimits().repairs)
        #expect(file.repairCount == 5_000)
    }

    private func read(_ name: String) throws -> SongFile {
        try SongReader.read(bytes: OddSongs.named(name).bytes, name: name)
    }
}
