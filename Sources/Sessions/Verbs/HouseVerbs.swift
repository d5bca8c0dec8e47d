/// Verbs about an installation: overrides of its calendar, and what plays next. The installation carries them out, open or
/// closed; a session alone has no calendar, and plays songs of its list.
extension Verb {
    static let house = [cue, releaseCue] + wishes
    /// Verbs that override the calendar, and those that ask for a song.
    package static let wishes = [
        openHouse, closeHouse, quieter, playList, asPlanned, playSong, queueSong, queueFirst, unqueueSong, clearQueue,
    ]

    private static let until = VerbArgument("UNTIL", .name, isOptional: true)

    package static let openHouse = wish(
        "open", [until],
        help:
            "Opens the installation or keeps it open: until a time (18:00), for a while (+1:30), or until the next change.",
        "open 18:00")
    package static let closeHouse = wish(
        "close", [until], help: "Closes the installation until a time, for a while, or for the rest of the day.", "close")
    package static let quieter = wish(
        "quieter", [.init("LEVEL", .number(VerbArgument.reduction)), until],
        help: "Lowers the calendar's level, until a time, for a while, or until its next change.",
        "quieter 6 22:00")
    package static let playList = wish(
        "play-list", [.name("house", "playlists"), until],
        help: "Plays a playlist instead of the calendar's, until a time, for a while, or until its next change.",
        "play-list evening 22:00")
    package static let asPlanned = wish(
        "as-planned",
        help: "Returns to the calendar: ends all requests that override it, and clears the queue.", "as-planned")
    package static let playSong = Verb(
        "play-song", [song], help: "Plays a song now, by its name or its number in songs; the list resumes after it.",
        "play-song gavotte"
    ) { (songs: SongsPart, values) throws(LiveError) in try songs.play(values.text(0)) }
    package static let queueSong = wish(
        "queue-song", [song], help: "Plays a song of the playlists after the current one.", "queue-song gavotte")
    package static let queueFirst = wish(
        "queue-first", [waiting], help: "Moves a song to the front of the queue, by its name or its number there.",
        "queue-first 2")
    package static let unqueueSong = wish(
        "unqueue-song", [waiting], help: "Removes a song from the queue, by its name or its number there.",
        "unqueue-song gavotte")
    package static let clearQueue = wish(
        "clear-queue", help: "Removes all requested songs from the queue.", "clear-queue")

    private static let song = VerbArgument("NAME", .name, known: .init(question: "songs", keys: ["songs", "name"]))
    private static let waiting = VerbArgument.name("house", "requests")

    private static func wish(_ word: String, _ arguments: [VerbArgument] = [], help: String, _ example: String) -> Verb {
        Verb(word, arguments, help: help, example) { (_: Session, _) throws(LiveError) in throw .noInstallation }
    }
}

extension ControlCommand {
    /// Opens an installation, or keeps it open.
    ///
    /// - Parameter until: a time of day (`18:00`), a while (`+1:30`), or nil: the calendar's next change.
    public static func openHouse(until: String? = nil) -> ControlCommand { Verb.openHouse(until) }

    /// Closes an installation.
    ///
    /// - Parameter until: a time of day, a while, or nil: the rest of the day.
    public static func closeHouse(until: String? = nil) -> ControlCommand { Verb.closeHouse(until) }

    /// Plays everything softer than an installation's calendar has it.
    ///
    /// - Parameters:
    ///   - decibels: 0...60; 0 ends it.
    ///   - until: a time of day, a while, or nil: the calendar's next change.
    public static func quieter(_ decibels: Double, until: String? = nil) -> ControlCommand { Verb.quieter(decibels, until) }

    /// Plays a playlist of an installation instead of its calendar's.
    ///
    /// - Parameter until: a time of day, a while, or nil: the calendar's next change.
    public static func playList(_ name: String, until: String? = nil) -> ControlCommand { Verb.playList(name, until) }

    /// Returns an installation to its calendar.
    public static let asPlanned = Verb.asPlanned()
    /// Plays a song of the list, or of an installation's playlists, now.
    ///
    /// - Parameter name: its name, with or without its ending, or its number among all.
    public static func playSong(_ name: String) -> ControlCommand { Verb.playSong(name) }
    /// Queues a song of an installation's playlists after the current song and after those that were asked for before.
    public static func queueSong(_ name: String) -> ControlCommand { Verb.queueSong(name) }
    /// Moves a song in an installation's queue to the front.
    ///
    /// - Parameter name: its name, with or without its ending, or its number in the queue.
    public static func queueFirst(_ name: String) -> ControlCommand { Verb.queueFirst(name) }
    /// Takes a song out of an installation's queue again; named as for `queueFirst`.
    public static func unqueueSong(_ name: String) -> ControlCommand { Verb.unqueueSong(name) }
    /// Takes out of an installation's queue all songs that were asked for.
    public static let clearQueue = Verb.clearQueue()
}
