/// The music that a recorded song contains.
public enum RecordedMusic: String, Sendable, Hashable, CaseIterable {
    /// All events that were sent to units: the keys, after zones and filters.
    case keys
    /// All events that instruments heard: the output of MIDI units, such as an arpeggiator.
    case notes
}

extension LiveOptions {
    /// The options of a session's recorder.
    public struct Recording: Sendable, Hashable {
        /// Minutes of playing that are kept.
        public var minutes = 10.0
        /// The music that is written by default.
        public var music = RecordedMusic.keys

        /// The defaults.
        public init() {}
    }
}
