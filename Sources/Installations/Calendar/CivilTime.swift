/// The time on a clock and a calendar on the wall: a date and a time of day, without a zone. No leap seconds, as POSIX has it.
public struct CivilTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var date: CivilDate
    /// Seconds since midnight, 0..<86 400.
    public var second: Int

    /// Creates a time of a day; one before midnight or after the next is of the day before or after.
    public init(_ date: CivilDate, second: Int) {
        let days = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
        self.date = days == 0 ? date : date.advanced(by: days)
        self.second = second - days * 86_400
    }

    /// The time as if it were Greenwich's.
    init(seconds: Int64) {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        self.init(CivilDate(days: Int(days)), second: Int(seconds - days * 86_400))
    }

    /// Seconds since 1970, as if it were Greenwich's.
    var seconds: Int64 { Int64(date.days) * 86_400 + Int64(second) }

    public static func < (a: CivilTime, b: CivilTime) -> Bool { (a.date, a.second) < (b.date, b.second) }

    /// The time as text: "2026-02-28 09:30:00".
    public var description: String { "\(date) \(timeOfDay)" }

    /// The time of day alone: "09:30:00".
    public var timeOfDay: String { "\(Padded(second / 3600)):\(Padded(second / 60 % 60)):\(Padded(second % 60))" }
}

/// A moment of the world, wherever one is: seconds since the beginning of 1970 in Greenwich, as POSIX counts them.
public struct WallTime: Hashable, Comparable, Sendable {
    public var seconds: Int64

    /// Creates a moment in seconds since 1970 began.
    public init(seconds: Int64) { self.seconds = seconds }

    /// Returns a moment `seconds` seconds later.
    public static func + (time: WallTime, seconds: Int64) -> WallTime { WallTime(seconds: time.seconds + seconds) }

    /// Seconds from one moment to another.
    public static func - (a: WallTime, b: WallTime) -> Int64 { a.seconds - b.seconds }

    public static func < (a: WallTime, b: WallTime) -> Bool { a.seconds < b.seconds }
}
