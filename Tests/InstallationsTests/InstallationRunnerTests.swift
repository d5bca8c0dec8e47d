import Carillon
import Foundation
import Testing

@testable import Installations

/// An installation that runs, in simulated time: hours, playlists, faults, and what it comes back to.
@Suite struct InstallationRunnerTests {
    private func time(_ hour: Int, _ minute: Int = 0) throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, hour, minute) }

    /// Lines without those that the seconds of a start change.
    private func events(_ house: InstallationInTime) -> [String] { house.lines.map { String($0.dropFirst(9)) } }

    @Test func theHouseOpensPlaysAndClosesAndTheCardIsFree() throws {
        let folder = try InstallationInTime.folder([100, 200])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 2 s
            playlists: {a: [0.mid, 1.mid]}
            calendar: {open: {from: 9:01, to: 9:03, playlist: a}}
            """, in: folder, at: try time(9))
        house.pass(59)
        #expect(house.runner.session == nil && house.clock.ports == 0)
        #expect(house.runner.nextChange == WallZoneTests.berlin.moment(of: try time(9, 1)))
        house.pass(20)
        #expect(house.song == "1.mid" && house.peak > 0.01)
        house.pass(103)
        #expect(house.runner.session != nil && house.peak < 0.05)
        house.pass(3)
        #expect(house.runner.session == nil)
        // The dry run says the same.
        let wanted = [
            "09:00:00 closes until 2026-06-01 09:01:00 +02:00", "09:01:00 opens: a", "09:01:00   0.mid (0:10)",
            "09:01:10   1.mid (0:20)", "09:01:30   0.mid (0:10)",
            "09:01:40   1.mid (0:20)", "09:02:00   0.mid (0:10)", "09:02:10   1.mid (0:20)", "09:02:30   0.mid (0:10)",
            "09:02:40   1.mid (0:20)", "09:03:00 closes until 2026-06-02 09:01:00 +02:00",
        ]
        #expect(house.lines.filter { !$0.hasSuffix("  0.mid (0:10)") || !$0.hasPrefix("09:03:0") } == wanted)
    }

    @Test func itBecomesSofterStandsStillAndGoesOnAsTheCalendarSays() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 1 s
            playlists: {a: [0.mid]}
            calendar:
              open: {playlist: a}
              noon: {from: 9:01, to: 9:02, level: -20 dB}
              tour: {from: 9:03, to: 9:04, paused: yes}
            """, in: folder, at: try time(9))
        house.pass(30)
        let loud = house.peak
        house.pass(50)
        #expect(abs(house.peak / loud - 0.1) < 0.02, "\(house.peak) of \(loud)")
        house.pass(50)
        #expect(abs(house.peak / loud - 1) < 0.1)
        house.pass(60)
        #expect(house.peak == 0)
        let before = house.runner.session?.snapshot.transport?.seconds ?? 0
        house.pass(60)
        let after = house.runner.session?.snapshot.transport?.seconds ?? 0
        // It stood still for a minute, but for the fade.
        #expect(abs(after - before - 10) < 2.5 && abs(house.peak / loud - 1) < 0.1, "\(before) \(after)")
        house.runner.finish()
        #expect(house.runner.session == nil)
    }

    @Test func anotherPlaylistBeginsBehindAFadeAndARest() throws {
        let folder = try InstallationInTime.folder([900, 900])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 2 s
            playlists: {a: [0.mid], b: [1.mid]}
            calendar: {day: {playlist: a}, evening: {from: 9:01, to: 24:00, playlist: b, level: -6 dB}}
            """, in: folder, at: try time(9))
        house.pass(61)
        #expect(house.song == "0.mid")
        house.pass(3)
        #expect(house.song == "0.mid" && house.peak == 0)
        house.pass(4)
        #expect(house.song == "1.mid" && house.peak > 0.01)
        #expect(events(house) == ["opens: a", "  0.mid (1:30)", "level -6 dB", "changes to b", "  1.mid (1:30)"])
        #expect(house.clock.ports == 1, "the card was never let go")
        house.runner.finish()
    }

    @Test func aClockThatIsSetMovesHoursAndNeverTheMusic() throws {
        let folder = try InstallationInTime.folder([36_000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 1 s
            playlists: {a: [0.mid]}
            calendar: {open: {from: 9:00, to: 18:00, playlist: a}}
            """, in: folder, at: try time(12))
        house.pass(20)
        for step in [3600, -3600, 1, -1, 7200, -7200] as [Int64] {
            let before = house.runner.session?.snapshot.transport?.seconds ?? 0
            house.clock.wall = house.clock.wall + step
            house.pass(10)
            let after = house.runner.session?.snapshot.transport?.seconds ?? 0
            #expect(abs(after - before - 10) < 0.011, "\(step): \(after - before)")
        }
        #expect(events(house).count == 2 && house.clock.ports == 1)
        // One that is set beyond the hours closes the house; set back, it opens.
        house.clock.wall = house.clock.wall + 8 * 3600
        house.pass(5)
        #expect(house.runner.session == nil)
        house.clock.wall = house.clock.wall + -8 * 3600
        house.pass(5)
        #expect(house.song == "0.mid")
        house.runner.finish()
    }

    @Test func aBadSongIsLeftOutToldOnceAndPlayedWhenItsFileIsGood() throws {
        let folder = try InstallationInTime.folder([30, 30, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "no song".write(toFile: folder + "/1.mid", atomically: true, encoding: .utf8)
        let house = try InstallationInTime("playlists: {a: [0.mid, 1.mid, 2.mid]}", in: folder, at: try time(12))
        house.pass(40)
        #expect(events(house).count { $0.contains("1.mid is left out") } == 1, "\(house.lines)")
        #expect(Set(events(house).filter { $0.hasPrefix("  ") }) == ["  0.mid (0:03)", "  2.mid (0:03)"])
        #expect(events(house).count { $0.hasPrefix("  ") } >= 12)
        try InstallationInTime.song(30, key: 61).write(to: folder + "/1.mid")
        house.pass(15)
        #expect(events(house).contains("  1.mid (0:03)"))
        house.runner.finish()
    }

    @Test func whatASongIsNotFollowedInIsToldOnceInTheLifeOfTheHouse() throws {
        let folder = try InstallationInTime.folder([30, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var song = InstallationInTime.song(30, key: 60).song
        song.tracks[0].events.insert(
            SongEvent(tick: 0, .systemExclusive([0xF0, 0x43, 0x10, 0x4C, 0x08, 0x00, 0x11, 20, 0xF7])), at: 0)
        try InstallationInTime.Beats(song: song).write(to: folder + "/0.mid")
        let house = try InstallationInTime(
            """
            fade: 0 s
            playlists: {a: [0.mid, 1.mid]}
            calendar: {morning: {from: 9:00, to: 9:01, playlist: a}, later: {from: 9:02, playlist: a}}
            """, in: folder, at: try time(9))
        house.pass(30)
        let told = house.runner.takeRemarks()
        #expect(told.map(\.sentence) == ["XG part dry level (08 0x 11) is not followed"] && told[0].subject.hasSuffix("/0.mid"))
        // Another session, and the song again.
        house.pass(120)
        #expect(house.runner.session != nil && house.runner.takeRemarks() == [] && house.runner.snapshot.remarks == 1)
        house.runner.finish()
    }

    @Test func aHouseWithoutASongThatCanBePlayedTriesAgain() throws {
        let folder = try InstallationInTime.folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("playlists: {a: [x.mid, y.mid]}", in: folder, at: try time(12))
        house.pass(100)
        #expect(house.runner.session == nil && events(house).count { $0.contains("it is tried again") } < 15)
        try InstallationInTime.song(30, key: 61).write(to: folder + "/y.mid")
        house.pass(20)
        #expect(house.song == "y.mid")
        // And when all of them vanish while it plays.
        try FileManager.default.removeItem(atPath: folder + "/y.mid")
        house.pass(100)
        #expect(house.peak == 0)
        try InstallationInTime.song(30, key: 61).write(to: folder + "/x.mid")
        house.pass(30)
        #expect(house.song == "x.mid" && house.peak > 0.01, "\(house.lines)")
        house.runner.finish()
    }

    @Test func afterAPowerCutItGoesOnAtTheSameBar() throws {
        let folder = try InstallationInTime.folder([100, 1000, 100])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "saving: 5 s\nplaylists: {a: {order: shuffle, seed: 3, songs: [0.mid, 1.mid, 2.mid]}}"
        let house = try InstallationInTime(text, in: folder, at: try time(12), state: true)
        while house.song != "1.mid" { house.pass(1) }
        house.pass(37)
        let place = try #require(house.runner.session?.snapshot.transport)
        let followed = house.lines
        // No more of it: the cut. Nobody has said goodbye.
        let again = try InstallationInTime(text, in: folder, at: try time(13), state: true)
        again.pass(1)
        let resumed = try #require(again.runner.session?.snapshot.transport)
        #expect(again.song == "1.mid" && again.lines.contains { $0.contains("resumes 1.mid at bar") }, "\(again.lines)")
        // Written down every five seconds, in bars of 0.4 s.
        #expect(
            resumed.seconds > place.seconds - 5.5 && resumed.seconds <= place.seconds + 1, "\(resumed.seconds) \(place.seconds)")
        #expect(again.peak > 0.01)
        // What follows is what would have followed.
        while house.song == "1.mid" { house.pass(1) }
        while again.song == "1.mid" { again.pass(1) }
        #expect(again.song == house.song, "\(followed)")
        // In another playlist's hours it begins anew.
        let other = try InstallationInTime(
            "playlists: {b: [0.mid], a: [1.mid]}", in: folder, at: try time(13), state: true)
        other.pass(2)
        #expect(other.song == "0.mid" && !other.lines.contains { $0.contains("resumes") })
        for house in [house, again, other] { house.runner.finish() }
    }

    @Test func aStateThatIsDamagedOrOfOtherSongsIsLeftOut() throws {
        let folder = try InstallationInTime.folder([100, 100])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "playlists: {a: [0.mid, 1.mid]}"
        let house = try InstallationInTime(text, in: folder, at: try time(12), state: true)
        house.pass(17)
        #expect(house.song == "1.mid")
        // The list has changed: what stands at that place is another song.
        let other = try InstallationInTime("playlists: {a: [1.mid, 0.mid]}", in: folder, at: try time(12), state: true)
        other.pass(1)
        #expect(other.song == "1.mid" && !other.lines.contains { $0.contains("resumes") })
        try "rubbish".write(toFile: folder + "/state/state", atomically: true, encoding: .utf8)
        let damaged = try InstallationInTime(text, in: folder, at: try time(12), state: true)
        damaged.pass(1)
        #expect(damaged.song == "0.mid" && damaged.lines.contains { $0.contains("state") })
        for house in [house, other, damaged] { house.runner.finish() }
    }

    @Test func aSongThatSaysStopIsTheLastUntilTheCalendarSpeaks() throws {
        let folder = try InstallationInTime.folder([30, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            playlists: {a: [{song: 0.mid, then: stop}, 1.mid], b: [1.mid]}
            calendar: {day: {playlist: a}, later: {from: 12:01, to: 13:00, playlist: b}}
            """, in: folder, at: try time(12))
        house.pass(30)
        #expect(house.peak == 0 && events(house) == ["opens: a", "  0.mid (0:03)", "a has ended"])
        house.pass(45)
        #expect(house.song == "1.mid" && house.peak > 0.01, "\(house.lines)")
        house.runner.finish()
    }

    // MARK: - Another file

    private func reread(_ house: InstallationInTime, _ text: String) throws -> Result<[String], Fault> {
        let installation = try Installation(
            text: "version: 1\npatch: patch.yaml\nperiod: 480\n" + text, path: house.folder + "/house.yaml")
        do throws(Fault) { return .success(try house.runner.reload(installation)) } catch { return .failure(error) }
    }

    @Test func anotherListGoesOnBehindTheSongThatPlays() throws {
        let folder = try InstallationInTime.folder([100, 100, 100])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("playlists: {a: [0.mid, 1.mid]}", in: folder, at: try time(12))
        house.pass(3)
        #expect(try reread(house, "playlists: {a: [2.mid, 0.mid, 2.mid]}").get() == ["the playlists have changed"])
        #expect(try reread(house, "playlists: {a: [2.mid, 0.mid, 2.mid]}").get() == [])
        house.pass(25)
        #expect(events(house).filter { $0.hasPrefix("  ") } == ["  0.mid (0:10)", "  2.mid (0:10)", "  2.mid (0:10)"])
        // The song that plays is in the list no more: what stands at its place there follows.
        #expect(try reread(house, "playlists: {a: [1.mid]}").get().count == 1)
        house.pass(10)
        #expect(house.song == "1.mid" && house.clock.ports == 1)
        house.runner.finish()
    }

    @Test func anotherPatchIsHeardAtOnceAndABadOneNever() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "playlists: {a: [0.mid]}\ncalendar: {all: {playlist: a}}"
        let house = try InstallationInTime(text, in: folder, at: try time(12))
        house.pass(5)
        let loud = house.peak
        let softer = InstallationInTime.patch.replacing("inputs: 1}", with: "inputs: 1, volume: -20 dB}")
        try softer.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        #expect(try reread(house, text).get() == ["the patch has changed"])
        house.pass(3)
        #expect(abs(house.peak / loud - 0.1) < 0.02, "\(house.peak) of \(loud)")
        try "version: 1\nunits: {a: {unit: nothing}}".write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        guard case .failure(let fault) = try reread(house, text + "\nfade: 9 s") else { Issue.record("taken over"); return }
        #expect("\(fault)".contains("patch.yaml:2:") && house.runner.installation.fade == 3)
        house.pass(3)
        #expect(abs(house.peak / loud - 0.1) < 0.02 && house.clock.ports == 1)
        house.runner.finish()
    }

    @Test func aHouseThatClosesIsNotOpenedByAnotherFile() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "fade: 3 s\nplaylists: {a: [0.mid]}\ncalendar: {all: {playlist: a, from: 9:00, to: 12:00}}"
        let house = try InstallationInTime(text, in: folder, at: try time(11, 59))
        house.pass(61)
        #expect(house.runner.session != nil && !house.runner.isOpen)
        #expect(try reread(house, text + "\nperiods: 4").get() == ["the device has changed"])
        house.pass(10)
        #expect(house.runner.session == nil && house.clock.ports == 1)
        house.runner.finish()
    }

    @Test func anotherDeviceComesBehindAFadeAtTheSameBar() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "fade: 1 s\nplaylists: {a: [0.mid]}"
        let house = try InstallationInTime(text, in: folder, at: try time(12))
        house.pass(30)
        let before = try #require(house.runner.session?.snapshot.transport).seconds
        #expect(try reread(house, text + "\nperiods: 4").get() == ["the device has changed"])
        house.pass(5)
        let after = try #require(house.runner.session?.snapshot.transport).seconds
        #expect(house.clock.ports == 2 && house.peak > 0.01 && house.lines.last?.contains("0.mid") == true)
        #expect(after > before + 2 && after < before + 6 && house.lines.contains { $0.contains("resumes 0.mid") })
        // The zone and the folder of the state are those of the process.
        for change in ["time-zone: UTC", "state: elsewhere"] {
            guard case .failure = try reread(house, "\(text)\n\(change)") else {
                Issue.record("\(change) was taken over"); return
            }
        }
        house.runner.finish()
    }

    @Test func aSoundRingsOnWhileThePatchBecomesAnother() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try AudioFileWriter(
            path: folder + "/hum.wav", format: AudioFileFormat(.wav), channels: 1, sampleRate: 48_000)
        let samples = (0..<48_000).map { Float(sin(Double($0) * 100 / 48_000 * 2 * .pi) / 2) }
        try samples.withUnsafeBufferPointer { try writer.write([try #require($0.baseAddress)], frames: 48_000) }
        try writer.finish()
        let text = "playlists: {a: [0.mid]}\ncues: {hum: {sound: hum.wav, mode: toggle, duck: -120 dB}}"
        let house = try InstallationInTime(text, in: folder, at: try time(12))
        house.pass(5)
        try house.runner.perform(.cue("hum"))
        house.pass(5)
        #expect(abs(house.peak - 0.5) < 0.02)
        let other = InstallationInTime.patch.replacing("role: instrument,", with: "role: instrument, attack: 30 ms,")
        try other.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        #expect(try reread(house, text).get() == ["the patch has changed"])
        house.pass(5)
        #expect(abs(house.peak - 0.5) < 0.02 && house.runner.playingCues == ["hum"], "\(house.peak)")
        try house.runner.perform(.cue("hum"))
        house.pass(3)
        #expect(house.runner.playingCues == [] && house.peak < 0.4)
        house.runner.finish()
    }

    @Test func aBlackBoxHasTheLastMinutesAndPlaysThemAgain() throws {
        let folder = try InstallationInTime.folder([100, 200])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("playlists: {a: [0.mid, 1.mid]}", in: folder, at: try time(12), state: true)
        house.pass(40)
        house.runner.writeBlackBox(because: "somebody asked")
        house.pass(1)
        house.runner.writeBlackBox(because: "once more at once")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/state")
        let name = try #require(names.first { $0.hasPrefix("black-box-202606011200") && $0.hasSuffix(".txt") })
        let stem = folder + "/state/" + name.dropLast(4)
        let text = try String(contentsOfFile: stem + ".txt", encoding: .utf8)
        #expect(text.dropFirst(27).hasPrefix("somebody asked\n") && text.contains(" opens: a\n"), "\(text)")
        #expect(text.contains("  1.mid (0:20)") && text.split(separator: "\n").count { $0.contains("voices") } == 4)
        #expect(events(house).count { $0.hasPrefix("black box: ") } == 1)
        // What was played is a song again.
        let song = try SongReader.read(path: stem + ".mid").song
        #expect(try Timeline(song, sampleRate: 48_000).summary.parts.map(\.noteCount).reduce(0, +) >= 390)
        #expect(FileManager.default.fileExists(atPath: stem + ".journal"))
        // Five are kept, whatever happens.
        for _ in 0..<8 {
            (house.clock.uptime, house.clock.wall) = (house.clock.uptime + 601, house.clock.wall + 601)
            house.runner.writeBlackBox(because: "again")
        }
        let boxes = try FileManager.default.contentsOfDirectory(atPath: folder + "/state").filter { $0.hasPrefix("black-box") }
        #expect(boxes.count { $0.hasSuffix(".txt") } == 5 && boxes.count <= 15, "\(boxes)")
        house.runner.finish()
    }

    @Test func aThreadWritesWhatIsKeptAndItsEndIsTheLast() throws {
        let folder = try InstallationInTime.folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = StateFile(folder: folder + "/state"), keeper = StateKeeper(store, isThreaded: true)
        for number in 0..<200 { #expect(keeper.keep("state \(number)") == nil) }
        keeper.finish()
        #expect(try store.read() == "state 199")
        // Without its thread it writes at once.
        #expect(keeper.keep("later") == nil)
        #expect(try store.read() == "later")
        // One that is forgotten writes what waits.
        for _ in 0..<50 { _ = StateKeeper(store, isThreaded: true).keep("forgotten") }
        #expect(try store.read() == "forgotten")
        let nowhere = StateKeeper(StateFile(folder: "/proc/nowhere/state"), isThreaded: true)
        while nowhere.keep("x") == nil { sched_yield() }
        nowhere.finish()
    }

    @Test func whatIsWrittenDownComesBack() {
        let state = InstallationState(
            asked: "a 100% list", place: Programme.Place(playlist: "b\nc", round: 4, step: 2), song: "odd %0A name\n.mid",
            seconds: 12.25, bar: 7, moment: WallTime(seconds: 1_800_000_000))
        #expect(InstallationState(text: state.text) == state)
        for text in ["", "song x", state.text.replacing("bar 7", with: "bar x"), state.text.replacing("12.25", with: "nan")] {
            #expect(InstallationState(text: text) == nil)
        }
    }
}
