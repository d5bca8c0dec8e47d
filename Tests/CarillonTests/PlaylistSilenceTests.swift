import Carillon
import CarillonTestKit
import RealtimeCore
import Testing

@testable import Sessions

/// What is asked for in the silence between two songs: it is the next one that is meant.
@Suite struct PlaylistSilenceTests {
    /// Three songs of 0.4 s, 2 s of silence before each but the first; the first has ended.
    private func inSilence() throws -> SessionInTime {
        let songs = [60, 62, 64].map { (key: UInt8) in
            var song = SessionInTime.listed(4, key: key)
            song.manner.pause = 2
            return song
        }
        let time = try SessionInTime(SessionInTime.options, songs)
        #expect(try time.pass { time.transport?.nextIn != nil })
        try time.pass(0.5)
        return time
    }

    private func keys(_ time: SessionInTime) -> [UInt8] { time.onsets.map(\.key) }

    @Test func theNextSongIsWaitedFor() throws {
        let time = try inSilence()
        let left = try #require(time.transport?.nextIn)
        #expect(left > 0.5 && left < 2 && time.transport?.isPlaying == false)
        try time.pass(left + 0.3)
        #expect(time.transport?.nextIn == nil && keys(time).contains(62))
        try time.session.finish()
    }

    @Test(arguments: [ControlCommand.stop, .pause, .togglePlay]) func whatIsStoppedDoesNotBeginByItself(
        _ command: ControlCommand
    ) throws {
        let time = try inSilence()
        try time.session.perform(command)
        try time.pass(6)
        #expect(!keys(time).contains(62) && time.transport?.nextIn == nil && time.transport?.hasEnded == false)
        // The next song is the one that waits.
        try time.session.perform(.play)
        try time.pass(1)
        #expect(keys(time).filter { $0 == 60 }.count == 4 && keys(time).contains(62) && !keys(time).contains(64))
        try time.session.finish()
    }

    @Test(arguments: [ControlCommand.play, .next]) func whoeverCannotWaitHearsTheNextSongAtOnce(_ command: ControlCommand) throws
    {
        let time = try inSilence()
        try time.session.perform(command)
        try time.pass(0.5)
        #expect(keys(time).filter { $0 == 60 }.count == 4 && keys(time).filter { $0 == 62 }.count == 4)
        try time.pass(3)
        #expect(keys(time).contains(64))
        try time.session.finish()
    }

    @Test func theSongThatHasEndedIsTheOneBefore() throws {
        let time = try inSilence()
        try time.session.perform(.previous)
        try time.pass(0.6)
        #expect(keys(time).filter { $0 == 60 }.count == 8 && !keys(time).contains(62))
        try time.session.finish()
    }

    @Test func aTempoHoldsForTheSongThatIsWaitedFor() throws {
        let time = try inSilence()
        try time.session.perform(.tempo(0.5))
        #expect(try time.pass { keys(time).filter { $0 == 62 }.count == 4 })
        let times = time.onsets.filter { $0.key == 62 }.map(\.time)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [9_600])
        try time.session.finish()
    }
}
