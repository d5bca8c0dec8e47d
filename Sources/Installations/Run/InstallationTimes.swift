/// Times that an installation keeps, in earnest and in a dry run. Unit: seconds.
enum InstallationTimes {
    /// Silence between two playlists: what rings of the former one would come back with the level.
    static let rest = 3.0
    /// The wait before what could not be done is tried again.
    static let patience = 10.0
    /// The level, in decibels, at which a fade ends before it is silence.
    static let softest = -60.0
    /// The fades around a song that is a cue, the silence before the music goes on, and the fade in which it makes room for
    /// a sound.
    static let cueFade = 1.0, cueRest = 0.3, duckFade = 0.3
    /// A sound has begun by then, and reports its own end.
    static let soundStart = 0.5
    /// The time in seconds during which a note is not repeated.
    static let repetition = 60.0
    /// The most requests that are reported in a second.
    static let mostAsked = 4
    /// Seconds that a cue's song or layer waits for a fade, and that a closing waits for sounds, at most.
    static let longestWait = 60.0, longestSound = 30.0
    /// The largest number of requested songs that wait.
    static let mostRequests = 100
    /// The most files of songs that one step looks at.
    static let mostLooks = 50
    /// Times of day that the clock passes in a step longer than this are missed.
    static let longestStep: Int64 = 60
    static let day: Int64 = 86_400
    /// The fade in after an interruption, and the longest fade out when it is asked to end.
    static let quickFade = 0.5, lastFade = 2.0
    /// Seconds after the last fade after which a device that stands still is no longer waited for.
    static let endPatience = 0.5
}
