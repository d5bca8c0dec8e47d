import Carillon
import Foundation
import Testing

@testable import Installations

/// The one state of a house, and whether all is well with it.
@Suite struct InstallationActivityTests {
    private func time(_ hour: Int, _ minute: Int = 0) throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, hour, minute) }

    private func house(_ text: String, _ beats: [Int], at moment: CivilTime, _ body: (InstallationInTime) throws -> Void) throws {
        let folder = try InstallationInTime.folder(beats)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(try InstallationInTime(text, in: folder, at: moment))
    }

    private func activity(_ house: InstallationInTime) throws -> InstallationStatus.Activity {
        try #require(house.runner.snapshot.installation).activity
    }

    /// Lets so many seconds pass, looked at every second.
    private func pass(_ house: InstallationInTime, _ seconds: Int) {
        for _ in 0..<seconds {
            house.pass(1)
            _ = house.runner.snapshot
        }
    }

    @Test func aHouseIsClosedPlaysAndWaitsBetweenSongs() throws {
        let text = """
            playlists: {a: {songs: [0.mid, 1.mid], pause: 5 s}}
            calendar: {day: {from: "09:01", to: "09:30", playlist: a}}

            """
        try house(text, [50, 50], at: try time(9)) { house in
            house.pass(1)
            #expect(try activity(house).state == .closed)
            pass(house, 62)
            #expect(try activity(house).state == .playing && activity(house).since.hasPrefix("2026-06-01T09:01:0"))
            var states: Set<InstallationStatus.Activity.State> = []
            for _ in 0..<600 {
                house.pass(0.1)
                let now = try activity(house)
                states.insert(now.state)
                if now.state == .between { #expect(now.nextIn.map { $0 <= 5 } == true) }
                #expect(house.runner.snapshot.installation?.trouble == nil)
            }
            #expect(states == [.playing, .between])
        }
    }

    @Test func whoeverStopsTheMusicIsNamedAndMissedAfterHalfAMinute() throws {
        try house("playlists: {a: [0.mid]}\n", [3000], at: try time(12)) { house in
            pass(house, 5)
            house.runner.inbox.post(.pause, by: Asker(surface: "http", address: "192.168.1.7", role: "full"))
            pass(house, 20)
            var now = try #require(house.runner.snapshot.installation)
            #expect(now.activity.state == .paused && now.activity.by == "http 192.168.1.7 (full)" && now.isStopped)
            #expect(now.trouble == nil)
            pass(house, 15)
            now = try #require(house.runner.snapshot.installation)
            #expect(now.trouble?.since.hasPrefix("2026-06-01T12:00:0") == true)
            #expect((now.secondsSinceSound ?? 0) > 25)
            house.runner.inbox.post(.play)
            pass(house, 3)
            now = try #require(house.runner.snapshot.installation)
            #expect(now.activity.state == .playing && now.trouble == nil && now.secondsSinceSound == 0)
            let events = house.runner.takeEvents() + []
            #expect(events.isEmpty && house.lines.contains { $0.hasSuffix("http 192.168.1.7 (full) asked for: pause") })
        }
    }

    @Test func whoeverTurnsTheVolumeDownToSilenceIsMissedInTheRestsToo() throws {
        // Notes of half a second with as long a rest.
        let folder = try InstallationInTime.folder([300], beat: 1)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("playlists: {a: [0.mid]}\n", in: folder, at: try time(12))
        pass(house, 5)
        house.runner.inbox.post(.volume(-100))
        pass(house, 50)
        let now = try #require(house.runner.snapshot.installation)
        #expect(now.trouble?.since.hasPrefix("2026-06-01T12:00:") == true && now.activity.state == .playing)
        #expect(house.lines.contains { $0.contains("something is wrong since") })
        house.runner.inbox.post(.volume(0))
        pass(house, 3)
        #expect(house.runner.snapshot.installation?.trouble == nil && house.lines.last?.contains("all is well again") == true)
    }

    @Test func aCueLeavesTheMusicPausedAndOneWithoutItsSongLeavesItPlaying() throws {
        let text = "playlists: {a: [0.mid]}\ncues: {hymn: {song: 1.mid}}\n"
        try house(text, [3000, 30], at: try time(12)) { house in
            pass(house, 5)
            house.runner.inbox.post(.pause, by: Asker(surface: "page", address: "192.168.1.7", role: "full"))
            pass(house, 3)
            let place = try #require(house.runner.state)
            try house.runner.perform(.cue("hymn"))
            pass(house, 2)
            #expect(house.song == "1.mid" && house.peak > 0.01)
            #expect(throws: Fault.self) { try house.runner.perform(.playSong("0.mid")) }
            pass(house, 12)
            #expect(try activity(house).state == .paused && house.song == "0.mid" && house.peak < 0.001)
            #expect(house.runner.state?.bar == place.bar)
            house.runner.inbox.post(.play)
            pass(house, 3)
            #expect(house.peak > 0.01)
            try FileManager.default.removeItem(atPath: house.folder + "/1.mid")
            #expect(throws: Fault.self) { try house.runner.perform(.cue("hymn")) }
            pass(house, 3)
            #expect(house.song == "0.mid" && house.peak > 0.01, "\(house.lines)")
            #expect(throws: Fault.self) { try house.runner.perform(.playSong("0.away")) }
            try FileManager.default.removeItem(atPath: house.folder + "/0.mid")
            #expect(throws: Fault.self) { try house.runner.perform(.queueSong("0.mid")) }
        }
    }

    @Test func aPauseByTheCalendarIsNoTroubleAndGivesWayToWhoeverWantsMusic() throws {
        let text = """
            playlists: {a: [0.mid]}
            fade: 1
            calendar: {day: {playlist: a}, rest: {from: "12:01", to: "12:05", paused: yes}}

            """
        try house(text, [6000], at: try time(12)) { house in
            pass(house, 120)
            let now = try #require(house.runner.snapshot.installation)
            #expect(
                now.activity.state == .paused && now.activity.by == "the calendar" && now.trouble == nil && !now.isStopped
                    && now.isPaused)
            house.runner.inbox.post(.play)
            pass(house, 5)
            #expect(try activity(house).state == .playing && house.peak > 0.01)
            #expect(house.runner.snapshot.installation?.isPaused == false)
        }
    }

    @Test func aHouseInWhichNothingCanBePlayedSaysSo() throws {
        try house("playlists: {a: [0.mid]}\n", [20], at: try time(12)) { house in
            try FileManager.default.removeItem(atPath: house.folder + "/0.mid")
            pass(house, 45)
            let now = try #require(house.runner.snapshot.installation)
            #expect(now.activity.state == .silent && now.activity.reason?.contains("0.mid") == true && now.isOpen)
            #expect(now.trouble?.reason.contains("0.mid") == true)
        }
    }

    @Test func aCalendarThatFadesEverythingAwayIsObeyed() throws {
        let text = """
            playlists: {a: [0.mid]}
            fade: 1
            calendar: {day: {playlist: a}, quiet: {from: "12:01", to: "12:05", level: -60 dB}}

            """
        try house(text, [6000], at: try time(12)) { house in
            pass(house, 150)
            let now = try #require(house.runner.snapshot.installation)
            #expect(now.activity.state == .silent && now.trouble == nil)
        }
    }

    @Test func aClosedHouseThatSoundsIsInTrouble() {
        var ledger = InstallationLedger()
        let time = WallZoneTests.berlin.local(at: WallTime(seconds: 1_780_000_000))
        for second in 0..<31 {
            ledger.look(.init(.closed), .init(level: -20), isHushed: false, at: Double(second), time)
            #expect((ledger.trouble != nil) == (second >= 30))
        }
        ledger.look(.init(.closed), .init(), isHushed: false, at: 31, time)
        #expect(ledger.trouble == nil && ledger.secondsSinceSound == 1)
    }

    @Test func theHourThatComesTwiceIsToldApart() {
        let zone = WallZoneTests.berlin, change = WallTime(seconds: 1_792_890_000)
        #expect(zone.local(at: change + -1800).description == "2026-10-25 02:30:00 +02:00")
        #expect(zone.local(at: change + 1800).stamp == "2026-10-25T02:30:00+01:00")
    }
}
