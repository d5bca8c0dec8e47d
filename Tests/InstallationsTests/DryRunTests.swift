import Carillon
import Foundation
import Testing

@testable import Installations

/// What an installation would play, walked through without a sound.
@Suite struct DryRunTests {
    /// A folder with songs of so many seconds each, called `N.mid`.
    private func folder(_ lengths: [Int]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-dry-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (place, seconds) in lengths.enumerated() {
            var track = Track(name: "song")
            track.events = [SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 90)))]
            track.endTick = Int64(seconds) * 960
            try SongWriter.write(Song(tracks: [track]), path: "\(folder)/\(place).mid")
        }
        return folder
    }

    private func run(
        _ text: String, in folder: String, from: (Int, Int, Int, Int), hours: Int64, zone: WallZone = WallZoneTests.berlin
    ) throws -> (lines: [String], summary: DryRun.Summary) {
        let installation = try Installation(text: text, path: folder + "/house.yaml")
        var dry = DryRun(installation, playlists: installation.playlists().lists, zone: zone), lines: [String] = []
        let start = zone.moment(of: try WallZoneTests.time(from.0, from.1, from.2, from.3))
        let summary = dry.run(from: start, to: start + hours * 3600) { entry in
            lines.append("\(entry.local.civil.description.dropFirst(5)) \(entry.event.sentence)")
        }
        return (lines, summary)
    }

    @Test func songsFollowEachOtherWithTheirLoopsTempiAndSilences() throws {
        let folder = try folder([60, 100])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (lines, summary) = try run(
            """
            version: 1
            playlists:
              a:
                pause: 10 s
                songs: [{song: 0.mid, loops: 2, fade: 5 s}, {song: 1.mid, tempo: 2}, none.mid]
            calendar: {all: {from: 9:00, to: 9:07, playlist: a}}
            """, in: folder, from: (2026, 6, 1, 8), hours: 3)
        let wanted = [
            "06-01 09:00:00 opens: a", "06-01 09:00:00   0.mid (2:05)",
            "06-01 09:02:15   1.mid (0:50)", "06-01 09:03:15   0.mid (2:05)", "06-01 09:05:30   1.mid (0:50)",
            "06-01 09:06:30   0.mid (2:05)", "06-01 09:07:00 closes",
        ]
        #expect(lines == wanted)
        #expect(summary.openSeconds == 420 && summary.songs == 5 && summary.differentSongs == 2 && summary.leftOut == 2)
    }

    @Test func aPauseStopsTheMusicAndAnotherPlaylistBeginsBehindItsFade() throws {
        let folder = try folder([600, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (lines, _) = try run(
            """
            version: 1
            fade: 2 s
            playlists: {long: [0.mid], short: [1.mid]}
            calendar:
              all: {playlist: long}
              tour: {from: 9:02, to: 9:12, paused: yes}
              late: {from: 9:25, to: 9:26, playlist: short, level: -6 dB}
            """, in: folder, from: (2026, 6, 1, 9), hours: 1)
        let wanted = [
            "06-01 09:00:00 opens: long", "06-01 09:00:00   0.mid (10:00)", "06-01 09:02:00 stands still",
            "06-01 09:12:00 goes on", "06-01 09:20:00   0.mid (10:00)", "06-01 09:25:00 level -6 dB",
            "06-01 09:25:00 changes to short", "06-01 09:25:05   1.mid (0:30)", "06-01 09:25:35   1.mid (0:30)",
            "06-01 09:26:00 changes to long", "06-01 09:26:05   0.mid (10:00)", "06-01 09:36:05   0.mid (10:00)",
            "06-01 09:46:05   0.mid (10:00)", "06-01 09:56:05   0.mid (10:00)",
        ]
        #expect(lines.filter { !$0.contains("level 0 dB") } == wanted)
    }

    /// A year, with both days on which clocks are changed: as many hours open as the clocks on the wall say.
    @Test func aYearHasTheHoursThatItsCalendarSays() throws {
        let folder = try folder([3600])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = """
            version: 1
            playlists: {a: [0.mid]}
            calendar:
              days: {from: 9:00, to: 18:00, playlist: a}
              night: {from: 23:00, to: 5:00, playlist: a}
              leap: {dates: 02-29, closed: yes}
            """
        let (_, summary) = try run(text, in: folder, from: (2026, 1, 1, 0), hours: 365 * 24)
        // The night of the first of January lasts until five, of the last until midnight; one night lacks an hour, one has
        // one more.
        let hours: Int64 = 365 * 9 + 364 * 6 + 5 + 1
        #expect(summary.openSeconds == hours * 3600)
    }

    @Test func aListWithoutASongThatPlaysDoesNotRunWild() throws {
        let folder = try folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (lines, summary) = try run(
            "{version: 1, playlists: {a: [x.mid, y.mid]}}", in: folder, from: (2026, 6, 1, 9), hours: 1)
        #expect(lines.count == 1 && summary.songs == 0 && summary.leftOut == 720)
    }

    @Test func theExampleIsAnInstallation() throws {
        let installation = try Installation(text: InstallationExample.text, path: "museum.yaml")
        #expect(installation.lists.map(\.playlist.name) == ["day", "evening"] && installation.calendar.count == 6)
        #expect(installation.fade == 4 && installation.name == "museum")
        #expect(installation.lists[1].sources.map(\.manner.loops) == [2, 1])
        #expect(installation.lists[1].sources[1].then == .playlist("day"))
        #expect(installation.lists[0].sources.map(\.weight) == [1, 2])
    }

    @Test(arguments: [
        ("", "1:1: the file is empty; begin it with version: 1"),
        ("version: 1", "1:1: playlists: is missing; add it"),
        ("version: 2\nplaylists: {}", "1:10: version: version 2 is not known"),
        ("version: 1\nplaylists: {}", "2:12: playlists: a mapping of playlists by name is wanted"),
        ("version: 1\nplaylist: {}", "2:1: there is no \"playlist\" here; did you mean playlists?"),
        ("version: 1\nplaylists: {a: []}", "playlists.a: a list of songs, folders and .m3u files is wanted"),
        (
            "version: 1\nplaylists: {a: {order: shufle, songs: [x]}}",
            "playlists.a.order: there is no \"shufle\" here; did you mean shuffle?"
        ),
        ("version: 1\nplaylists: {a: [{song: x, weight: 2}]}", "2:27: playlists.a.weight: no weight"),
        ("version: 1\nplaylists: {a: [{song: x, loops: 1.5}]}", "playlists.a.loops: "),
        ("version: 1\nplaylists: {a: [{song: x, level: 100 dB}]}", "playlists.a.level: "),
        ("version: 1\nplaylists: {a: [{song: x, then: b}]}", "playlists.a.then: there is no \"b\" here"),
        ("version: 1\nplaylists: {a: [x]}\ncalendar: {o: {from: 25:00, playlist: a}}", "3:22: calendar.o.from: a time of day"),
        (
            "version: 1\nplaylists: {a: [x]}\ncalendar: {o: {days: monday to friday, playlist: a}}",
            "calendar.o.days: days like mon-fri"
        ),
        ("version: 1\nplaylists: {a: [x]}\ncalendar: {o: {playlist: b}}", "calendar.o.playlist: there is no \"b\" here; "),
        ("version: 1\nplaylists: {a: [x]}\ncalendar: {o: {playlist: a, closed: yes}}", "one of playlist and closed, not both,"),
        (
            "version: 1\nplaylists: {a: [x]}\ncalendar: {o: {from: 17:00, to: 17:00, playlist: a}}",
            "calendar.o: another time in to"
        ),
        (
            "version: 1\nplaylists: {a: [x]}\ncalendar: {o: {from: 9:00}}",
            "calendar.o: a playlist, a level, closed: yes or paused"
        ),
        ("version: 1\nplaylists: {a: [x]}\ncalendar: {o: {dates: 02-30, closed: yes}}", "calendar.o.dates: a date like"),
        ("version: 1\nplaylists: {a: [x]}\ntime-zone: ../passwd", "3:12: time-zone: a time zone of this machine"),
        ("version: 1\nplaylists: {a: [x]}\npatch: p.yaml\nsoundfonts: [x.sf2]", "4:13: soundfonts: no SoundFont beside a patch"),
        ("version: 1\nplaylists: {a: [x]}\nperiod: 7.5", "period: "),
    ]) func whatIsWrongHasItsPlaceAndARemedy(_ text: String, _ part: String) {
        #expect {
            _ = try Installation(text: text, path: "house.yaml")
        } throws: { error in
            let said = "\(error)"
            if !said.contains(part) { print("SAID: \(said)") }
            return said.hasPrefix("house.yaml:") && said.contains(part)
        }
    }
}
