/// The calendar of an installation, for any moment: which playlist plays, how loud, or that it is closed.
///
/// Entries are asked in their order, and a later one decides on everything that it sets: so exceptions come after the usual
/// rules, and an entry that only has a level changes nothing else. The hours of an entry belong to the day on which they
/// begin, also over midnight; a day that is closed as a whole is closed with all that would begin on it. Each time of day
/// means one moment: the first that shows it if the clocks are put back, and the leap if they are put forward. The clock of
/// the wall decides about hours alone: the music in them does not depend on it. A value; any thread.
public struct InstallationCalendar: Sendable {
    /// Everything that holds at a moment.
    public struct Situation: Hashable, Sendable {
        /// The playlist that plays; nil while the installation is closed.
        public var playlist: String?
        /// True while the music stands still.
        public var isPaused = false
        /// The level of everything, in decibels.
        public var level = 0.0
        /// Seconds in which it comes about; nil means as the installation has it.
        public var fade: Double?
        /// The entries that hold, in order.
        public var entries: [String] = []

        /// a closed installation.
        public init() {}

        /// The situation in words: `closed`, `day at -6 dB`.
        public var words: String {
            guard let playlist else { return "closed" }
            let size = abs(level), whole = Int(size.rounded())
            let text = Double(whole) == size ? "\(whole)" : "\((size * 10).rounded() / 10)"
            let level = level == 0 ? "" : " at \(level < 0 ? "-" : "")\(text) dB"
            return "\(playlist)\(level)\(isPaused ? ", standing still" : "")"
        }

        /// Returns what has changed since another situation: `level 0 dB`, `stands still`; or the whole situation if the
        /// playlist has changed.
        public func words(after former: Situation) -> String {
            if playlist == nil || playlist != former.playlist { return words }
            if isPaused != former.isPaused { return isPaused ? "stands still" : "goes on" }
            let size = (level * 10).rounded() / 10
            return level == former.level ? words : "level \(size == size.rounded() ? "\(Int(size))" : "\(size)") dB"
        }

        /// A closed installation has no level.
        func isHeard(as other: Situation) -> Bool {
            playlist == nil && other.playlist == nil
                || (playlist, isPaused, level) == (other.playlist, other.isPaused, other.level)
        }
    }

    /// The entries, in order.
    public let entries: [CalendarEntry]
    public let zone: WallZone
    /// Days ahead: every weekday of every date comes within 28 years, all usual rules within two.
    private static let horizon = 800

    /// Creates a calendar; without entries it is always closed.
    public init(_ entries: [CalendarEntry], in zone: WallZone) { (self.entries, self.zone) = (entries, zone) }

    /// Returns the situation at a moment.
    public func situation(at moment: WallTime) -> Situation {
        var situation = Situation()
        let today = zone.civil(at: moment).date
        for (place, entry) in entries.enumerated() where holds(entry, place, at: moment, today) {
            situation.entries.append(entry.name)
            switch entry.effect {
            case .playlist(let name): (situation.playlist, situation.isPaused) = (name, false)
            case .closed: (situation.playlist, situation.isPaused) = (nil, false)
            case .paused: situation.isPaused = true
            case nil: break
            }
            if let level = entry.level { situation.level = level }
            if let fade = entry.fade { situation.fade = fade }
        }
        // A closed installation has no music to pause.
        if situation.playlist == nil { situation.isPaused = false }
        return situation
    }

    /// Returns when something else is heard for the next time; nil if that is not within two years.
    public func nextChange(after moment: WallTime) -> WallTime? {
        let now = situation(at: moment), today = zone.civil(at: moment).date
        // What begins on a day ends within two days: late, and over the next midnight.
        var ends = (-2...(-1)).flatMap { self.ends(beginningOn: today.advanced(by: $0)) }
        for day in 0...Self.horizon {
            let date = today.advanced(by: day), midnight = zone.moment(of: CivilTime(date, second: 86_400))
            ends += self.ends(beginningOn: date)
            let due = Set(ends.filter { $0 > moment && $0 < midnight }).sorted()
            if let change = due.first(where: { !situation(at: $0).isHeard(as: now) }) { return change }
            ends.removeAll { $0 < midnight }
        }
        return nil
    }

    private func ends(beginningOn date: CivilDate) -> [WallTime] {
        entries.filter { $0.begins(on: date) }.compactMap { $0.span(on: date, in: zone) }.flatMap {
            [$0.lowerBound, $0.upperBound]
        }
    }

    /// Then nothing begins on that day, even if it would last past midnight.
    private func isClosed(_ date: CivilDate, behind place: Int) -> Bool {
        entries[(place + 1)...].contains { entry in
            entry.effect == .closed && entry.from == 0 && entry.to == 86_400 && entry.begins(on: date)
        }
    }

    private func holds(_ entry: CalendarEntry, _ place: Int, at moment: WallTime, _ today: CivilDate) -> Bool {
        // A day of the calendar may be one day off the day of the zone's offset.
        for day in -1...1 {
            let date = today.advanced(by: day)
            if entry.effect != nil, entry.effect != .closed, isClosed(date, behind: place) { continue }
            if entry.begins(on: date), entry.span(on: date, in: zone)?.contains(moment) == true { return true }
        }
        return false
    }
}
