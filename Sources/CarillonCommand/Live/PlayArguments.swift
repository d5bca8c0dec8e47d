import ArgumentParser
import Carillon

/// The options of `carillon play` for its songs.
struct PlayedSongArguments: ParsableArguments {
    @Flag(
        help:
            "Start over at the end; a single song loops without a gap, from its own loop point if it has one (loopStart, CC 111)."
    )
    var loop = false

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("What repeats: off, the song (one) or the list (all, as --loop).", valueName: "off|one|all"))
    var repetition: SessionSnapshot.Repetition?

    @Option(
        help: ArgumentHelp("Count so many bars before the first song, and whenever one is started.", valueName: "bars"),
        transform: Verb.countIn.wholeNumber)
    var countIn: Int?

    @OptionGroup var passage: SettingGroup<Passage>

    @OptionGroup var heard: SettingGroup<Heard>

    enum Passage: SettingTable { static let settings = [SongPassage.beginning] + SongPassage.manner }

    enum Heard: SettingTable { static let settings = ChannelChoice.heard }

    @Option(
        help: ArgumentHelp(
            """
            A song repeated on top of the others, in their tempo and bars; y and a digit stop it at the next bar \
            and bring it back. Can be given more than once.
            """, valueName: "song.mid"),
        completion: .file(extensions: SongList.endings))
    var layer: [String] = []

    @Flag(help: "Reject damaged songs instead of repairing them.")
    var strict = false
}

/// The options of `carillon play` for what comes from MIDI ports and goes to them.
struct PlayPortArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Send channels of the songs to a MIDI port instead, in time with the sound: a part of its name, or an \
            identity that carillon devices prints. Can be given more than once.
            """, valueName: "channels=port"),
        transform: PlaySend.read)
    var send: [SongSend] = []

    @Option(
        help: ArgumentHelp(
            """
            A MIDI port whose MIDI clock the songs follow, with start, stop and song position: a part of its name, or an \
            identity that carillon devices prints. The songs start, stop and change tempo with it.
            """, valueName: "port"))
    var follow: String?
}

/// The loudness of `carillon play`.
struct PlayLevelArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Bring each song to this loudness, in LUFS, by a gain of its own; off plays them as they are. Songs are measured before \
            they play, once. (default: -16; with a gain: off)
            """, valueName: "LUFS|off"),
        completion: .list(["off", "-14", "-16", "-23"]), transform: LoudnessOption.init)
    var loudness: LoudnessOption?
}

extension SessionSnapshot.Repetition: ExpressibleByArgument {}
