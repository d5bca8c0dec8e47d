import Carillon
import Foundation
import MIDI
import Patches
import Testing

@testable import Installations

/// An installation whose songs follow a master's clock.
@Suite struct InstallationFollowTests {
    /// Lets so many seconds pass, while a master at 200 quarter notes a minute sends a pulse every 12.5 ms.
    private func pass(_ house: InstallationInTime, _ seconds: Double, from moment: inout Double) {
        for _ in 0..<Int(seconds * 10) {
            house.pass(0.1)
            guard let port = house.clock.port else { continue }
            while moment <= Double(port.nanoseconds) {
                house.runner.session?.receive(clock: .pulse, at: Int64(moment))
                moment += 12_500_000
            }
        }
    }

    @Test func theHouseOpensAndTheMasterPlays() throws {
        let folder = try InstallationInTime.folder([3000, 40])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            follow: TR-8S
            playlists: {a: [0.mid]}
            calendar:
              day: {from: 9:00, to: 18:00, playlist: a}
              quiet: {from: 12:01, to: 12:02, paused: yes}
            """, in: folder, at: try WallZoneTests.time(2026, 6, 1, 12))
        house.pass(5)
        let before = try #require(house.runner.session?.snapshot)
        #expect(before.following?.name == "TR-8S" && before.following?.state == .waiting)
        #expect(before.transport?.isPlaying == false && house.onsets.isEmpty)
        var moment = Double(try #require(house.clock.port).nanoseconds)
        house.runner.session?.receive(clock: .start, at: Int64(moment))
        pass(house, 20, from: &moment)
        let playing = try #require(house.runner.session?.snapshot)
        #expect(playing.following?.state == .locked && playing.transport?.isPlaying == true)
        #expect(abs((playing.following?.tempo ?? 0) - 200) < 0.1 && abs((playing.transport?.tempo ?? 0) - 200) < 1)
        // By the calendar it stands still whatever the master does, and comes in again.
        pass(house, 45, from: &moment)
        #expect(house.runner.session?.snapshot.transport?.isPlaying == false)
        #expect(house.runner.session?.snapshot.following?.isHeld == true)
        pass(house, 60, from: &moment)
        #expect(house.runner.session?.snapshot.transport?.isPlaying == true)
        house.runner.finish()
    }

    @Test func aMasterHasAName() {
        for name in ["any", "''", "[]"] {
            #expect(throws: PatchFileError.self) {
                _ = try Installation(text: "version: 1\nplaylists: {a: [x]}\nfollow: \(name)\n", path: "house.yaml")
            }
        }
    }
}
