/// Times that an installation keeps, in earnest and in a dry run. Unit: seconds.
enum House {
    /// Silence between two playlists: what rings of the former one would come back with the level.
    static let rest = 3.0
    /// The wait before what could not be done is tried again.
    static let patience = 10.0
    /// The level, in decibels, at which a fade ends before it is silence.
    static let softest = -60.0
    /// The fades around a song that is a cue, the silence before the music goes on, and the fade in which it makes room for
    /// a sound.
    static let cueFade = 1.0, cueRest = 0.3, duckFade = 0.3
    /// A sound has begun by then, and says itself when it has ended.
    static let soundStart = 0.5
    /// The time in which a note is not told again.
    static let repetition = 60.0
    /// The number of times in a second that what was asked for is told, at most.
    static let mostAsked = 4
    /// Seconds that a cue's song or layer waits for a fade, and that a closing waits for sounds, at most.
    static let longestWait = 60.0, longestSound = 30.0
    /// Songs that wait at most because somebody has asked for them.
    static let mostRequests = 100
    /// Files of songs that are looked at in one step, at most.
    static let mostLooks = 50
    /// The times of day that a clock passes in a longer step are missed.
    static let longestStep: Int64 = 60
    static let day: Int64 = 86_400
    /// The fade with which it comes back after an interruption, and the longest one when it is told to end.
    static let quickFade = 0.5, lastFade = 2.5
    /// Seconds beyond the last fade after which a device that stands still keeps nobody.
    static let endPatience = 0.5
}
