import AudioFiles
import Carillon
import Foundation
import MIDI
import RealtimeCore
import Sequencer
import TestFolders
import Testing

@testable import EngineCore
@testable import Sessions

/// Two songs at once: one fades out while the next fades in.
@Suite struct CrossFadeTests {
    private let folder = TemporaryFolder()

    private static func options(_ crossFade: Double) -> LiveOptions {
        var options = SessionInTime.options
        (options.ports, options.faderLevel, options.songsHaveOwnInstruments) = (1, 0, true)
        options.crossFade = crossFade
        return options
    }

    /// Songs with a note a beat, ten beats a second: of key 60, 72, 84.
    private static func songs(_ beats: Int) -> [SessionSong] { [60, 72, 84].map { SessionInTime.listed(beats, key: $0) } }

    /// A song of one note that sounds all the time.
    private static func held(_ key: UInt8, seconds: Int = 30) -> SessionSong {
        let end = Int64(seconds) * 960
        var track = Track(name: "held")
        track.events = [
            SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: key, data2: 100))),
            SongEvent(tick: end, .message(MIDIMessage(status: 0x80, data1: key, data2: 0))),
        ]
        track.endTick = end
        return SessionSong(name: "held \(key)", song: Song(tracks: [track]))
    }

    private func times(_ time: SessionInTime, _ key: UInt8) -> [Int64] { time.onsets.filter { $0.key == key }.map(\.time) }

    private func areOnBeats(_ times: [Int64]) -> Bool { Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [4_800] }

    @Test func bothSongsPlayOnTheirBeats() throws {
        let time = try SessionInTime(Self.options(2), Self.songs(200))
        try time.pass(1)
        try time.session.perform(.next)
        #expect(time.transport?.song == "song of 72" && time.transport?.leaving == "song of 60" && time.transport?.crossFade == 2)
        var channels: Set<Int> = []
        for _ in 0..<100 {
            try time.pass(0.03)
            channels.formUnion(time.session.snapshot.notes.map(\.channel))
        }
        #expect(channels == [1])
        let first = times(time, 60), second = times(time, 72)
        #expect(areOnBeats(first) && areOnBeats(second))
        let begin = try #require(second.first), end = try #require(first.last)
        #expect((90_000..<96_000).contains(end - begin), "\(begin), \(end)")
        #expect(time.held[60] == 0 && time.transport?.leaving == nil)
        // Back on the first deck.
        try time.session.perform(.next)
        try time.pass(3)
        #expect(areOnBeats(times(time, 84)) && time.transport?.song == "song of 84")
        let counters = time.session.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.lateEvents == 0 && counters.faults == 0)
        try time.session.finish()
        #expect(time.held.values.allSatisfy { $0 == 0 })
    }

    /// Without a request the next song begins so long before this one's end, to the frame.
    @Test func aSongThatEndsCrossesOver() throws {
        let time = try SessionInTime(Self.options(2), Self.songs(80))
        #expect(try time.pass { !times(time, 84).isEmpty })
        let length = try Timeline(SessionInTime.song(80), sampleRate: 48_000).summary.end.rawValue
        let begins = try [60, 72, 84].map { try #require(times(time, $0).first) }
        #expect(begins[1] - begins[0] == length - 96_000 && begins[2] - begins[1] == length - 96_000, "\(begins)")
        #expect(times(time, 60).count == 80)
        // The last song is played to its end.
        try time.pass(10)
        #expect(time.transport?.hasEnded == true && times(time, 84).count == 80)
        try time.session.finish()
    }

    /// The power of both is that of one, and no sample jumps.
    @Test func theSumIsAsLoudAsOne() throws {
        let time = try SessionInTime(Self.options(4), [Self.held(57), Self.held(64)])
        try time.pass(2)
        try time.session.perform(.next)
        try time.pass(7)
        let sound = time.port.played[0]
        func power(_ second: Double) -> Double {
            let part = sound[Int(second * 48_000)..<Int((second + 0.5) * 48_000)]
            return 10 * log10(part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count))
        }
        let before = power(1), parts = stride(from: 2.5, to: 8, by: 0.5).map { power($0) - before }
        #expect(parts.allSatisfy { abs($0) < 1.5 }, "\(before) dB, \(parts)")
        try time.session.finish()
    }

    @Test func whatIsMutedStaysMuted() throws {
        let time = try SessionInTime(Self.options(1), Self.songs(200))
        try time.session.perform(.mute(channel: 1, true))
        try time.session.perform(.volume(-6))
        try time.pass(0.5)
        try time.session.perform(.next)
        try time.pass(2)
        #expect(time.transport?.muted == [1] && time.session.core.mixes.allSatisfy { $0.volume == -6 })
        #expect(time.port.played[0].suffix(24_000).allSatisfy { $0 == 0 } && times(time, 72).count > 10)
        try time.session.perform(.mute(channel: 1, false))
        try time.pass(1)
        #expect(time.port.played[0].suffix(24_000).contains { abs($0) > 0.01 })
        try time.session.finish()
    }

    /// What is asked for meanwhile, whether the song that fades out goes on, and the keys that sound later.
    private static let requests: [(ControlCommand, goesOn: Bool, keys: Set<UInt8>)] = [
        (.next, true, [84]), (.pause, false, []), (.stop, false, []), (.seek(.seconds(0)), true, [72]),
        (.crossFade(0), true, [72]), (.playSong("1"), true, [60]),
    ]

    @Test(arguments: requests.indices) func requestsInTheMiddleLeaveNothingBehind(_ index: Int) throws {
        let (command, goesOn, keys) = Self.requests[index]
        let time = try SessionInTime(Self.options(2), Self.songs(200))
        try time.pass(1)
        try time.session.perform(.next)
        try time.pass(1)
        try time.session.perform(command)
        try time.pass(0.1)
        time.forget()
        try time.pass(2)
        #expect(times(time, 60).isEmpty != goesOn, "\(time.onsets)")
        time.forget()
        try time.pass(1)
        #expect(Set(time.onsets.map(\.key)) == keys)
        #expect(time.port.played[0].suffix(24_000).contains { abs($0) > 0.01 } == !keys.isEmpty)
        try time.session.finish()
        #expect(time.held.values.allSatisfy { $0 == 0 })
    }

    /// Edits of the list while the next song is posted take it back, also on the other deck.
    @Test func theNextSongCanStillChange() throws {
        let time = try SessionInTime(Self.options(2), Self.songs(80)), playlist = try #require(time.session.playlist)
        #expect(try time.pass { playlist.following != nil })
        let second = playlist.items[1].id
        playlist.remove(second)
        #expect(try time.pass { !times(time, 84).isEmpty })
        #expect(times(time, 72).isEmpty)
        try time.pass(3)
        #expect(areOnBeats(times(time, 84)) && time.transport?.song == "song of 84")
        #expect(time.port.played[0].suffix(24_000).contains { abs($0) > 0.01 })
        try time.session.finish()
    }

    /// A channel that no song had before is there on both decks.
    @Test func songsThatComeLaterAreHeard() throws {
        let time = try SessionInTime(Self.options(1), Self.songs(200)), playlist = try #require(time.session.playlist)
        for key: UInt8 in [65, 67] {
            let song = SessionInTime.song(200, key: key, channel: 5)
            playlist.insert(SessionSong(name: "late \(key)", song: song), at: 1)
        }
        for key: UInt8 in [67, 65] {
            try time.pass(2)
            try time.session.perform(.next)
            try time.pass(0.5)
            #expect(areOnBeats(times(time, key)), "\(key): \(time.onsets.suffix(8))")
        }
        #expect(time.session.counters.unheardEvents == 0 && time.session.counters.lostEvents == 0)
        try time.session.finish()
    }

    /// What was heard comes again from the journal, for any blocks and threads.
    @Test func theJournalGivesTheSameSamples() throws {
        var options = Self.options(1)
        options.capturePath = folder.file("crossed.wav")
        let time = try SessionInTime(options, Self.songs(60))
        try time.pass(2)
        try time.session.perform(.next)
        try time.pass(6)
        try time.session.finish()
        let sound = try AudioFileReader(path: folder.file("crossed.wav")).readAll()
        for (threads, block) in [(1, 16), (3, 4096)] {
            var replayed: [Float] = []
            let journal = try Journal(path: folder.file("crossed.wav.journal"))
            try JournalRenderer(journal, threads: threads, blockFrames: block).render { (samples, frames) in
                replayed += UnsafeBufferPointer(start: samples[0], count: frames)
            }
            #expect(replayed.contains { abs($0) > 0.05 } && replayed == sound[0], "\(threads), \(block)")
        }
    }

    @Test func withoutInstrumentsOfTheirOwnSongsDoNotCrossOver() throws {
        var through = SessionInTime.options, plain = Self.options(0)
        through.faderLevel = 0
        plain.faderLevel = nil
        for options in [through, plain] {
            let time = try SessionInTime(options, Self.songs(20))
            #expect(throws: Fault.self) { try time.session.perform(.crossFade(2)) }
            try time.pass(1)
            #expect(times(time, 60).count >= 9)
            try time.session.finish()
        }
    }
}
