import Carillon
import Reports

/// The installation that a session belongs to, if there is one.
public struct InstallationStatus: Sendable, Hashable {
    /// A cue that can be requested.
    public struct Cue: Sendable, Hashable {
        public var name: String
        public var isPlaying: Bool
        /// True for one that plays as long as it is held.
        public var isHeld = false
    }

    /// The next change by the calendar, and when it comes, as the clocks will show it.
    public struct Change: Sendable, Hashable {
        public var at: String
        /// `closed`, or the playlist that plays then.
        public var what: String
    }

    /// A user's request that overrides the calendar, its end as the clocks will show it, and its origin.
    public struct Wish: Sendable, Hashable {
        /// `closed`, `open: evening`, `softer by 6.0 dB`.
        public var what: String
        public var until: String
        /// `http 192.168.1.7 (full)`; nil if unknown.
        public var by: String?
    }

    /// True while the installation is open by the calendar.
    public var isOpen: Bool
    /// The playlist that plays by the calendar; nil while the installation is closed.
    public var playlist: String?
    /// The level, in decibels.
    public var level: Double
    /// True while the music is paused by the calendar.
    public var isPaused: Bool
    /// True if a user, and not the calendar, has paused or stopped the music.
    public var isStopped: Bool { [.paused, .stopped].contains(activity.state) && !isPaused }
    public var next: Change?
    public var cues: [Cue]
    /// The playlists of the file.
    public var playlists: [String]
    /// The state that it is in.
    public var activity: Activity
    /// The requests that are in force, and the songs that wait after the one that plays.
    public var wishes: [Wish] = []
    public var queue: [String] = []
    /// The first songs of the queue, which users have asked for.
    public var requests: [String] = []
    /// The songs of all playlists; part of an answer of their own, not of the status.
    public var songs: [ListedSong] = []
    /// The changes of the next seven days, requests included; part of an answer of their own, not of the status.
    public var week: [Change] = []
    /// A fault that has lasted for half a minute or longer; nil if all is well.
    public var trouble: Trouble?
    /// Songs of the file that can be read, and seconds since something was heard last; nil before the first sound.
    public var playableSongs = 0
    public var secondsSinceSound: Double?
}

extension SnapshotKeys {
    /// The installation that the session belongs to, if there is one.
    public var installation: SnapshotKey<InstallationStatus?> { SnapshotKey(nil) }
}

extension InstallationStatus: Fielded {
    package static let fields: [Field<Self>] = [
        Field("isOpen", \.isOpen, as: .gauge("house_open"), "Whether the installation is open by the calendar."),
        Field("playlist", \.playlist, "The playlist that plays by the calendar."),
        Field("level", \.level, "The level, in decibels."),
        Field("isPaused", \.isPaused, "Whether the music is paused by the calendar."),
        Field("isStopped", \.isStopped, "Whether the music was stopped by a request."),
        Field("activity", \.activity, "The current state."),
        Field("trouble", \.trouble, "A fault that has lasted half a minute or longer."),
        Field("playableSongs", \.playableSongs, as: .gauge("playable_songs"), "Songs of its playlists that can be played."),
        Field(
            "secondsSinceSound", \.secondsSinceSound, as: .gauge("since_sound", in: "seconds"),
            "Seconds since something was heard last."),
        Field("next", \.next, "The next change by the calendar."),
        Field("wishes", \.wishes, "Requests that override the calendar."),
        Field("queue", \.queue, "The songs that follow the current one."),
        Field("requests", \.requests, "The first songs of the queue: those that were requested."),
        Field("cues", \.cues, "The cues that can be requested."),
        Field("playlists", \.playlists, "The playlists of the file."),
    ]
}

extension InstallationStatus.Cue: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The cue's name."), Field("isPlaying", \.isPlaying, "Whether it plays."),
        Field("isHeld", \.isHeld, "Whether it plays only while it is held."),
    ]
}

extension InstallationStatus.Wish: Fielded {
    package static let fields: [Field<Self>] = [
        Field("what", \.what, "What applies: closed, open with a playlist, softer."),
        Field("until", \.until, "When it ends, in local time."),
        Field("by", \.by, "Who requested it."),
    ]
}

extension InstallationStatus.Change: Fielded {
    package static let fields: [Field<Self>] = [
        Field("at", \.at, "When it comes, in local time."),
        Field("what", \.what, "What plays then, or that the installation is closed."),
    ]
}
