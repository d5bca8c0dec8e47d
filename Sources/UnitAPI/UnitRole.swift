/// The purpose of a unit in its graph: a surface shows instruments, strips, sends, the master and meters as such, for any
/// names and types.
public enum UnitRole: String, Codable, CaseIterable, Sendable {
    /// Plays the music of a part.
    case instrument
    /// Changes music before instruments receive it: an arpeggiator, a transposer.
    case midi
    /// The way of one part to the mixer: gain, pan, mute, solo.
    case strip
    /// An effect that strips send to.
    case send
    /// Is in the path of the whole sound: a mixer, a limiter.
    case master
    /// Shows a level, and is not heard.
    case meter

    /// True if songs and keyboards play the unit.
    public var isPlayed: Bool { self == .instrument || self == .midi }
}
