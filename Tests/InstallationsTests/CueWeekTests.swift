import Carillon
import Foundation
import Testing

@testable import Installations

/// A week of a house with a bell at every change of its calendar: what is reported is heard, and what is heard was foretold.
@Suite struct CueWeekTests {
    private static let text = """
        rate: 8000
        fade: 2 s
        playlists:
          day: {level: -120 dB, songs: [0.mid]}
          night: {level: -120 dB, songs: [1.mid]}
        calendar:
          weekdays: {days: mon-fri, from: "9:00", to: "18:00", playlist: day}
          evening: {days: mon-fri, from: "18:00", to: "20:00", playlist: night}
          party: {days: sat, from: "20:00", to: "1:00", playlist: night}
          noon: {from: "12:00", to: "12:30", level: -12 dB}
          tour: {days: wed, from: "15:00", to: "15:20", paused: yes}
        cues:
          bell:
            sound: bell.wav
            at: ["1:00", "3:00", "9:00", "12:00", "12:30", "15:00", "15:20", "18:00", "20:00", "24:00"]
            priority: 9

        """

    @Test func everyBellThatIsReportedIsHeard() throws {
        let folder = try InstallationInTime.folder([36_000, 36_000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try CueTests.bell(seconds: 1.5, to: folder + "/bell.wav")
        let zone = WallZoneTests.berlin, start = zone.moment(of: try WallZoneTests.time(2026, 6, 1, 0, 0)),
            end = start + 7 * 86_400
        let house = try InstallationInTime(Self.text, in: folder, at: try WallZoneTests.time(2026, 6, 1, 0, 0))
        var dry = DryRun(house.runner.installation, playlists: house.runner.installation.playlists().lists, zone: zone)
        var foretold: [WallTime: [String]] = [:], times: Set<WallTime> = []
        _ = dry.run(from: start + 1, to: end) { entry in
            if entry.event.sentence.contains("bell") { foretold[entry.moment, default: []].append(entry.event.sentence) }
            times.insert(entry.moment)
        }
        house.pass(1)
        var heard = 0, silent = 0
        for moment in times.sorted() where moment > house.clock.wall + 3 {
            // Nothing happens until shortly before it.
            let gap = moment - house.clock.wall - 3
            house.clock.uptime += Double(gap)
            house.clock.wall = house.clock.wall + gap
            let former = house.lines.count
            house.pass(4)
            let loudness = house.loudness(of: 1)
            house.pass(5)
            let reported = house.lines[former...].map { String($0.dropFirst(9)) }.filter {
                $0.contains("bell") && !$0.contains("has ended")
            }
            #expect(reported == foretold[moment, default: []], "\(zone.civil(at: moment))")
            #expect(reported.contains("cue bell") == (loudness > -40), "\(zone.civil(at: moment)): \(loudness) dBFS, \(reported)")
            if loudness > -40 { heard += 1 } else { silent += 1 }
        }
        // Seven on each day from Monday to Friday, three from Saturday to Sunday.
        #expect(heard == 38 && silent > 30, "\(heard) heard, \(silent) silent")
        house.runner.finish()
    }
}

extension InstallationInTime {
    /// What was heard in the last seconds, in dBFS.
    fileprivate func loudness(of seconds: Double) -> Double {
        let samples = (clock.port?.played.first ?? []).suffix(Int(seconds * 8000))
        let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
        return 10 * log10(max(power, 1e-20))
    }
}
