import ArgumentParser
import Carillon
import Installation

/// The options of `carillon play` for its songs.
struct PlayedSongArguments: ParsableArguments {
    @Flag(help: "Begin anew at the end; a single song without a gap, and from where it says itself (loopStart, CC 111).")
    var loop = false

    @Option(
        parsing: .unconditional, help: EngineSetting.tempo.help("80% is 0.8"), transform: EngineSetting.tempo.spec.number)
    var tempo = 1.0

    @Option(
        parsing: .unconditional, help: EngineSetting.transpose.help(),
        transform: EngineSetting.transpose.spec.wholeNumber)
    var transpose = 0

    @Option(
        help: ArgumentHelp(
            """
            A song that lies over the others, in their tempo and bars, again and again; y and a digit ends it on the next bar \
            and lets it come back. Give it again for more.
            """, valueName: "song.mid"),
        completion: .file(extensions: SongList.endings))
    var layer: [String] = []

    @Flag(help: "Refuse a damaged song instead of repairing it.")
    var strict = false
}

/// The options of `carillon play` for what comes from MIDI ports and goes to them.
struct PlayPortArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What a button of any MIDI keyboard does: a controller that goes over its middle, a key, a program, and a request \
            as carillon ctl has it. Give it again for more; nothing of the keyboard is played.
            """, valueName: "button=request"),
        transform: PlayButtons.read)
    var button: [Cue] = []

    @Option(
        help: ArgumentHelp(
            """
            Channels of the songs that a MIDI port plays instead, on time with what is heard: a part of its name, or an \
            identity that carillon devices prints. Give it again for more.
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
