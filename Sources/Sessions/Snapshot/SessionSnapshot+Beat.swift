/// The beat of a session: its metronome, and the master that it follows.
extension SessionSnapshot {
    /// A metronome that was asked for.
    public struct Metronome: Sendable, Hashable {
        public var isRunning: Bool
        /// Quarter notes a minute.
        public var tempo: Double
        /// Beats of a bar.
        public var beats: Int
        /// The beat and the bar, from 1 on; 0 before the first.
        public var beat: Int
        public var bar: Int
    }

    /// The master whose MIDI clock the songs follow.
    public struct Following: Sendable, Hashable {
        /// The state of the master's clock: it does not send, is not known well enough yet, is known well, or has stopped
        /// sending without notice.
        public enum State: String, Sendable { case waiting, locking, locked, lost }

        /// The master's name, as it was asked for.
        public var name: String
        /// The port that is connected; nil while none is.
        public var port: String?
        public var state: State
        /// Quarter notes a minute, as the master was heard last; nil before the first.
        public var tempo: Double?
        /// True while the master plays: it was started, and not stopped.
        public var isPlaying: Bool
        /// True while the songs are paused by a command, without regard to the master.
        public var isHeld: Bool

        /// A master as it is known at one moment.
        public init(
            name: String, port: String? = nil, state: State = .waiting, tempo: Double? = nil, isPlaying: Bool = false,
            isHeld: Bool = false
        ) {
            (self.name, self.port, self.state, self.tempo) = (name, port, state, tempo)
            (self.isPlaying, self.isHeld) = (isPlaying, isHeld)
        }
    }
}

extension SessionSnapshot.Metronome: Fielded {
    package static let fields: [Field<Self>] = [
        Field("isRunning", \.isRunning, "Whether it clicks."),
        Field("tempo", \.tempo, "Quarter notes a minute."),
        Field("beats", \.beats, "Beats of a bar."),
        Field("beat", \.beat, "The beat, from 1 on; 0 before the first."),
        Field("bar", \.bar, "The bar, from 1 on; 0 before the first."),
    ]
}

extension SessionSnapshot.Following: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The master's name, as it was given."),
        Field("port", \.port, "The port that is connected."),
        Field("state", \.state, "How well the master's clock is known."),
        Field("tempo", \.tempo, "The master's last tempo in quarter notes per minute."),
        Field("isPlaying", \.isPlaying, "Whether the master plays."),
        Field("isHeld", \.isHeld, "Whether the songs are paused by a request, regardless of the master."),
    ]
}

extension SessionSnapshot.Following.State: FieldWord {}
