import Carillon
import Foundation
import Testing

@testable import Installations

/// What people ask for while the music of a house changes, and what is told of songs that come, go or have nothing to play.
@Suite struct InstallationChangeTests {
    private func house(_ text: String, _ beats: [Int] = [3000, 3000, 3000], _ body: (InstallationInTime) throws -> Void) throws {
        let folder = try InstallationInTime.folder(beats)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("rate: 8000\n" + text, in: folder, at: try WallZoneTests.time(2026, 6, 1, 9))
        house.pass(2)
        try body(house)
        house.runner.finish()
    }

    private func shown(_ house: InstallationInTime) throws -> InstallationStatus {
        try #require(house.runner.snapshot.installation)
    }

    private static let two = "fade: 2 s\nplaylists: {a: [0.mid], b: [1.mid, 2.mid]}\n"

    @Test(arguments: [0.1, 1.5, 3.5]) func aSongThatIsAskedForInAChangeIsTheFirstOfTheNewList(_ delay: Double) throws {
        try house(Self.two) { house in
            try house.runner.perform(.playList("b", until: "+1:00"))
            house.pass(delay)
            try house.runner.perform(.queueSong("0"))
            try house.runner.perform(.playSong("2"))
            #expect(try shown(house).requests == ["2.mid", "0.mid"])
            house.pass(8 - delay)
            #expect(house.song == "2.mid" && house.peak > 0.01, "\(house.lines)")
            try house.runner.perform(.next)
            house.pass(0.5)
            #expect(house.song == "0.mid")
            try house.runner.perform(.next)
            house.pass(0.5)
            #expect(house.song == "1.mid")
        }
    }

    @Test func whatCannotBeDoneInAChangeSaysSo() throws {
        try house(Self.two) { house in
            #expect(throws: Fault.self) { try house.runner.perform(.seek(.seconds(9 * 3600))) }
            #expect((house.runner.session?.snapshot.transport?.seconds ?? 0) < 5)
            try house.runner.perform(.playList("b", until: "+1:00"))
            house.pass(1)
            // The old song is heard until its fade is over, and told as long.
            #expect(try shown(house).activity.state == .playing)
            #expect {
                try house.runner.perform(.seek(.bar(3)))
            } throws: { "\($0)" == "the music is changing; ask again in 4 s" }
            house.pass(1.5)
            #expect(try shown(house).activity.state == .between && house.runner.snapshot.transport?.isPlaying == false)
            house.pass(3)
            try house.runner.perform(.seek(.bar(3)))
        }
    }

    @Test func anOpenHouseWithoutSoundIsNotCalledClosed() throws {
        let folder = try InstallationInTime.folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            "playlists: {a: [0.mid]}\ncues: {bell: {do: next, at: \"9:00:02\"}}\n", in: folder,
            at: try WallZoneTests.time(2026, 6, 1, 9))
        house.pass(4)
        #expect { try house.runner.perform(.pause) } throws: { "\($0)".hasPrefix("the installation is open and has no sound: ") }
        #expect(house.lines.contains { $0.hasPrefix("09:00:02 cue bell is not played: there is no sound: ") }, "\(house.lines)")
    }

    @Test func songsThatComeBackCountWithinAMinuteAndAreToldOnce() throws {
        try house("playlists: {a: [0.mid, 1.mid, 2.mid]}\n", [3000, 20, 20]) { house in
            func move(_ from: String, _ to: String) throws {
                for name in ["0.mid", "1.mid", "2.mid"] {
                    try FileManager.default.moveItem(
                        atPath: "\(house.folder)/\(from)\(name)", toPath: "\(house.folder)/\(to)\(name)")
                }
            }
            #expect(try shown(house).playableSongs == 3)
            try FileManager.default.createDirectory(atPath: house.folder + "/away", withIntermediateDirectories: true)
            try move("", "away/")
            house.pass(61)
            // One plays from memory all the same.
            #expect(try shown(house).playableSongs == 0 && shown(house).activity.state == .playing)
            try house.runner.perform(.next)
            house.pass(45)
            let told = house.lines.filter { $0.contains("is left out") }
            #expect(Set(told.map { $0.dropFirst(9) }).count == told.count, "\(told)")
            #expect(!house.lines.contains { $0.contains("stopped") }, "\(house.lines)")
            try move("away/", "")
            house.pass(61)
            #expect(try shown(house).playableSongs == 3 && shown(house).songs.allSatisfy { $0.fault == nil })
        }
    }

    @Test func nobodyHasStoppedMusicThatCannotBePlayed() throws {
        try house("playlists: {a: [0.mid]}\n", [30]) { house in
            try FileManager.default.removeItem(atPath: house.folder + "/0.mid")
            // What was read before that plays once more.
            house.pass(6)
            var reasons: Set<String> = []
            for _ in 0..<450 {
                house.pass(0.1)
                let now = try shown(house)
                reasons.insert(now.activity.sentence)
            }
            #expect(reasons.count == 1 && reasons.first?.contains("no song of a can be played") == true, "\(reasons)")
            #expect(house.lines.count { $0.contains("is left out") } <= 2, "\(house.lines)")
        }
    }

    @Test func aSongWithoutANoteCannotBePlayed() throws {
        let folder = try InstallationInTime.folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SongWriter.write(Song(tracks: [Track(name: "cut")]), path: folder + "/cut.mid")
        let house = try InstallationInTime("playlists: {a: [cut.mid]}\n", in: folder, at: try WallZoneTests.time(2026, 6, 1, 9))
        house.pass(35)
        #expect(try shown(house).trouble?.reason.contains("cut.mid: has no note") == true)
        let trial = InstallationTrial(house.runner.installation)
        #expect(trial.isRefused && trial.songs == 0 && trial.sentences.contains { $0.contains("cut.mid: has no note") })
    }

    @Test func musicThatIsNotHeardIsMissedThoughNoNoteIsTold() throws {
        // Notes that the patch does not hear: the meter alone knows.
        let time = WallZoneTests.berlin.local(at: WallTime(seconds: 1_780_000_000))
        for (rest, isMissed) in [(4.0, true), (40.0, false)] {
            var ledger = InstallationLedger()
            for second in 0..<35 {
                ledger.look(.init(.playing), .init(hasNotes: false, rest: rest), isHushed: false, at: Double(second), time)
            }
            #expect((ledger.trouble != nil) == isMissed)
        }
        try house("playlists: {a: [0.mid]}\n") { house in
            #expect(abs((house.runner.session?[SongsPart.self]?.longestRest ?? 0) - 0.05) < 0.001)
        }
    }

    @Test func musicThatACueDucksToNothingIsNotSilencedByTheCalendar() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try CueTests.bell(seconds: 3, to: folder + "/bell.wav")
        let house = try InstallationInTime(
            "rate: 8000\nplaylists: {a: [0.mid]}\ncues: {evac: {sound: bell.wav, duck: -60 dB}}\n", in: folder,
            at: try WallZoneTests.time(2026, 6, 1, 9))
        house.pass(5)
        try house.runner.perform(.cue("evac"))
        house.pass(2)
        #expect(try shown(house).activity.state == .playing)
    }

    @Test func aSongThatIsResumedIsNeverToldAtItsBeginning() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "playlists: {a: [0.mid]}\n", start = try WallZoneTests.time(2026, 6, 1, 9)
        let house = try InstallationInTime(text, in: folder, at: start, state: true)
        house.pass(30)
        let again = try InstallationInTime(text, in: folder, at: start, state: true, clock: house.clock)
        for _ in 0..<20 {
            again.pass(0.1)
            let transport = try #require(again.runner.snapshot.transport)
            #expect(transport.seconds > 20 && transport.bar > 50, "\(transport.seconds) \(transport.bar)")
        }
    }

    @Test func aCheckSaysThatNoDeviceOfTheListIsThere() throws {
        let folder = try InstallationInTime.folder([30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            "device: [\"hw:Gone,0\", default]\nplaylists: {a: [0.mid]}\n", in: folder, at: try WallZoneTests.time(2026, 6, 1, 9))
        for (isThere, word) in [(false, "no device of the list is"), (true, "another of the list plays")] {
            let trial = InstallationTrial(house.runner.installation, isThere: { name, _ in isThere && name == "default" })
            #expect(!trial.isRefused && trial.sentences.contains { $0.contains("hw:Gone,0 is not there") && $0.contains(word) })
        }
    }
}
