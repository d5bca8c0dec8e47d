/// Verbs about an installation: what its calendar says, set aside for a while, and what plays next. Whoever runs the house does
/// them, open or closed; a session alone has no calendar.
extension Verb {
    static let house = [cue, releaseCue] + wishes
    /// Those that set the calendar aside, and the song that is wanted.
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
