/// The purpose of a unit in its graph: a surface shows instruments, strips, sends, the master and meters as such, whatever they
/// are called and whatever type they are.
public enum UnitRole: String, Codable, CaseIterable, Sendable {
    /// Plays what a part says.
    case instrument
    /// Changes what is played before instruments hear it: an arpeggiator, a transposer.
    case midi
    /// The way of one part to the mixer: gain, pan, mute, solo.
    case strip
    /// An effect that strips send to.
    case send
    /// Stands in the way of the whole sound: a mixer, a limiter.
    case master
    /// Shows a level, and is not heard.
    case meter

    /// True where songs and keyboards play the unit.
    public var isPlayed: Bool { self == .instrument || self == .midi }
}
