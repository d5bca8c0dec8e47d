/// An entry of an installation's calendar: when it holds, and what it sets.
public struct CalendarEntry: Hashable, Sendable {
    /// The effect of an entry on the music.
    public enum Effect: Hashable, Sendable {
        /// A playlist plays.
        case playlist(String)
        /// Nothing plays, and the sound card is free.
        case closed
        /// The music stands still and goes on afterwards.
        case paused
    }

    /// The name of the entry.
    public var name: String
    /// The days of the week on which it begins; none: every day.
    public var days: Set<Weekday> = []
    /// The dates on which it begins; none: every date.
    public var dates: [DateSpan] = []
    /// The time of day at which it begins. Unit: seconds since midnight, 0...86 400.
    public var from = 0
    /// The time of day at which it ends; at or before `from` that of the next day. Unit: seconds since midnight, 0...86 400.
    public var to = 86_400
    /// The effect on the music; nil means none.
    public var effect: Effect?
    /// The level of everything, in decibels; nil means as it is.
    public var level: Double?
    /// Seconds of the fade with which it begins; nil means as the installation has it.
    public var fade: Double?

    /// Creates an entry that holds always and sets nothing.
    public init(_ name: String) { self.name = name }

    func begins(on date: CivilDate) -> Bool {
        (days.isEmpty || days.contains(date.weekday)) && (dates.isEmpty || dates.contains { $0.contains(date) })
    }

    /// Empty if the clocks leap over all of it.
    func span(on date: CivilDate, in zone: WallZone) -> Range<WallTime>? {
        let start = zone.moment(of: CivilTime(date, second: from))
        let end = zone.moment(of: CivilTime(date, second: to <= from ? to + 86_400 : to))
        return start < end ? start..<end : nil
    }
}
