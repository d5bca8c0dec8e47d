extension SessionSnapshot {
    /// The installation that a session belongs to, where it belongs to one.
    public struct House: Sendable, Hashable {
        /// A cue that can be asked for.
        public struct Cue: Sendable, Hashable {
            public var name: String
            public var isPlaying: Bool

            public init(name: String, isPlaying: Bool) { (self.name, self.isPlaying) = (name, isPlaying) }
        }

        /// The next change by the calendar, and when it comes, as the clocks will show it.
        public struct Change: Sendable, Hashable {
            public var at: String
            /// `closed`, or what plays then.
            public var what: String

            public init(at: String, what: String) { (self.at, self.what) = (at, what) }
        }

        /// True while the house is open by the calendar.
        public var isOpen: Bool
        /// The playlist that plays by the calendar; nil while the house is closed.
        public var playlist: String?
        /// The level, in decibels.
        public var level: Double
        /// True while the music stands still by the calendar.
        public var isPaused: Bool
        /// True if somebody has stopped the music, who is no calendar.
        public var isStopped = false
        public var next: Change?
        public var cues: [Cue]
        /// The playlists of the file.
        public var playlists: [String]

        public init(
            isOpen: Bool, playlist: String?, level: Double, isPaused: Bool, next: Change?, cues: [Cue], playlists: [String]
        ) {
            (self.isOpen, self.playlist, self.level, self.isPaused) = (isOpen, playlist, level, isPaused)
            (self.next, self.cues, self.playlists) = (next, cues, playlists)
        }
    }
}
