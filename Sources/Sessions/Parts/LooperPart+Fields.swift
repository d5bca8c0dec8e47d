import Reports
import Units

extension LooperPart {
    static let fields: [PartField<LooperPart>] = [
        PartField(\.loops, "loops", "The tracks of the looper; empty until one is asked for.") { $0.shown }
    ]
}

extension SnapshotKeys {
    /// The tracks of the looper; empty until one is asked for.
    public var loops: SnapshotKey<[SessionSnapshot.Loop]> { SnapshotKey([]) }
}

extension SessionSnapshot {
    /// A track of the looper.
    public struct Loop: Sendable, Hashable {
        /// From 1 on.
        public var track: Int
        /// `empty`, `stopped`, `playing`, `recording`, `overdubbing` or `replacing`.
        public var state: String
        /// The state that was asked for and begins later, as on the next bar or after a count-in; nil for none.
        public var coming: String?
        /// The length of the loop, in seconds and in beats of the session's tempo.
        public var seconds: Double
        public var beats: Double
        /// The place in the loop, in seconds.
        public var position: Double
        /// Layers that sound, and layers that were taken back.
        public var layers: Int
        public var undone: Int
        public var isMuted: Bool
        public var isSoloed: Bool
        /// True if a file has it as it is.
        public var isSaved = false
        /// Whether it is sound or MIDI.
        public var kind = Session.LoopKind.audio
    }
}

extension SessionSnapshot.Loop: Fielded {
    package static let fields: [Field<Self>] = [
        Field("track", \.track, "The number of the track, from 1 on."),
        Field("state", \.state, "What it does: empty, stopped, playing, recording, overdubbing, replacing."),
        Field("coming", \.coming, "The state that was asked for, until it begins on its bar."),
        Field("seconds", \.seconds, "The length of the loop in seconds."),
        Field("beats", \.beats, "The length of the loop in beats of the session's tempo."),
        Field("position", \.position, "The place in the loop in seconds."),
        Field("layers", \.layers, "The layers that sound."),
        Field("undone", \.undone, "The layers that were taken back."),
        Field("isMuted", \.isMuted, "Whether it is muted."),
        Field("isSoloed", \.isSoloed, "Whether it is soloed."),
        Field("isSaved", \.isSaved, "Whether a file has it as it is."),
        Field("kind", \.kind.rawValue, "What it records: audio or midi."),
    ]
}
