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

/// Songs one after another, and a list that changes while it plays.
@Suite struct PlaylistTests {
    private func keys(_ time: SessionInTime) -> [UInt8] {
        var keys: [UInt8] = []
        for onset in time.onsets where keys.last != onset.key { keys.append(onset.key) }
        return keys
    }

    @Test func theNextSongBeginsOnTheFrameOnWhichThisOneEnds() throws {
        let songs = [60, 62, 64].map { SessionInTime.listed(4, key: $0, beatFrames: 4_801) }
        let time = try SessionInTime(SessionInTime.options, songs)
        #expect(try time.pass { time.session.isOver })
        let times = time.onsets.map(\.time)
        #expect(time.onsets.count == 12 && keys(time) == [60, 62, 64])
        // A beat of so many frames is no whole number of microseconds: the song's own end is what counts.
        let length = try Timeline(SessionInTime.song(4, beatFrames: 4_801), sampleRate: 48_000).summary.end.rawValue
        #expect(times[4] - times[0] == length && times[8] - times[4] == length)
        try time.session.finish()
    }

    @Test(arguments: [ControlCommand.next, .previous]) func aSongThatTookItsTimeToGetReadyBeginsWithItsBeat(
        _ command: ControlCommand
    ) throws {
        let songs = [60, 62, 64].map { SessionInTime.listed(40, key: $0) }
        let time = try SessionInTime(SessionInTime.options, songs)
        try time.session.perform(.next)
        try time.pass(0.5)
        let playlist = try #require(time.session.playlist), makeRoom = playlist.willPlay
        playlist.willPlay = { (timeline, bank, deck, start) throws(Fault) in
            try makeRoom(timeline, bank, deck, start)
            time.port.advance(seconds: 0.7)
        }
        try time.session.perform(command)
        try time.pass(1)
        let key: UInt8 = command == .next ? 64 : 60
        let begin = time.onsets.lastIndex { $0.key == 62 } ?? 0
        let times = time.onsets[begin...].filter { $0.key == key }.map(\.time)
        #expect(times.count > 8 && Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [4_800], "\(times)")
        #expect(time.session.engine.renderer.counters.lateEvents == 0)
        try time.session.finish()
    }

    @Test func aListThatLoopsBeginsAnewWithoutAGap() throws {
        let time = try SessionInTime(
            SessionInTime.options, [SessionInTime.listed(2, key: 60), SessionInTime.listed(3, key: 62)])
        try time.session.perform(.repeats(.all))
        #expect(try time.pass { time.onsets.count >= 30 })
        let times = time.onsets.map(\.time)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [4_800])
        #expect(time.transport?.rounds ?? 0 >= 5)
        // Without the loop the list is played to its end.
        try time.session.perform(.repeats(.off))
        #expect(try time.pass { time.session.isOver })
        #expect(time.onsets.last?.key == 62)
        try time.session.finish()
    }

    @Test func aSongThatCannotBeReadIsLeftOutAndTriedAgain() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-playlist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bad = folder.appending(path: "bad.mid").path()
        try Data("no song".utf8).write(to: URL(filePath: bad))
        let time = try SessionInTime(
            SessionInTime.options,
            [
                SessionInTime.listed(3, key: 60), SessionSong(name: "bad.mid", path: bad), SessionInTime.listed(3, key: 64),
            ])
        #expect(time.session.takeNotices().contains { $0.contains("bad.mid is left out") && $0.contains("not a song file") })
        try time.session.perform(.repeats(.all))
        #expect(try time.pass { time.onsets.count >= 12 })
        #expect(keys(time).starts(with: [60, 64, 60, 64]))
        #expect(time.session.takeNotices() == [], "told once")
        #expect(time.session.playlist?.items[1].fault != nil)
        try SongWriter.write(SessionInTime.song(3, key: 62), path: bad)
        #expect(try time.pass { time.onsets.contains { $0.key == 62 } })
        #expect(time.session.playlist?.items[1].fault == nil)
        try time.session.finish()
    }

    @Test func aListWithoutAnySongThatCanBePlayedIsRefused() {
        #expect(throws: Fault.self) {
            try SessionInTime(SessionInTime.options, [SessionSong(name: "none", path: "/no/such.mid")])
        }
    }

    @Test func songsArePutInMovedAndTakenOutWhileItPlays() throws {
        let time = try SessionInTime(
            SessionInTime.options, [SessionInTime.listed(20, key: 60), SessionInTime.listed(3, key: 62)])
        let list = try #require(time.session.playlist)
        try time.pass(1.5)
        // The second song is posted already; something else shall follow.
        let third = list.insert(SessionInTime.listed(3, key: 64), at: 1)
        let fourth = list.insert(SessionInTime.listed(3, key: 65))
        list.insert(SessionInTime.listed(3, key: 67), at: 99)
        #expect(list.move(fourth, to: 1))
        #expect(list.items.map(\.song.name) == [60, 65, 64, 62, 67].map { "song of \($0)" })
        #expect(list.remove(third) && !list.remove(third))
        try time.pass(0.2)
        // And the one that plays is taken out: it is played to its end.
        #expect(list.remove(list.items[0].id))
        #expect(try time.pass { time.session.isOver })
        #expect(keys(time) == [60, 65, 62, 67])
        #expect(time.onsets.count { $0.key == 60 } == 20)
        #expect(time.held.allSatisfy { $0.value == 0 })
        try time.session.finish()
    }

    @Test func aSongThatComesIntoTheListAfterTheEndIsPlayed() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(2, key: 60)])
        #expect(try time.pass { time.transport?.hasEnded == true })
        time.session.playlist?.insert(SessionInTime.listed(2, key: 62))
        #expect(try time.pass { time.onsets.last?.key == 62 })
        try time.session.finish()
    }

    @Test func aSongIsChosenByItsNameOrItsNumber() throws {
        let songs = [60, 62, 64].map { SessionInTime.listed(40, key: $0) }
        let time = try SessionInTime(SessionInTime.options, songs), session = time.session
        try session.perform(.playSong("song of 64"))
        try time.pass(0.5)
        #expect(time.transport?.number == 3 && time.transport?.isPlaying == true && keys(time) == [64])
        // It plays, though the music stood still.
        try session.perform(.pause)
        try session.perform(.playSong("2"))
        try time.pass(0.5)
        #expect(time.transport?.number == 2 && keys(time) == [64, 62])
        for name in ["song of 61", "0", "4", ""] {
            #expect(throws: Fault.self, "\(name)") { try session.perform(.playSong(name)) }
        }
        // What the list goes on with is what follows it there.
        #expect(time.transport?.next == "song of 64")
        try session.finish()
    }

    /// What is queued follows the current song in the order of the requests; the others come after it.
    @Test func queuedSongsComeNext() throws {
        let songs = (0..<6).map { SessionInTime.listed(5, key: 60 + UInt8($0)) }
        let time = try SessionInTime(SessionInTime.options, songs), session = time.session
        try time.pass(0.2)
        for name in ["song of 64", "song of 62", "6"] { try session.perform(.queue(name)) }
        #expect(throws: Fault.self) { try session.perform(.queue("song of 99")) }
        // The one that plays stays where it is.
        try session.perform(.queue("song of 60"))
        #expect(try time.pass { time.session.isOver })
        #expect(keys(time) == [60, 64, 62, 65, 61, 63])
    }

    @Test func shuffledSongsPlayOnceEachAndTheOrderComesBack() throws {
        let songs = (0..<8).map { SessionInTime.listed(5, key: 60 + UInt8($0)) }
        let time = try SessionInTime(SessionInTime.options, songs), list = try #require(time.session.playlist)
        let part = try #require(time.session[SongsPart.self])
        #expect(try time.pass(atMost: 3) { time.transport?.number == 3 })
        func names() -> [String] { list.items.map(\.song.name) }
        let written = names()
        for seed in 1...4 as ClosedRange<UInt64> {
            try part.shuffle(true, seed: seed)
            let once = names()
            #expect(once[0] == "song of 62" && once != written && Set(once) == Set(written))
            try part.shuffle(true, seed: seed)
            #expect(names() == once)
        }
        #expect(time.session.snapshot.transport?.isShuffled == true)
        let order = names()
        #expect(try time.pass { time.session.isOver })
        #expect(keys(time) == [60, 61] + order.compactMap { $0.split(separator: " ").last.flatMap { UInt8($0) } })
        try part.shuffle(false)
        #expect(names() == written)
    }

    @Test func aSongThatCannotBePlayedIsRefusedAndTold() throws {
        let time = try SessionInTime(
            SessionInTime.options, [SessionInTime.listed(40), SessionSong(name: "lost.mid", path: "/proc/nowhere/lost.mid")])
        do throws(Fault) {
            try time.session.perform(.playSong("lost"))
            Issue.record("it plays")
        } catch { #expect(error.description.contains("lost.mid") && error.description.contains("/proc/nowhere")) }
        try time.pass(0.5)
        #expect(time.transport?.number == 1 && time.transport?.isPlaying == true)
        let listed = try #require(time.session.playlist).items.listed
        #expect(listed.map(\.number) == [1, 2] && listed[0].length == 4 && listed[0].fault == nil)
        #expect(listed[1].title == "lost" && listed[1].length == nil && listed[1].fault != nil)
        try time.session.finish()
    }

    @Test func songsAreFoundByTheirWordsAndAsManyAreToldAsAnAnswerHolds() {
        let songs = (1...20_000).map {
            ListedSong(number: $0, name: "Canon \($0).mid", playlists: [$0 % 2 == 0 ? "even" : "odd"])
        }
        let all = SongList(songs, having: nil)
        #expect(all.count == 20_000 && !all.isWhole && all.songs.count > 1_000)
        let found = SongList(songs, having: "EVEN canon 1999")
        #expect(found.isWhole && found.songs.map(\.number) == [19_990, 19_992, 19_994, 19_996, 19_998])
    }

    /// The graph is built for the songs that are known; one that comes later has a channel and presets of its own.
    @Test func aSongThatNeedsMoreOfTheGraphGetsIt() throws {
        var options = SessionInTime.options
        options.instrument = .soundFont([RenderedSong.soundFont])
        let time = try SessionInTime(options, [SessionInTime.listed(10, key: 60)])
        #expect(time.session.graph.parts == [0])
        try time.session.perform(.volume(-6))
        try time.session.perform(.mute(channel: 1, true))
        var other = SessionInTime.song(20, key: 67, channel: 3)
        other.tracks[0].events.insert(
            SongEvent(tick: 0, .message(MIDIMessage(status: 0xC3, data1: 48, data2: 0))), at: 0)
        time.session.playlist?.insert(SessionSong(name: "strings", song: other))
        #expect(try time.pass { time.onsets.count { $0.key == 67 } > 2 })
        #expect(time.session.graph.parts == [0, 3])
        try time.pass(0.2)
        let level = try #require(time.session.snapshot.channels.first { $0.number == 4 }?.level)
        #expect(level.peak > -50, "\(level)")
        // What was set by hand is as it was.
        #expect(time.session.snapshot.volume == -6 && time.transport?.muted == [1])
        // The first song sounded to its end all the same.
        #expect(time.onsets.count { $0.key == 60 } == 10)
        try time.session.finish()
    }

    /// Whatever is asked for, at most one song sounds at a time, nothing hangs, and nothing comes late.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func randomCommandsAndEditsLeaveNothingHanging(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let time = try SessionInTime(
            SessionInTime.options, (0..<5).map { SessionInTime.listed(Int.random(in: 1...30, using: &random), key: 40 + $0) })
        let list = try #require(time.session.playlist)
        var key: UInt8 = 50
        for _ in 0..<300 {
            switch Int.random(in: 0...13, using: &random) {
            case 0: try time.session.perform(.next)
            case 1: try time.session.perform(.previous)
            case 2: try time.session.perform(.seek(.seconds(Double.random(in: 0...4, using: &random))))
            case 3: try time.session.perform(.seek(.byBars(Int.random(in: -2...2, using: &random))))
            case 4: try time.session.perform(.tempo(Double.random(in: 0.5...4, using: &random)))
            case 5: try time.session.perform(.togglePlay)
            case 6: try time.session.perform(.repeats(Bool.random(using: &random) ? .all : .off))
            case 7: if list.items.count > 2 { list.remove(list.items.randomElement(using: &random)?.id ?? 0) }
            case 8:
                list.insert(
                    SessionInTime.listed(Int.random(in: 1...9, using: &random), key: key),
                    at: Int.random(in: 0...6, using: &random))
                key = key == 99 ? 50 : key + 1
            case 9: list.move(list.items.randomElement(using: &random)?.id ?? 0, to: Int.random(in: 0...6, using: &random))
            default: try time.session.perform(.play)
            }
            try time.pass(Double.random(in: 0...0.4, using: &random))
            #expect(time.held.values.reduce(0, +) <= 1, "one voice at a time")
        }
        try time.session.perform(.pause)
        try time.pass(0.3)
        #expect(time.held.allSatisfy { $0.value == 0 })
        let counters = time.session.engine.renderer.counters
        #expect(counters.lateEvents == 0 && counters.lostEvents == 0)
        try time.session.finish()
    }
}
