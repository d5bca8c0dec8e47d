import CarillonTestKit
import Glibc
import Installations
import Testing

/// Calendars that nobody would write: `nextChange` finds what looking every minute finds, in the fortnights in which clocks change.
@Suite struct RandomCalendarTests {
    /// Days round the change of the clocks. The unoptimised program is thirty times slower.
    private static let days = _isDebugAssertConfiguration() ? 4 : 14

    private static func calendar(_ random: inout SeededRandom, around first: CivilDate) -> InstallationCalendar {
        let entries = (0..<Int.random(in: 1...6, using: &random)).map { number in
            var entry = CalendarEntry("entry \(number)")
            // Every minute of the day may come, and those at which people and clocks change things come often.
            func time(_ random: inout SeededRandom) -> Int {
                let usual = [0, 1, 2, 2.5, 3, 9, 18, 22, 23.5, 24].map { Int($0 * 3600) }
                return Bool.random(using: &random)
                    ? usual.randomElement(using: &random)! : Int.random(in: 0...1440, using: &random) * 60
            }
            (entry.from, entry.to) = (time(&random), time(&random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: entry.effect = .playlist("day")
            case 3: entry.effect = .playlist("night")
            case 4, 5:
                entry.effect = .closed
                if Bool.random(using: &random) { (entry.from, entry.to) = (0, 86_400) }
            case 6: entry.effect = .paused
            default: entry.effect = nil
            }
            if entry.effect == nil || Int.random(in: 0..<4, using: &random) == 0 {
                entry.level = [0, -6, -20].randomElement(using: &random)!
            }
            if Bool.random(using: &random) {
                entry.days = Set(Weekday.allCases.filter { _ in Bool.random(using: &random) })
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let begin = first.advanced(by: Int.random(in: -2..<14, using: &random))
                let end = begin.advanced(by: Int.random(in: 0..<4, using: &random))
                entry.dates = [DateSpan("\(begin)..\(end)")!]
            }
            return entry
        }
        return InstallationCalendar(entries, in: WallZoneTests.berlin)
    }

    private static func isHeard(_ a: InstallationCalendar.Situation, as b: InstallationCalendar.Situation) -> Bool {
        if a.playlist == nil, b.playlist == nil { return true }
        return a.playlist == b.playlist && a.isPaused == b.isPaused && a.level == b.level
    }

    @Test(arguments: 0..<8)
    func `the next change is the first that looking every minute finds`(share: Int) throws {
        // By hand: CARILLON_CALENDARS=10000.
        let wanted = getenv("CARILLON_CALENDARS").flatMap { Int(String(cString: $0)) }
        let count = wanted ?? (_isDebugAssertConfiguration() ? 8 : 304)
        for number in 0..<count / 8 {
            var random = SeededRandom(seed: UInt64(share * 1_000_000 + number))
            let first = try #require(
                Bool.random(using: &random)
                    ? CivilDate(year: 2026, month: 3, day: 29) : CivilDate(year: 2026, month: 10, day: 25)
            ).advanced(by: -Self.days / 2)
            let calendar = Self.calendar(&random, around: first)
            let start = calendar.zone.moment(of: CivilTime(first, second: 0))
            var now = calendar.situation(at: start), next = calendar.nextChange(after: start)
            for minute in 1..<Int64(Self.days * 1440) {
                let moment = start + minute * 60, found = calendar.situation(at: moment)
                let isChange = !Self.isHeard(found, as: now)
                if isChange != (next == moment) {
                    Issue.record("share \(share), number \(number), \(calendar.zone.civil(at: moment)): \(calendar.entries)")
                    return
                }
                if isChange { (now, next) = (found, calendar.nextChange(after: moment)) }
            }
        }
    }

    @Test func whatBeginsWhileANightIsOnIsAChange() throws {
        var night = CalendarEntry("night"), quiet = CalendarEntry("quiet")
        (night.effect, night.from, night.to) = (.playlist("day"), 18 * 3600, 2 * 3600)
        (quiet.effect, quiet.from, quiet.to) = (.closed, 1800, 3600)
        let calendar = InstallationCalendar([night, quiet], in: WallZoneTests.berlin)
        let evening = calendar.zone.moment(of: try WallZoneTests.time(2026, 6, 5, 23))
        #expect(calendar.nextChange(after: evening) == calendar.zone.moment(of: try WallZoneTests.time(2026, 6, 6, 0, 30)))
    }

    @Test func aClosedHouseHasNeitherLevelNorPause() throws {
        var open = CalendarEntry("open"), soft = CalendarEntry("soft"), still = CalendarEntry("still")
        (open.effect, open.from, open.to) = (.playlist("day"), 9 * 3600, 18 * 3600)
        (soft.level, soft.from, soft.to) = (-20, 20 * 3600, 22 * 3600)
        (still.effect, still.from, still.to) = (.paused, 21 * 3600, 23 * 3600)
        let calendar = InstallationCalendar([open, soft, still], in: WallZoneTests.berlin)
        let evening = calendar.zone.moment(of: try WallZoneTests.time(2026, 6, 5, 18))
        #expect(calendar.nextChange(after: evening) == calendar.zone.moment(of: try WallZoneTests.time(2026, 6, 6, 9)))
    }
}
