import Carillon
import Foundation
import Testing

@testable import Installations

/// What people wish of a house for a while, against its calendar.
@Suite struct InstallationWishTests {
    private func time(_ hour: Int, _ minute: Int = 0) throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, hour, minute) }

    private static let text = """
        playlists: {a: [0.mid], b: [1.mid]}
        fade: 0.5
        calendar: {day: {from: "09:00", to: "18:00", playlist: a}, noon: {from: "12:00", to: "13:00", level: -6 dB}}

        """

    private func house(
        at moment: CivilTime, state: Bool = false, _ body: (InstallationInTime) throws -> Void
    ) throws {
        let folder = try InstallationInTime.folder([6_000, 6_000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(try InstallationInTime(Self.text, in: folder, at: moment, state: state))
    }

    private func ask(_ house: InstallationInTime, _ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let verb = try #require(SessionVocabulary.installation.verbs.first { $0.words == [words[0]] })
        let values: [VerbValue] = verb.arguments.enumerated().map { place, argument in
            guard place + 1 < words.count else { return .none }
            if case .number = argument.kind { return .number(Double(words[place + 1]) ?? 0) }
            return .text(words[place + 1])
        }
        try house.runner.perform(ControlCommand(verb, values))
        house.pass(0.5)
    }

    private func passes(_ house: InstallationInTime, to hour: Int, _ minute: Int, second: Int = 2) throws {
        let wanted = WallZoneTests.berlin.moment(of: try time(hour, minute)) + Int64(second)
        // Hours pass in a moment: only the calendar looks.
        house.clock.wall = wanted
        house.pass(1)
    }

    @Test func aHouseIsOpenAnHourLonger() throws {
        try house(at: try time(17, 59)) { house in
            house.pass(2)
            try ask(house, "open 19:00")
            #expect(house.runner.snapshot.installation?.wishes.first?.until == "2026-06-01 19:00:00 +02:00")
            try passes(house, to: 18, 1)
            #expect(house.runner.isOpen && house.runner.situation.playlist == "a")
            #expect(house.runner.nextChange == WallZoneTests.berlin.moment(of: try time(19)))
            try passes(house, to: 19, 0)
            #expect(!house.runner.isOpen && house.runner.snapshot.installation?.wishes == [])
        }
    }

    @Test func aHouseIsClosedForTheRestOfTheDayAndOpensTheNext() throws {
        try house(at: try time(8)) { house in
            house.pass(1)
            try ask(house, "close")
            try passes(house, to: 10, 0)
            #expect(!house.runner.isOpen && house.runner.session == nil)
            #expect(
                house.runner.nextChange
                    == WallZoneTests.berlin.moment(of: try WallZoneTests.time(2026, 6, 2, 9)))
        }
    }

    @Test func aClosedHouseIsOpenedWithItsUsualPlaylist() throws {
        try house(at: try time(20)) { house in
            house.pass(1)
            #expect(house.runner.session == nil)
            try ask(house, "open +0:30")
            house.pass(2)
            #expect(house.song == "0.mid" && house.peak > 0.01)
            try passes(house, to: 20, 31)
            #expect(!house.runner.isOpen)
        }
    }

    @Test func anotherPlaylistPlaysUntilTheCalendarChangesSomething() throws {
        try house(at: try time(11)) { house in
            house.pass(2)
            try ask(house, "play-list b")
            house.pass(6)
            #expect(house.song == "1.mid" && house.runner.situation.playlist == "b")
            // At noon the calendar has another level.
            try passes(house, to: 12, 0)
            #expect(house.runner.situation.playlist == "a" && house.runner.situation.level == -6)
        }
    }

    @Test func everythingIsSofterUntilSomebodyWantsItAsPlanned() throws {
        try house(at: try time(11)) { house in
            house.pass(2)
            let before = house.peak
            try ask(house, "quieter 12 14:00")
            house.pass(2)
            #expect(house.peak < before / 3)
            try passes(house, to: 12, 1)
            #expect(house.runner.situation.level == -18)
            try ask(house, "as-planned")
            #expect(house.runner.situation.level == -6)
        }
    }

    @Test func wishesSurviveAPowerCut() throws {
        try house(at: try time(8), state: true) { house in
            house.pass(1)
            try ask(house, "close 10:00")
            let again = try InstallationInTime(Self.text, in: house.folder, at: try time(9, 30), state: true)
            again.pass(1)
            #expect(!again.runner.isOpen)
            try passes(again, to: 10, 0)
            #expect(again.runner.isOpen)
            try ask(again, "quieter 6")
            again.pass(6)
            let third = try InstallationInTime(Self.text, in: house.folder, at: try time(10, 1), state: true)
            third.pass(1)
            #expect(third.runner.situation.level == -6 && third.lines.contains { $0.contains("resumes 0.mid") })
        }
    }

    @Test func aSongIsPlayedNowAndThePlaylistGoesOnBehindIt() throws {
        let folder = try InstallationInTime.folder([30, 30, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("playlists: {a: [0.mid, 1.mid], b: [2.mid]}\n", in: folder, at: try time(9))
        house.pass(1)
        try ask(house, "queue-song 1")
        #expect(house.runner.snapshot.installation?.queue.first == "1.mid")
        try ask(house, "play-song 2")
        house.pass(1)
        #expect(house.song == "2.mid" && house.runner.snapshot.installation?.queue.prefix(2) == ["1.mid", "1.mid"])
        house.pass(10)
        let songs = house.lines.filter { $0.contains(".mid (") }.map { $0.split(separator: " ")[1] }
        #expect(songs.prefix(5) == ["0.mid", "2.mid", "1.mid", "1.mid", "0.mid"], "\(house.lines)")
    }

    @Test func aWeekIsToldWithItsWishes() throws {
        try house(at: try time(8)) { house in
            house.pass(1)
            var week = try #require(house.runner.snapshot.installation).week
            // Seven days of an opening, a noon that begins and ends, and a close.
            #expect(week.count == 28 && week[0].at == "2026-06-01 09:00:00 +02:00" && week[3].what == "closed")
            try ask(house, "close")
            week = try #require(house.runner.snapshot.installation).week
            #expect(week.count == 24 && week[0].at == "2026-06-02 09:00:00 +02:00")
        }
    }

    @Test func whatTheHouseDoesNotHaveIsRefused() throws {
        try house(at: try time(20)) { house in
            house.pass(1)
            #expect(throws: Fault.self) { try ask(house, "play-list c") }
            #expect(throws: Fault.self) { try ask(house, "open 25:00") }
            #expect(throws: Fault.self) { try ask(house, "open +0:00") }
            // Nothing plays yet.
            #expect(throws: Fault.self) { try ask(house, "play-song 0") }
            #expect(!house.runner.isOpen)
        }
    }

    @Test func wishesAreReadAsTheyAreWritten() {
        var wishes = InstallationWishes()
        wishes.opening = .init(value: .open(playlist: "a % b\nc"), until: WallTime(seconds: 1_780_000_000))
        wishes.reduction = .init(value: 4.5, until: WallTime(seconds: 1_780_000_100))
        #expect(InstallationWishes(text: "song x\n" + wishes.text) == wishes)
        wishes.opening = .init(value: .closed, until: WallTime(seconds: 1_780_000_000))
        #expect(InstallationWishes(text: wishes.text) == wishes)
        #expect(InstallationWishes(text: "wish-closed soon\nwish-quieter 5 -4\nwish-open\n").isEmpty)
    }
}
