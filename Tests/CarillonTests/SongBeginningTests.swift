import Carillon
import Sequencer
import Testing

/// A session whose first song begins in its middle.
@Suite struct SongBeginningTests {
    /// Eight beats of a tenth of a second, four to a bar, the second bar with a marker, each on a key of its own.
    private var song: Song {
        var song = SessionInTime.song(8)
        for index in song.tracks[0].events.indices {
            guard case .message(var message) = song.tracks[0].events[index].kind else { continue }
            message.data1 += UInt8(song.tracks[0].events[index].tick / 480)
            song.tracks[0].events[index].kind = .message(message)
        }
        song.tracks[0].events.insert(SongEvent(tick: 1_920, .text(SongText(.marker, "Verse"))), at: 9)
        return song
    }

    @Test(arguments: [TransportTarget.bar(2), .seconds(0.4), .marker("verse"), .byMarkers(1)])
    func theFirstSongBeginsThereAndTheNextAtItsBeginning(_ place: TransportTarget) throws {
        let songs = [SessionSong(name: "a", song: song), SessionSong(name: "b", song: song)]
        let time = try SessionInTime(SessionInTime.options, songs, from: place)
        #expect(try time.pass { time.session.isOver })
        #expect(time.onsets.map(\.key) == [64, 65, 66, 67] + (60...67), "\(time.onsets)")
        try time.session.finish()
    }

    @Test func aPlaceThatTheSongDoesNotHaveIsRefused() throws {
        for place in [TransportTarget.bar(9), .seconds(60), .marker("Coda")] {
            #expect {
                _ = try SessionInTime(SessionInTime.options, [SessionSong(name: "a", song: song)], from: place)
            } throws: {
                [.noPlace, .afterEnd].contains(($0 as? Fault)?.kind)
            }
        }
    }
}
