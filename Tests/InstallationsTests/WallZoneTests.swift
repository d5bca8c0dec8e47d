import Installations
import Testing

/// Moments and what clocks show, where the clocks are changed.
@Suite struct WallZoneTests {
    /// Berlin in 2026: forward on 29 March at 1:00 Greenwich, back on 25 October at 1:00.
    static let berlin = WallZone(
        name: "Europe/Berlin", offset: 3600,
        changes: [(WallTime(seconds: 1_774_746_000), 7200), (WallTime(seconds: 1_792_890_000), 3600)])

    static func time(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> CivilTime {
        CivilTime(try #require(CivilDate(year: year, month: month, day: day)), second: hour * 3600 + minute * 60)
    }

    @Test func everyMomentComesBackFromWhatTheClocksShowButThoseThatTheyShowTwice() throws {
        let start = Self.berlin.moment(of: try Self.time(2026, 1, 1, 0))
        for hour in 0..<Int64(365 * 24 * 4) {
            let moment = start + hour * 900, shown = Self.berlin.civil(at: moment)
            let isSecond = shown.date.description == "2026-10-25" && shown.second / 3600 == 2 && moment.seconds >= 1_792_890_000
            #expect(Self.berlin.moment(of: shown) == moment + (isSecond ? -3600 : 0))
        }
    }

    @Test func aTimeThatIsLeaptOverIsWhenTheClocksLeap() throws {
        let leap = Self.berlin.moment(of: try Self.time(2026, 3, 29, 3))
        for minute in 0..<60 { #expect(Self.berlin.moment(of: try Self.time(2026, 3, 29, 2, minute)) == leap) }
        #expect(Self.berlin.moment(of: try Self.time(2026, 3, 29, 1, 59)) == leap + -60)
    }

    @Test func leapDaysAndWeekdaysAreRight() throws {
        #expect(CivilDate(year: 2028, month: 2, day: 29)?.weekday == .tuesday)
        #expect(CivilDate(year: 2026, month: 2, day: 29) == nil && CivilDate(year: 2100, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2000, month: 2, day: 29)?.advanced(by: 1) == CivilDate(year: 2000, month: 3, day: 1))
        var date = try #require(CivilDate(year: 1899, month: 12, day: 30)), week = Weekday.saturday.rawValue
        for _ in 0..<100_000 {
            let next = date.advanced(by: 1)
            #expect(date < next)
            let days = Weekday.allCases, place = try #require(days.firstIndex { $0.rawValue == week })
            #expect(date.weekday.rawValue == week)
            week = days[(place + 1) % 7].rawValue
            date = next
        }
    }
}
