/// The music that stands in a recorded song.
public enum RecordedMusic: String, Sendable, Hashable, CaseIterable {
    /// All that was sent to units: the keys, as zones and filters made them.
    case keys
    /// All that instruments heard: what MIDI units, such as an arpeggiator, have made of the keys.
    case notes
}

/// The options of a session's recorder.
public struct RecordingOptions: Sendable, Hashable {
    /// Minutes of playing that are kept.
    public var minutes = 10.0
    /// The music that is written where nobody says otherwise.
    public var music = RecordedMusic.keys

    /// The defaults.
    public init() {}
}
