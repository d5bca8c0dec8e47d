import Carillon

/// What a line asks for: a command of the session, or to be told something.
public enum ControlRequest: Sendable, Hashable {
    case command(ControlCommand)
    /// How things stand.
    case status
    /// The numbers that are watched over months.
    case metrics
    /// How things stand, again and again, so many seconds apart.
    case watch(every: Double)
    /// What may be asked.
    case help
}
