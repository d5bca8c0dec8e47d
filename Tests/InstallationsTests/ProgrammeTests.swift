import Carillon
import Testing

@testable import Installations

/// Orders of playlists, and what follows what.
@Suite struct ProgrammeTests {
    private func list(
        _ name: String, _ songs: Int, _ order: InstallationPlaylist.Order = .written, seed: UInt64 = 1, repeats: Bool = true
    ) -> InstallationPlaylist {
        InstallationPlaylist(
            name: name, songs: (0..<songs).map { InstallationSong(path: "\(name)/\($0).mid") }, order: order, seed: seed,
            repeats: repeats)
    }

    private func names(_ programme: inout Programme, _ count: Int) -> [String] {
        (0..<count).compactMap { _ in programme.take()?.song.path }
    }

    @Test func aListInOrderGoesRoundOrEnds() {
        var programme = Programme([list("a", 3), list("b", 2, repeats: false)])
        #expect(programme.take() == nil)
        programme.go(to: Programme.Place(playlist: "a"))
        #expect(names(&programme, 7) == [0, 1, 2, 0, 1, 2, 0].map { "a/\($0).mid" })
        programme.go(to: Programme.Place(playlist: "b", round: 0, step: 1))
        #expect(names(&programme, 5) == ["b/1.mid"])
        programme.go(to: Programme.Place(playlist: "nobody's"))
        #expect(programme.take() == nil)
    }

    @Test func aShuffledRoundHasEverySongAndNoneFollowsItself() {
        for count in 2...12 {
            for seed in UInt64(0)..<40 {
                var programme = Programme([list("a", count, .shuffled, seed: seed)])
                programme.go(to: Programme.Place(playlist: "a"))
                let played = names(&programme, count * 20)
                for round in 0..<20 {
                    #expect(Set(played[round * count..<(round + 1) * count]).count == count)
                }
                // Of two songs one has to follow itself over a seam now and then: nothing else is a shuffle.
                if count > 2 { #expect(zip(played, played.dropFirst()).allSatisfy { $0 != $1 }, "\(count) songs, seed \(seed)") }
            }
        }
    }

    @Test func theSameSeedGivesTheSameOrderAndAnotherAnother() {
        let a = list("a", 20, .shuffled, seed: 7), b = list("a", 20, .shuffled, seed: 8)
        #expect(a.round(5) == a.round(5) && a.round(5) != a.round(6) && a.round(5) != b.round(5))
        // Written down once, so that an installation plays on in its order after an update.
        #expect(list("a", 6, .shuffled, seed: 1).round(0) == [1, 5, 4, 3, 0, 2])
    }

    @Test func aWeightIsHowOftenASongComesInARound() {
        var a = list("a", 5, .shuffled, seed: 3)
        a.songs[2].weight = 4
        for number in 0..<50 {
            let round = a.round(number)
            #expect(round.count == 8 && round.count { $0 == 2 } == 4)
        }
        // Chance is fair: each of the others stands first about as often.
        var firsts = [Int](repeating: 0, count: 5)
        for number in 0..<4000 { firsts[a.round(number)[0]] += 1 }
        let others = [0, 1, 3, 4].map { firsts[$0] }, mean = others.reduce(0, +) / 4
        #expect(others.allSatisfy { abs($0 - mean) < mean / 7 }, "\(firsts)")
    }

    @Test func aWalkGoesOnFromWhereItWasWrittenDown() {
        var first = Programme([list("a", 9, .shuffled, seed: 4)])
        first.go(to: Programme.Place(playlist: "a"))
        for _ in 0..<100 {
            guard let choice = first.take() else { Issue.record("it ended"); return }
            var second = Programme([list("a", 9, .shuffled, seed: 4)])
            second.go(to: choice.place)
            #expect(second.take() == choice)
            var third = first
            #expect(second.take() == third.take())
        }
    }

    @Test func whatFollowsASongIsWhatItSays() {
        var a = list("a", 3), b = list("b", 2)
        a.songs[1].then = .playlist("b")
        b.songs[1].then = .stop
        var programme = Programme([a, b])
        programme.go(to: Programme.Place(playlist: "a"))
        #expect(names(&programme, 9) == ["a/0.mid", "a/1.mid", "b/0.mid", "b/1.mid"])
        a.songs[0].then = .again
        programme = Programme([a])
        programme.go(to: Programme.Place(playlist: "a"))
        #expect(names(&programme, 4) == ["a/0.mid", "a/0.mid", "a/0.mid", "a/0.mid"])
    }

    @Test func aListOfNamesIsReadAsPlayersReadIt() {
        let text =
            "\u{FEFF}#EXTM3U\r\n#EXTINF:12,Gavotte\r\ngavotte.mid\r\n\r\n  deep/er.mid \n/abs.mid\nfile:///a%20b.mid\n"
            + "http://x/y.mid\nfile://other/z.mid\nfile:///%zz.mid\nC:odd.mid"
        let list = SongListFile(text: text, path: "/lists/day.m3u")
        #expect(list.paths == ["/lists/gavotte.mid", "/lists/deep/er.mid", "/abs.mid", "/a b.mid", "/lists/C:odd.mid"])
        #expect(list.remarks.count == 3 && list.remarks[0].hasPrefix("/lists/day.m3u:8: http://x/y.mid: is not a file"))
        #expect(SongListFile(text: "x.mid", path: "day.m3u").paths == ["x.mid"])
    }
}
