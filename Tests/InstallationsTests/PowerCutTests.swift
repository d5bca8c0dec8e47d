import Carillon
import CarillonTestKit
import Foundation
import Testing

@testable import Installations

/// Cuts of the power at random moments, in bursts too: the place of the music survives all of them.
@Suite struct PowerCutTests {
    /// Seconds by which a cut may lead back, and those in which nobody looks.
    private static let most = 5.0, look = 0.2

    /// - Parameter beat: seconds of a quarter of a bar.
    @Test(arguments: [0.1, 0.6, 1]) func noSequenceOfCutsCostsMoreThanFiveSeconds(_ beat: Double) throws {
        // The unoptimised program takes thirty times as long. By hand: CARILLON_CUTS=1000.
        let wanted = getenv("CARILLON_CUTS").flatMap { Int(String(cString: $0)) }
        let cuts = wanted ?? (_isDebugAssertConfiguration() ? 8 : 100)
        let folder = try InstallationInTime.folder([Int(4_000 / beat), Int(4_000 / beat)], beat: beat)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var random = SeededRandom(seed: 28), clock: InstallationInTime.SimulatedClock?
        // The place of the music as far as it was ever heard: song by song, in seconds.
        var heard = 0.0, burst = 0
        for cut in 0..<cuts {
            let house = try InstallationInTime(
                "playlists: {a: [0.mid, 1.mid]}", in: folder, at: try WallZoneTests.time(2026, 6, 1, 9), state: true, clock: clock
            )
            clock = house.clock
            house.pass(0.2)
            let begin = try #require(house.runner.session?.snapshot.transport)
            let place = Double(begin.number - 1) * 4_000 + begin.seconds
            #expect(place >= heard - Self.most - Self.look, "cut \(cut): \(place) after \(heard)")
            if place < heard - Self.most - Self.look { return }
            if burst == 0, Int.random(in: 0..<4, using: &random) == 0 { burst = Int.random(in: 3...20, using: &random) }
            house.pass(burst > 0 ? Double.random(in: 0...2, using: &random) : Double.random(in: 0...12, using: &random))
            burst = max(burst - 1, 0)
            let end = try #require(house.runner.session?.snapshot.transport)
            heard = max(heard, Double(end.number - 1) * 4_000 + end.seconds)
            house.clock.pass(Double.random(in: 0...30, using: &random))
        }
        #expect(heard > 5)
    }

    @Test func aCardThatIsAwayInTheMorningDoesNotLoseThePlace() throws {
        let folder = try InstallationInTime.folder([3_000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            "playlists: {a: [0.mid]}", in: folder, at: try WallZoneTests.time(2026, 6, 1, 9), state: true)
        house.pass(30)
        let before = try #require(house.runner.session?.snapshot.transport).seconds
        // The song is away for a while, as a folder that is mounted late.
        try FileManager.default.moveItem(atPath: folder + "/0.mid", toPath: folder + "/0.away")
        let again = try InstallationInTime(
            "playlists: {a: [0.mid]}", in: folder, at: try WallZoneTests.time(2026, 6, 1, 9), state: true, clock: house.clock)
        again.pass(60)
        #expect(again.runner.session == nil)
        try FileManager.default.moveItem(atPath: folder + "/0.away", toPath: folder + "/0.mid")
        again.pass(15)
        let after = try #require(again.runner.session?.snapshot.transport).seconds
        #expect(after > before - 5.5, "\(after) after \(before)")
    }
}
