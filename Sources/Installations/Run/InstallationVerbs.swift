import Carillon
import Control
import UnitAPI

/// Verbs that override an installation's calendar and fill its queue, open or closed, and those of its cues.
extension Verb {
    private static let until = VerbArgument("UNTIL", .name, isOptional: true)
    private static let reduction = ParameterSpec(
        "level", 0...60, default: 6, unit: .decibels, help: "How much softer everything is.")
    private static let song = VerbArgument("NAME", .name, known: .init(question: "songs", keys: ["songs", "name"]))
    private static let waiting = VerbArgument.name("house", "requests")
    private static let knownCue = VerbArgument.name("house", "cues", "name")

    static let openInstallation = Verb(
        "open", [until],
        help:
            "Opens the installation or keeps it open: until a time (18:00), for a while (+1:30), or until the next change.",
        "open 18:00"
    ) { (part: InstallationPart, values) throws(Fault) in try part.open(until: values.optionalText(0)) }
    static let closeInstallation = Verb(
        "close", [until], help: "Closes the installation until a time, for a while, or for the rest of the day.", "close"
    ) { (part: InstallationPart, values) throws(Fault) in try part.close(until: values.optionalText(0)) }
    static let quieter = Verb(
        "quieter", [.init("LEVEL", .number(reduction)), until],
        help: "Lowers the calendar's level, until a time, for a while, or until its next change.", "quieter 6 22:00"
    ) { (part: InstallationPart, values) throws(Fault) in
        try part.lower(by: values.number(0), until: values.optionalText(1))
    }
    static let playList = Verb(
        "play-list", [.name("house", "playlists"), until],
        help: "Plays a playlist instead of the calendar's, until a time, for a while, or until its next change.",
        "play-list evening 22:00"
    ) { (part: InstallationPart, values) throws(Fault) in
        try part.play(list: values.text(0), until: values.optionalText(1))
    }
    static let asPlanned = Verb(
        "as-planned", help: "Returns to the calendar: ends all requests that override it, and clears the queue.", "as-planned"
    ) { (part: InstallationPart, _) in part.returnToCalendar() }
    static let queueSong = Verb(
        "queue-song", [song], help: "Plays a song of the playlists after the current one.", "queue-song gavotte"
    ) { (part: InstallationPart, values) throws(Fault) in try part.play(song: values.text(0), atOnce: false) }
    static let queueFirst = Verb(
        "queue-first", [waiting], help: "Moves a song to the front of the queue, by its name or its number there.",
        "queue-first 2"
    ) { (part: InstallationPart, values) throws(Fault) in try part.prefer(values.text(0)) }
    static let unqueueSong = Verb(
        "unqueue-song", [waiting], help: "Removes a song from the queue, by its name or its number there.",
        "unqueue-song gavotte"
    ) { (part: InstallationPart, values) throws(Fault) in try part.withdraw(values.text(0)) }
    static let clearQueue = Verb(
        "clear-queue", help: "Removes all requested songs from the queue.", "clear-queue"
    ) { (part: InstallationPart, _) throws(Fault) in try part.clearQueue() }
    static let week = Verb(
        "week", help: "Lists the changes of an installation in the next seven days, including those by request.", "week"
    ) { (part: InstallationPart, _) in part.shown.week }

    static let cue = Verb("cue", [knownCue], help: "Requests a cue of an installation.", "cue bell") {
        (cues: CuesPart, values) throws(Fault) in try cues.ask(for: values.text(0))
    }
    static let releaseCue = Verb("release cue", [knownCue], help: "Releases a held cue.", "release cue hymn") {
        (cues: CuesPart, values) in cues.release(values.text(0))
    }
}

extension SessionVocabulary {
    /// The parts of every session, and those of an installation.
    public static let installation = SessionVocabulary(CuesPart.self, InstallationPart.self)
}

extension ControlGrammar {
    /// The requests of every session, and those of an installation.
    public static let installation = ControlGrammar(.installation)
}

extension ControlCommand {
    /// Opens an installation, or keeps it open.
    ///
    /// - Parameter until: a time of day (`18:00`), a while (`+1:30`), or nil for the calendar's next change.
    public static func openInstallation(until: String? = nil) -> ControlCommand { Verb.openInstallation(until) }

    /// Closes an installation.
    ///
    /// - Parameter until: a time of day, a while, or nil for the rest of the day.
    public static func closeInstallation(until: String? = nil) -> ControlCommand { Verb.closeInstallation(until) }

    /// Plays everything softer than an installation's calendar has it.
    ///
    /// - Parameters:
    ///   - decibels: 0...60; 0 ends it.
    ///   - until: a time of day, a while, or nil for the calendar's next change.
    public static func quieter(_ decibels: Double, until: String? = nil) -> ControlCommand { Verb.quieter(decibels, until) }

    /// Plays a playlist of an installation instead of its calendar's.
    ///
    /// - Parameter until: a time of day, a while, or nil for the calendar's next change.
    public static func playList(_ name: String, until: String? = nil) -> ControlCommand { Verb.playList(name, until) }

    /// Returns an installation to its calendar.
    public static let asPlanned = Verb.asPlanned()
    /// Queues a song of an installation's playlists after the current song and after those that were requested before.
    public static func queueSong(_ name: String) -> ControlCommand { Verb.queueSong(name) }
    /// Moves a song in an installation's queue to the front.
    ///
    /// - Parameter name: its name, with or without its ending, or its number in the queue.
    public static func queueFirst(_ name: String) -> ControlCommand { Verb.queueFirst(name) }
    /// Takes a song out of an installation's queue again; named as for `queueFirst`.
    public static func unqueueSong(_ name: String) -> ControlCommand { Verb.unqueueSong(name) }
    /// Takes out of an installation's queue all songs that were requested.
    public static let clearQueue = Verb.clearQueue()
    /// Asks for a cue of an installation, by its name.
    public static func cue(_ name: String) -> ControlCommand { Verb.cue(name) }
    /// Releases a cue that is held.
    public static func releaseCue(_ name: String) -> ControlCommand { Verb.releaseCue(name) }
}
