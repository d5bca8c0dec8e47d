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
    /// What changes seldom, or is long.
    case tell(ControlQuestion)
    /// Whoever asks may do less from here on.
    case role(ControlRole.Name)
}

/// What a session tells beside how it stands.
public enum ControlQuestion: Sendable, Hashable {
    /// The song that plays: bars, markers, words.
    case song
    /// Its notes between two times, in seconds.
    case notes(from: Double, to: Double)
    /// The sounds that channels can be given.
    case sounds
    /// The units of what sounds, their parameters and the values of these.
    case parameters
    /// The volume of the sound card itself.
    case hardwareVolume
    /// What was told of late.
    case log
    /// Whether all is well.
    case health
    /// The metrics as a Prometheus server reads them, as one JSON string.
    case prometheus
    /// A description of the HTTP interface that speaks for this socket.
    case openAPI
}
