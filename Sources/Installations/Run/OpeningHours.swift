/// Decides from the calendar, and from users' wishes for a while, what is to happen to the music. A pure machine: the time
/// goes in, the actions come out.
///
/// It compares the present situation with the one that it asked for last, so a clock that is set, by an hour or by a year,
/// leads to the situation of then and to nothing twice.
public struct OpeningHours: Sendable {
    /// Something that the installation is to do.
    public enum Action: Hashable, Sendable {
        /// The installation opens: a playlist plays from its beginning, so loud.
        case open(playlist: String, level: Double)
        /// The installation closes.
        case close
        /// Another playlist plays, from its beginning.
        case change(playlist: String)
        /// The music is paused, or goes on.
        case pause, resume
        /// The level of everything from now on, in decibels.
        case level(Double)
    }

    private let calendar: InstallationCalendar
    /// The wishes of users that override the calendar.
    public private(set) var wishes: InstallationWishes
    /// The playlist for an installation that is opened by hand while its calendar has it closed: the one that played last.
    private var usual: String?
    /// The situation that the hours requested last; nil before the first.
    public private(set) var situation: InstallationCalendar.Situation?

    /// Creates hours that have requested nothing yet.
    ///
    /// `wishes` were saved. `usual` plays if the installation is opened by hand while the calendar has it closed.
    public init(_ calendar: InstallationCalendar, wishes: InstallationWishes = InstallationWishes(), usual: String? = nil) {
        (self.calendar, self.wishes, self.usual) = (calendar, wishes, usual)
    }

    /// Creates hours with another calendar, which know what the former ones requested. Wishes for playlists that no longer
    /// exist are over.
    public init(_ calendar: InstallationCalendar, after former: OpeningHours, playlists: [String]) {
        (self.calendar, situation, wishes, usual) = (calendar, former.situation, former.wishes, former.usual)
        if case .open(let name?)? = wishes.opening?.value, !playlists.contains(name) { wishes.opening = nil }
        if !(usual.map(playlists.contains) ?? false) { usual = playlists.first }
    }

    /// Returns what is to be done now, in this order.
    public mutating func actions(at now: WallTime) -> [Action] {
        wishes.pass(to: now)
        let former = situation ?? InstallationCalendar.Situation(), next = situation(at: now)
        if let playlist = next.playlist { usual = playlist }
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

    /// Returns when something is to be done for the next time; nil if that is not within two years.
    public func nextChange(after now: WallTime) -> WallTime? {
        let here = situation(at: now)
        var moment = now
        // A change of the calendar may make no difference to what users wish for.
        for _ in 0..<Self.mostChanges {
            let ends = wishes.ends.filter { $0 > moment }
            guard let next = ([calendar.nextChange(after: moment)].compactMap { $0 } + ends).min() else { return nil }
            if !situation(at: next).isHeard(as: here) { return next }
            moment = next
        }
        return nil
    }

    private static let mostChanges = 1_000

    /// Returns the next change of the calendar alone: until then a wish holds that has no other end.
    public func nextPlannedChange(after now: WallTime) -> WallTime? { calendar.nextChange(after: now) }

    /// Overrides the calendar, or returns to it.
    public mutating func wish(_ change: (inout InstallationWishes) -> Void) { change(&wishes) }

    /// Returns the situation that the hours request at a moment.
    public func situation(at moment: WallTime) -> InstallationCalendar.Situation {
        wishes.applied(to: calendar.situation(at: moment), at: moment, usual: usual)
    }
}
