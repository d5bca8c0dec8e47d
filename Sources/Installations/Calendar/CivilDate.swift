/// A date of the usual calendar (Gregorian, also before it began), without a time and a zone.
///
/// Source of the arithmetic: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013).
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The year, -9999...9999.
    public let year: Int
    /// The month, 1...12.
    public let month: Int
    /// The day of the month, 1...31.
    public let day: Int

    /// Creates a date; nil for one that no calendar has, such as the 30th of February.
    public init?(year: Int, month: Int, day: Int) {
        guard (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        if CivilDate(days: days) != self { return nil }
    }

    /// Days after 1970-01-01.
    init(days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Months from March on, so that the leap day is the last.
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days after 1970-01-01.
    var days: Int {
        let year = month <= 2 ? self.year - 1 : self.year
        let era = (year >= 0 ? year : year - 399) / 400, yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of the week.
    public var weekday: Weekday {
        let place = (days + 3) % 7
        return Weekday.allCases[place < 0 ? place + 7 : place]
    }

    /// Returns the date `days` days later.
    public func advanced(by days: Int) -> CivilDate { CivilDate(days: self.days + days) }

    public static func < (a: CivilDate, b: CivilDate) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

    /// The date as ISO 8601 writes it: "2026-02-28".
    public var description: String { "\(Padded(year, 4))-\(Padded(month))-\(Padded(day))" }
}

/// A day of the week, Monday first, as ISO 8601 counts.
public enum Weekday: String, CaseIterable, Sendable, Comparable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// Reads "mon", "Monday"; nil for anything else.
    init?(name: String) {
        let name = name.lowercased()
        let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        guard let place = days.firstIndex(where: { $0 == name || $0.prefix(3) == name }) else { return nil }
        self = Self.allCases[place]
    }

    /// The place in the week, 0...6.
    var place: Int {
        switch self {
        case .monday: 0
        case .tuesday: 1
        case .wednesday: 2
        case .thursday: 3
        case .friday: 4
        case .saturday: 5
        case .sunday: 6
        }
    }

    public static func < (a: Weekday, b: Weekday) -> Bool { a.place < b.place }
}

struct Padded: CustomStringConvertible {
    let description: String

    init(_ number: Int, _ width: Int = 2) {
        let digits = String(number.magnitude)
        description = (number < 0 ? "-" : "") + String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
