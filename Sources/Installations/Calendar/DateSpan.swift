/// Dates from one to another, both among them: of one year, or of every year.
public struct DateSpan: Hashable, Sendable, CustomStringConvertible {
    /// A date with or without a year.
    public struct Day: Hashable, Sendable, CustomStringConvertible {
        /// The year; nil means every year.
        public let year: Int?
        public let month: Int
        public let day: Int

        /// A day; nil if no year has it.
        public init?(year: Int?, month: Int, day: Int) {
            // The 29th of February is a day of every year that has it.
            if CivilDate(year: year ?? 2000, month: month, day: day) == nil { return nil }
            (self.year, self.month, self.day) = (year, month, day)
        }

        /// Reads "2026-12-24" or "12-24"; nil for anything else.
        init?(_ text: Substring) {
            let words = text.split(separator: "-", omittingEmptySubsequences: false)
            let numbers = words.compactMap { word in word.allSatisfy(\.isNumber) && word.count <= 4 ? Int(word) : nil }
            guard numbers.count == words.count else { return nil }
            switch numbers.count {
            case 2: self.init(year: nil, month: numbers[0], day: numbers[1])
            case 3 where words[0].count == 4: self.init(year: numbers[0], month: numbers[1], day: numbers[2])
            default: return nil
            }
        }

        public var description: String {
            (year.map { "\(Padded($0, 4))-" } ?? "") + "\(Padded(month))-\(Padded(day))"
        }

        fileprivate func isBefore(_ other: (month: Int, day: Int)) -> Bool { (month, day) < other }
        fileprivate func isAfter(_ other: (month: Int, day: Int)) -> Bool { (month, day) > other }
    }

    /// The ends.
    public let first: Day, last: Day

    /// Creates a span; nil if one end has a year and the other has none, or it ends before it begins in the same year.
    public init?(_ first: Day, _ last: Day) {
        guard (first.year == nil) == (last.year == nil) else { return nil }
        if let year = first.year, let lastYear = last.year {
            guard (year, first.month, first.day) <= (lastYear, last.month, last.day) else { return nil }
        }
        (self.first, self.last) = (first, last)
    }

    /// Reads "12-24", "2026-12-24" or two of them with `..` between; nil for anything else.
    public init?(_ text: String) {
        let ends = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map { end in
            Day(end.split(separator: " ").joined(separator: " ")[...])
        }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil else { return nil }
        self.init(first, last)
    }

    /// Returns true if a date lies in the span. A span that ends on an earlier day of the year than it begins runs over the
    /// turn of the year.
    public func contains(_ date: CivilDate) -> Bool {
        if let year = first.year, let lastYear = last.year {
            return (year, first.month, first.day) <= (date.year, date.month, date.day)
                && (date.year, date.month, date.day) <= (lastYear, last.month, last.day)
        }
        let day = (month: date.month, day: date.day), isTurned = last.isBefore((first.month, first.day))
        let isLate = !first.isAfter(day), isEarly = !last.isBefore(day)
        return isTurned ? isLate || isEarly : isLate && isEarly
    }

    public var description: String { first == last ? "\(first)" : "\(first)..\(last)" }
}
