import ArgumentParser
import Carillon
import Installation

/// The options of `carillon play` for its songs.
struct PlayedSongArguments: ParsableArguments {
    @Flag(
        help:
            "Start over at the end; a single song loops without a gap, from its own loop point if it has one (loopStart, CC 111)."
    )
    var loop = false

    @OptionGroup var beginning: BeginningArguments

    @OptionGroup var manner: MannerArguments

    @OptionGroup var heard: HeardArguments

    @Option(
        help: ArgumentHelp(
            """
            A song played on top of the others, in their tempo and bars, over and over; y and a digit stop it at the next bar \
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
            What a button of any MIDI keyboard does: a controller that passes its middle, a key or a program, and a request \
            as for carillon ctl. Can be given more than once; the keyboard itself is not played.
            """, valueName: "button=request"),
        transform: PlayButtons.read)
    var button: [Cue] = []

    @Option(
        help: ArgumentHelp(
            """
            Channels of the songs that a MIDI port plays instead, on time with what is heard: a part of its name, or an \
            identity that carillon devices prints. Can be given more than once.
            """, valueName: "channels=port"),
        transform: PlaySend.read)
    var send: [SongSend] = []

    @Option(
        help: ArgumentHelp(
            """
            A MIDI port whose beat the songs follow, MIDI clock with start, stop and song position: a part of its name, or an \
            identity that carillon devices prints. The songs wait for it, and play when it does and as fast.
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
            they play, once. (default: -16; where a gain is given: off)
            """, valueName: "LUFS|off"),
        completion: .list(["off", "-14", "-16", "-23"]), transform: LoudnessOption.init)
    var loudness: LoudnessOption?
}
