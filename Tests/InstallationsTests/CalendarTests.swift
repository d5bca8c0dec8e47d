import Installations
import Testing

/// Opening hours, exceptions, nights and the days on which clocks are changed.
@Suite struct CalendarTests {
    private static let hour = 3600

    private static func entry(
        _ name: String, _ effect: CalendarEntry.Effect? = .playlist("day"), from: Double = 0, to: Double = 24,
        days: Set<Weekday> = [], dates: [String] = [], level: Double? = nil
    ) -> CalendarEntry {
        var entry = CalendarEntry(name)
        (entry.effect, entry.days, entry.level) = (effect, days, level)
        (entry.from, entry.to) = (Int(from * 3600), Int(to * 3600))
        entry.dates = dates.compactMap { DateSpan($0) }
        return entry
    }

    private static let week: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]

    private func calendar(_ entries: CalendarEntry...) -> InstallationCalendar {
        InstallationCalendar(entries, in: WallZoneTests.berlin)
    }

    /// What plays, sampled every quarter of an hour from a date on: the times at which it becomes something else.
    private func changes(_ calendar: InstallationCalendar, from date: (Int, Int, Int), days: Int64) throws -> [String] {
        let zone = calendar.zone
        let start = zone.moment(of: try WallZoneTests.time(date.0, date.1, date.2, 0))
        var former: InstallationCalendar.Situation?, changes: [String] = []
        for quarter in 0..<days * 96 {
            let moment = start + quarter * 900, now = calendar.situation(at: moment)
            if let former, former.playlist != now.playlist || former.level != now.level || former.isPaused != now.isPaused {
                changes.append(
                    "\(zone.civil(at: moment)) \(now.isPaused ? "paused" : now.playlist ?? "closed") \(Int(now.level))")
            }
            former = now
        }
        return changes
    }

    @Test func hoursOfWeekdaysAndAnExceptionBelowThem() throws {
        let calendar = calendar(
            Self.entry("weekdays", from: 9, to: 18, days: Self.week),
            Self.entry("holiday", .closed, dates: ["05-01"]))
        #expect(
            try changes(calendar, from: (2026, 4, 30), days: 6) == [
                "2026-04-30 09:00:00 day 0", "2026-04-30 18:00:00 closed 0",    // Thursday; Friday is the first of May
                "2026-05-04 09:00:00 day 0", "2026-05-04 18:00:00 closed 0",
                "2026-05-05 09:00:00 day 0", "2026-05-05 18:00:00 closed 0",
            ])
    }

    @Test func hoursOverMidnightBelongToTheDayOnWhichTheyBegin() throws {
        let calendar = calendar(Self.entry("night", from: 22, to: 2.5, days: [.saturday]))
        #expect(
            try changes(calendar, from: (2026, 6, 5), days: 4) == [
                "2026-06-06 22:00:00 day 0", "2026-06-07 02:30:00 closed 0",
            ])
    }

    @Test func aDayThatIsClosedHasNoNight() throws {
        let calendar = calendar(
            Self.entry("night", from: 22, to: 2), Self.entry("christmas", .closed, dates: ["12-25"]),
            Self.entry("service", from: 23.5, to: 0.5, dates: ["12-25"]))
        #expect(
            try changes(calendar, from: (2026, 12, 24), days: 4) == [
                "2026-12-24 02:00:00 closed 0", "2026-12-24 22:00:00 day 0", "2026-12-25 00:00:00 closed 0",
                "2026-12-25 23:30:00 day 0", "2026-12-26 00:30:00 closed 0",    // an exception below the exception
                "2026-12-26 22:00:00 day 0", "2026-12-27 02:00:00 closed 0", "2026-12-27 22:00:00 day 0",
            ])
    }

    @Test func anEntryWithALevelAloneChangesNothingElse() throws {
        let calendar = calendar(
            Self.entry("open", from: 9, to: 18), Self.entry("noon", nil, from: 12, to: 13, level: -20),
            Self.entry("prayer", .paused, from: 15, to: 15.25))
        #expect(
            try changes(calendar, from: (2026, 6, 5), days: 1) == [
                "2026-06-05 09:00:00 day 0", "2026-06-05 12:00:00 day -20", "2026-06-05 13:00:00 day 0",
                "2026-06-05 15:00:00 paused 0", "2026-06-05 15:15:00 day 0", "2026-06-05 18:00:00 closed 0",
            ])
    }

    /// On 29 March 2026 clocks leap from 2:00 to 3:00, on 25 October they go from 3:00 back to 2:00.
    @Test func theDaysOnWhichClocksAreChangedHaveEachTimeOnce() throws {
        let calendar = calendar(Self.entry("early", from: 2.5, to: 4), Self.entry("in the leap", from: 2.25, to: 2.75))
        #expect(
            try changes(calendar, from: (2026, 3, 29), days: 1) == ["2026-03-29 03:00:00 day 0", "2026-03-29 04:00:00 closed 0"])
        let short = self.calendar(Self.entry("in the leap", from: 2.25, to: 2.75))
        #expect(try changes(short, from: (2026, 3, 29), days: 1) == [])
        #expect(
            try changes(short, from: (2026, 10, 25), days: 1) == ["2026-10-25 02:15:00 day 0", "2026-10-25 02:45:00 closed 0"])
        let late = self.calendar(Self.entry("until late", from: 22, to: 2.5))
        #expect(try changes(late, from: (2026, 10, 25), days: 1).prefix(1) == ["2026-10-25 02:30:00 closed 0"])
    }

    @Test func nextChangeIsWhereASearchByQuartersFindsIt() throws {
        let calendar = calendar(
            Self.entry("week", from: 9, to: 18, days: Self.week), Self.entry("night", from: 22, to: 2, days: [.friday]),
            Self.entry("quiet", nil, from: 12, to: 12.5, level: -12), Self.entry("summer", .closed, dates: ["07-20..08-10"]),
            Self.entry("turn", .playlist("bells"), from: 23.75, to: 0.5, dates: ["12-31"]))
        let start = calendar.zone.moment(of: try WallZoneTests.time(2026, 1, 1, 0))
        var moment = start, wanted = moment
        for quarter in Int64(0)..<365 * 96 {
            let now = start + quarter * 900
            if calendar.situation(at: now) == calendar.situation(at: moment) { continue }
            // Entries may come and go without a difference to be heard.
            let (a, b) = (calendar.situation(at: now), calendar.situation(at: moment))
            if a.playlist == b.playlist, a.level == b.level || a.playlist == nil { continue }
            wanted = now
            #expect(calendar.nextChange(after: moment) == wanted)
            #expect(calendar.nextChange(after: wanted + -1) == wanted)
            moment = wanted
        }
        #expect(calendar.zone.civil(at: moment).description == "2026-12-31 23:45:00")
    }

    @Test func aCalendarThatNeverChangesHasNoNextChange() throws {
        let always = calendar(Self.entry("always"))
        #expect(always.nextChange(after: WallTime(seconds: 1_790_000_000)) == nil)
        #expect(always.situation(at: WallTime(seconds: 1_790_000_000)).playlist == "day")
        #expect(calendar().situation(at: WallTime(seconds: 0)).playlist == nil)
    }

    @Test func leapDaysAndTurnsOfTheYear() throws {
        let leap = try #require(DateSpan("02-29"))
        #expect(leap.contains(try #require(CivilDate(year: 2028, month: 2, day: 29))))
        #expect(!leap.contains(try #require(CivilDate(year: 2027, month: 3, day: 1))))
        let turn = try #require(DateSpan("12-24 .. 01-06"))
        for (month, day, isIn) in [(12, 23, false), (12, 24, true), (12, 31, true), (1, 1, true), (1, 6, true), (1, 7, false)] {
            #expect(turn.contains(try #require(CivilDate(year: 2026, month: month, day: day))) == isIn)
        }
        #expect(turn.description == "12-24..01-06")
        let once = try #require(DateSpan("2026-12-24..2027-01-06"))
        #expect(once.contains(try #require(CivilDate(year: 2027, month: 1, day: 2))))
        #expect(!once.contains(try #require(CivilDate(year: 2027, month: 12, day: 28))))
        for text in ["", "13-01", "02-30", "2026-02-29", "2026-1-1..02-02", "2027-01-01..2026-01-01", "12-24..", "x", "26-01-01"]
        {
            #expect(DateSpan(text) == nil, "\(text)")
        }
    }
}
