/// Verbs about an installation: what its calendar says, set aside for a while, and what plays next. Whoever runs the house does
/// them, open or closed; a session alone has no calendar.
extension Verb {
    static let house = [cue, releaseCue] + wishes
    /// Verbs that set the calendar aside, and those that ask for a song.
    package static let wishes = [openHouse, closeHouse, quieter, playList, asPlanned, playSong, queueSong]

    private static let until = VerbArgument("UNTIL", .name, isOptional: true)

    package static let openHouse = wish(
        "open", [until],
        help:
            "Opens the house, or keeps it open: until a time (18:00), for a while (+1:30), or until the calendar's next change.",
        "open 18:00")
    package static let closeHouse = wish(
        "close", [until], help: "Closes the house until a time, for a while, or for the rest of the day.", "close")
    package static let quieter = wish(
        "quieter", [.init("LEVEL", .number(VerbArgument.reduction)), until],
        help: "Plays everything softer than the calendar has it, until a time, for a while, or until its next change.",
        "quieter 6 22:00")
    package static let playList = wish(
        "play-list", [.name("house", "playlists"), until],
        help: "Plays a playlist instead of the calendar's, until a time, for a while, or until its next change.",
        "play-list evening 22:00")
    package static let asPlanned = wish(
        "as-planned", help: "Does as the calendar says again: what was opened, closed, made quieter or chosen is over.",
        "as-planned")
    package static let playSong = wish(
        "play-song", [.name], help: "Plays a song of the playlists now; the playlist goes on behind it.",
        "play-song gavotte")
    package static let queueSong = wish(
        "queue-song", [.name], help: "Plays a song of the playlists behind the one that plays.",
        "queue-song gavotte")

    private static func wish(_ word: String, _ arguments: [VerbArgument] = [], help: String, _ example: String) -> Verb {
        Verb(word, arguments, help: help, example) { (_: Session, _) throws(LiveError) in throw .noInstallation }
    }
}

extension ControlCommand {
    /// Opens an installation's house, or keeps it open.
    ///
    /// - Parameter until: a time of day (`18:00`), a while (`+1:30`), or nil: the calendar's next change.
    public static func openHouse(until: String? = nil) -> ControlCommand { Verb.openHouse(until) }

    /// Closes an installation's house.
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

    /// Lets an installation do as its calendar says again.
    public static let asPlanned = Verb.asPlanned()
    /// Plays a song of an installation's playlists now.
    public static func playSong(_ name: String) -> ControlCommand { Verb.playSong(name) }
    /// Plays a song of an installation's playlists behind the one that plays.
    public static func queueSong(_ name: String) -> ControlCommand { Verb.queueSong(name) }
}
