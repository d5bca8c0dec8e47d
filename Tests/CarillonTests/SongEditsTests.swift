import Carillon
import CarillonTestKit
import Foundation
import MIDI
import RealtimeCore
import Sequencer
import SongFiles
import Testing

@testable import EngineCore
@testable import Sessions

/// The notes of the song that plays, changed while it sounds.
@Suite struct SongEditsTests {
    /// Beats of a tenth of a second: quarter notes of 4 800 frames, 480 ticks each.
    private func time(_ song: Song, _ more: SessionSong...) throws -> SessionInTime {
        try SessionInTime(SessionInTime.options, [SessionSong(name: "take.mid", song: song)] + more)
    }

    /// Notes that were played a little beside the beats: by these ticks.
    private func played(_ late: [Int64], key: UInt8 = 60) -> Song {
        var song = SessionInTime.song(0)
        for (beat, late) in late.enumerated() {
            let tick = Int64(beat) * 480 + late
            song.tracks[0].events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: key, data2: 100))),
                SongEvent(tick: tick + 200, .message(MIDIMessage(status: 0x80, data1: key, data2: 0))),
            ]
        }
        song.tracks[0].endTick = Int64(late.count) * 480
        return song
    }

    private func perform(_ time: SessionInTime, _ lines: String...) throws {
        for line in lines { try time.session.perform(command(line)) }
    }

    /// The command of a line whose values have no blanks; the grammar's own reader is not here.
    private func command(_ line: String) throws -> ControlCommand {
        let words = line.split(separator: " ").map(String.init)
        let verb = try #require(SongsPart.verbs.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count })
        var rest = words.dropFirst(verb.words.count)
        return ControlCommand(
            verb,
            verb.arguments.map { argument in
                switch argument.kind {
                case .labelled(let word, _):
                    guard rest.first == word else { return .none }
                    rest.removeFirst()
                    return .whole(Int(rest.removeFirst()) ?? 0)
                case .number: return .number(Double(rest.removeFirst()) ?? 0)
                case .whole: return .whole(Int(rest.removeFirst()) ?? 0)
                default: return argument.isOptional && rest.isEmpty ? .none : .text(rest.removeFirst())
                }
            })
    }

    private func starts(_ time: SessionInTime) -> [Int64] { time.onsets.map { $0.time - (time.onsets.first?.time ?? 0) } }

    @Test func aSongTakenApartAndPutTogetherIsTheSame() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let songs = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/songs").filter { $0.hasSuffix(".mid") }
        #expect(songs.count > 10)
        for name in songs {
            let song = try SongReader.read(path: folder.path + "/songs/" + name).song
            let notes = try #require(SongNotes(song))
            let before = try Timeline(song, sampleRate: 48_000), after = try Timeline(notes.song, sampleRate: 48_000)
            #expect(before.events == after.events && before.summary.end == after.summary.end, "\(name)")
        }
    }

    @Test func playedNotesGoToTheGridWhileTheSongPlays() throws {
        let time = try time(played([20, -30, 40, 10, 35, -50, 20, 30].map { max($0, 0) }))
        try perform(time, "edit quantise 1/4 from 2")
        #expect(try time.pass { time.session.isOver })
        // The first bar as it was played, 10 frames a tick; the second on its beats.
        let frames = starts(time)
        #expect(frames == [0, 4_600, 9_800, 14_300, 19_000, 23_800, 28_600, 33_400], "\(frames)")
        try time.session.finish()
    }

    @Test func halfTheWayAndTriplets() throws {
        let time = try time(played([0, 100, 170, 310]))
        try perform(time, "edit quantise 1/8t strength 50")
        #expect(try time.pass { time.session.isOver })
        // Lines every 160 ticks: 480 + 100 goes towards 640, 960 + 170 to 1120, 1440 + 310 to 1760.
        #expect(starts(time) == [0, 6_100, 11_250, 17_550], "\(starts(time))")
        try time.session.finish()
    }

    @Test func aSoundingNoteThatBecomesAnotherEnds() throws {
        var song = SessionInTime.song(0)
        song.tracks[0].events += [
            SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))),
            SongEvent(tick: 9_600, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))),
            SongEvent(tick: 14_400, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))),
        ]
        song.tracks[0].endTick = 19_200
        for (line, goesOn) in [("edit transpose 12", false), ("edit velocity 1 60 3 90", true), ("edit delete 1 60 0", false)] {
            let time = try time(song)
            try time.pass(0.5)
            #expect(time.session.snapshot.voices == 1)
            try perform(time, line)
            try time.pass(0.3)
            #expect((time.session.snapshot.voices == 1) == goesOn, "\(line)")
            try time.session.finish()
        }
    }

    @Test func eachChangeOfANoteIsHeardAndTakenBack() throws {
        let song = SessionInTime.song(8)
        for (line, expected) in [
            ("edit move 1 60 0.3 0.35 64", [(14_400, 60), (16_800, 64)]), ("edit delete 1 60 0.3", [(14_400, 60)]),
            ("edit add 1 67 0.35 0.1 80", [(16_800, 67)]), ("edit copy 2 2 3", [(38_400, 60), (43_200, 60)]),
            ("edit clear from 2", [(19_200, 60), (24_000, 60)]),
        ] {
            let time = try time(song)
            try perform(time, line)
            #expect(try time.pass { time.session.isOver })
            let base = time.onsets[0].time, heard = Set(time.onsets.map { [$0.time - base, Int64($0.key)] })
            let before = Set((0..<8).map { [Int64($0) * 4_800, 60] })
            for (frame, key) in expected {
                let onset = [Int64(frame), Int64(key)]
                #expect(heard.contains(onset) != before.contains(onset), "\(line): \(heard.map { $0 })")
            }
            let count = time.onsets.count
            try perform(time, "edit undo", "play")
            try time.pass(2)
            #expect(Set(time.onsets[count...].map { Int($0.key) }) == [60] && time.onsets.count == count + 8)
            try time.session.finish()
        }
    }

    @Test func itsNextTurnHasTheChangesAndTheFileToo() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/edits-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let time = try time(SessionInTime.song(4), SessionInTime.listed(2, key: 72))
        try perform(time, "repeat all", "edit transpose 3", "edit save \(folder)/changed")
        #expect(try time.pass { time.onsets.count >= 10 })
        #expect(time.onsets.prefix(10).map(\.key) == [63, 63, 63, 63, 72, 72, 63, 63, 63, 63])
        let saved = try SongReader.read(path: folder + "/changed.mid", strict: true).song
        #expect(
            try Timeline(saved, sampleRate: 48_000).events.contains {
                $0.event == .message(.init(status: 0x90, data1: 63, data2: 100))
            })
        try time.session.finish()
    }

    @Test func manyChangesAreTakenBackToTheSameSong() throws {
        var random = SeededRandom(seed: 42)
        let song = SessionInTime.song(64), time = try time(song)
        try time.session.perform(.pause)
        let playlist = try #require(time.session.playlist)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var states = [playlist.current.song]
        for _ in 0..<200 {
            let channel = ["", " channel 1"][number(0...1)], bars = ["", " from \(number(1...8))", " to 9"][number(0...2)]
            let line = [
                "edit quantise 1/\([4, 8, 16][number(0...2)]) strength \(number(1...100))\(channel)\(bars)",
                "edit humanise \(number(0...40)) velocity \(number(0...30))\(channel)\(bars)",
                "edit transpose \(number(-5...5))\(channel)\(bars)", "edit copy 1 2 \(number(1...16))\(channel)",
                "edit clear from 15",
            ][number(0...4)]
            do { try perform(time, line) } catch { #expect("\(error)".contains("no notes"), "\(line): \(error)") }
            // A copy of notes onto themselves is a change, too.
            if playlist.currentEdits?.canUndo ?? 0 == states.count { states.append(playlist.current.song) }
            // No key goes down twice without having gone up.
            var down: Set<UInt8> = []
            for event in try Timeline(playlist.current.song, sampleRate: 48_000).events {
                guard case .message(let message) = event.event else { continue }
                if message.beginsNote { #expect(down.insert(message.data1).inserted, "\(line)") }
                if message.endsNote { down.remove(message.data1) }
            }
        }
        let last = playlist.current.song
        for state in states.dropLast().reversed() {
            try perform(time, "edit undo")
            #expect(playlist.current.song == state)
        }
        #expect(throws: Fault.self) { try perform(time, "edit undo") }
        for _ in states.dropFirst() { try perform(time, "edit redo") }
        #expect(playlist.current.song == last && time.session.snapshot.voices == 0)
        try time.session.finish()
    }

    @Test func whatCannotBeChangedIsRefused() throws {
        var patterns = SessionInTime.song(2)
        patterns.format = .sequential
        var film = SessionInTime.song(2)
        film.division = .smpte(.pal, ticksPerFrame: 40)
        for (song, line, word) in [
            (SessionInTime.song(2), "edit delete 1 61 0", "notes FROM TO"), (SessionInTime.song(2), "edit undo", "undo"),
            (SessionInTime.song(2), "edit clear channel 5", "no notes there"), (SessionInTime.song(2), "edit redo", "undone"),
            (SessionInTime.song(2), "edit add 3 60 0 1 90", "channel 3"), (patterns, "edit clear", "format 2"),
            (film, "edit quantise 1/8", "film"), (film, "edit copy 1 2 3", "film"),
        ] {
            let time = try time(song), error = #expect(throws: Fault.self) { try perform(time, line) }
            #expect(error?.description.contains(word) == true, "\(line): \(String(describing: error))")
            try time.session.finish()
        }
    }
}
