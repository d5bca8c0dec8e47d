import Carillon
import Foundation
import Testing

@testable import Installations

/// The songs that people ask a house for, as they wait and are taken out again.
@Suite struct InstallationQueueTests {
    private func house(_ text: String, songs: [Int], state: Bool = false, _ body: (InstallationInTime) throws -> Void) throws {
        let folder = try InstallationInTime.folder(songs)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(text, in: folder, at: try WallZoneTests.time(2026, 6, 1, 9), state: state)
        house.pass(1)
        try body(house)
    }

    private static let two = "playlists: {a: [0.mid, 1.mid], b: [2.mid]}\n"

    private func shown(_ house: InstallationInTime) throws -> InstallationStatus {
        try #require(house.runner.snapshot.installation)
    }

    @Test func songsThatWereAskedForAreTakenOutAgain() throws {
        try house(Self.two, songs: [600, 600, 600]) { house in
            for name in ["1", "2", "0.mid"] { try house.runner.perform(.queueSong(name)) }
            #expect(try shown(house).requests == ["1.mid", "2.mid", "0.mid"])
            house.pass(0.5)
            #expect(try shown(house).queue.prefix(3) == ["1.mid", "2.mid", "0.mid"])
            try house.runner.perform(.unqueueSong("2"))
            #expect(try shown(house).requests == ["1.mid", "0.mid"])
            // The file that is called so comes before the number.
            try house.runner.perform(.queueFirst("0"))
            #expect(try shown(house).requests == ["0.mid", "1.mid"])
            try house.runner.perform(.unqueueSong("2"))
            #expect(try shown(house).requests == ["0.mid"])
            #expect(throws: Fault.self) { try house.runner.perform(.unqueueSong("2")) }
            house.pass(0.5)
            #expect(try shown(house).queue.prefix(2) == ["0.mid", "1.mid"])
            try house.runner.perform(.clearQueue)
            house.pass(0.5)
            // The playlist goes on as it would have.
            #expect(try shown(house).requests == [] && shown(house).queue == ["1.mid", "0.mid"])
            try house.runner.perform(.next)
            house.pass(0.5)
            #expect(house.song == "1.mid")
        }
    }

    @Test func theQueueSurvivesAPowerCutAndAnotherDevice() throws {
        try house(Self.two, songs: [600, 600, 600], state: true) { house in
            for name in ["2", "1"] { try house.runner.perform(.queueSong(name)) }
            house.pass(6)
            let again = try InstallationInTime(
                Self.two, in: house.folder, at: try WallZoneTests.time(2026, 6, 1, 9, 1), state: true)
            again.pass(2)
            #expect(again.song == "0.mid")
            #expect(try shown(again).requests == ["2.mid", "1.mid"])
            let other = try Installation(
                text: "version: 1\npatch: patch.yaml\nperiod: 960\n" + Self.two, path: house.folder + "/house.yaml")
            _ = try again.runner.reload(other)
            again.pass(6)
            #expect(again.clock.ports == 2 && again.song == "0.mid")
            #expect(try shown(again).requests == ["2.mid", "1.mid"])
            try again.runner.perform(.next)
            again.pass(1)
            #expect(again.song == "2.mid")
        }
    }

    @Test func theCalendarAndAsPlannedEndTheQueue() throws {
        let text = Self.two + "calendar: {day: {from: \"08:00\", to: \"18:00\", playlist: a}}\n"
        try house(text, songs: [600, 600, 600]) { house in
            try house.runner.perform(.queueSong("2"))
            try house.runner.perform(.asPlanned)
            #expect(try shown(house).requests == [])
            try house.runner.perform(.queueSong("2"))
            try house.runner.perform(.playList("b"))
            house.pass(20)
            #expect(house.song == "2.mid")
            #expect(try shown(house).requests == [])
        }
    }

    @Test func aCueLeavesTheQueueAsItIs() throws {
        let text = Self.two + "fade: 0.5\ncues: {bell: {song: 3.mid, at: \"23:59\"}}\n"
        try house(text, songs: [600, 600, 600, 20]) { house in
            for name in ["2", "1"] { try house.runner.perform(.queueSong(name)) }
            house.pass(1)
            try house.runner.perform(.cue("bell"))
            house.pass(2)
            #expect(house.song == "3.mid")
            #expect(try shown(house).queue == ["2.mid", "1.mid"])
            try house.runner.perform(.unqueueSong("1"))
            house.pass(6)
            #expect(house.song == "0.mid")
            #expect(try shown(house).requests == ["2.mid"])
            try house.runner.perform(.next)
            house.pass(1)
            #expect(house.song == "2.mid")
            // One that was asked for itself comes back too, and the playlist loses nothing by it.
            try house.runner.perform(.cue("bell"))
            house.pass(8)
            #expect(house.song == "2.mid")
            try house.runner.perform(.next)
            house.pass(1)
            #expect(house.song == "1.mid")
        }
    }

    @Test func theQueueHasItsBound() throws {
        try house(Self.two, songs: [600, 600, 600]) { house in
            for _ in 0..<InstallationTimes.mostRequests { try house.runner.perform(.queueSong("2")) }
            #expect(throws: Fault.self) { try house.runner.perform(.queueSong("1")) }
            #expect(try shown(house).requests.count == InstallationTimes.mostRequests)
        }
    }

    @Test func whoWishesIsNamedAndWrittenDown() throws {
        try house(Self.two, songs: [600, 600, 600], state: true) { house in
            house.runner.inbox.post(
                .quieter(6), by: Asker(surface: "http", address: "192.168.1.7", role: "full"), answer: { _ in })
            house.runner.inbox.post(.playList("b"), by: Asker(surface: "page"), answer: { _ in })
            house.pass(6)
            let names = try shown(house).wishes.map(\.by)
            #expect(names == ["page", "http 192.168.1.7 (full)"])
            let again = try InstallationInTime(
                Self.two, in: house.folder, at: try WallZoneTests.time(2026, 6, 1, 9, 1), state: true)
            again.pass(1)
            #expect(try shown(again).wishes.map(\.by) == names && shown(again).playlist == "b")
        }
    }

    @Test func theSongsAreToldOpenOrClosed() throws {
        let text = """
            playlists: {a: [0.mid, 1.mid, 9.mid], b: [1.mid, more/0.mid]}
            calendar: {day: {from: "08:00", to: "18:00", playlist: a}}

            """
        try house(text, songs: [600, 600]) { house in
            let songs = try shown(house).songs
            #expect(songs.map(\.number) == [1, 2, 3, 4])
            #expect(songs.map(\.title) == ["0", "1", "9", "0"] && songs[1].playlists == ["a", "b"])
            // Two files of one name are told by their paths.
            #expect(songs[0].name == house.folder + "/0.mid" && songs[1].name == "1.mid")
            #expect(songs[0].fault == nil && songs[2].fault != nil && songs[0].length == 60 && songs[1].length == nil)
            #expect(try shown(house).playableSongs == 2)
            try house.runner.perform(.playSong("2"))
            house.pass(1)
            #expect(house.song == "1.mid")
            guard case .told(.object(let answer)) = try house.runner.perform(.init(.songList, [.text("b 1")])) else {
                Issue.record("nothing is told")
                return
            }
            #expect(answer.first?.value == .whole(1))
            try house.runner.perform(.closeInstallation())
            house.pass(6)
            #expect(try house.runner.session == nil && shown(house).songs.count == 4)
        }
    }

    @Test func filesOfManySongsAreLookedAtAFewAtATime() {
        let songs = (0..<120).map { InstallationSong(path: "/none/\($0).mid") }
        var house = InstallationSongs([InstallationPlaylist(name: "a", songs: songs)]), playable: [Int] = []
        for second in [0, 1, 2, 3, 60] {
            _ = house.look(at: Double(second))
            playable.append(house.playable)
        }
        #expect(playable == [70, 20, 0, 0, 0])
    }
}
