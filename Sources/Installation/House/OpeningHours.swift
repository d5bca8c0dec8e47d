/// Decides from the calendar what is to happen to the music. A pure machine: the time goes in, what is to be done comes out.
///
/// It compares what holds with what it asked for last, so a clock that is set, by an hour or by a year, leads to what holds
/// then and to nothing twice.
public struct OpeningHours: Sendable {
    /// Something that the house is to do.
    public enum Action: Hashable, Sendable {
        /// The house opens: a playlist plays from its beginning, so loud.
        case open(playlist: String, level: Double)
        /// The house closes.
        case close
        /// Another playlist plays, from its beginning.
        case change(playlist: String)
        /// The music stands still, or goes on.
        case pause, resume
        /// The level of everything from now on, in decibels.
        case level(Double)
    }

    private let calendar: InstallationCalendar
    /// The situation that the hours asked for last; nil: none yet.
    public private(set) var situation: InstallationCalendar.Situation?

    /// A hours who has not looked yet.
    public init(_ calendar: InstallationCalendar) { self.calendar = calendar }

    /// A hours with another calendar, who knows what the one before asked for.
    public init(_ calendar: InstallationCalendar, after former: OpeningHours) {
        (self.calendar, situation) = (calendar, former.situation)
    }

    /// Returns what is to be done now, in this order.
    public mutating func actions(at now: WallTime) -> [Action] {
        let former = situation ?? InstallationCalendar.Situation(), next = calendar.situation(at: now)
        situation = next
        var actions: [Action] = []
        guard let playlist = next.playlist else { return former.playlist == nil ? [] : [.close] }
        if former.playlist == nil {
            actions.append(.open(playlist: playlist, level: next.level))
            return next.isPaused ? actions + [.pause] : actions
        }
        if next.level != former.level { actions.append(.level(next.level)) }
        if playlist != former.playlist { actions.append(.change(playlist: playlist)) }
        if next.isPaused != former.isPaused { actions.append(next.isPaused ? .pause : .resume) }
        return actions
    }

    /// When something is to be done for the next time; nil where that is not within two years.
    public func nextChange(after now: WallTime) -> WallTime? { calendar.nextChange(after: now) }

    /// Returns the situation that the hours asks for at a moment.
    public func situation(at moment: WallTime) -> InstallationCalendar.Situation { calendar.situation(at: moment) }
}
