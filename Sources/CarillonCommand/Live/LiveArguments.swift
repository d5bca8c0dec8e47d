import ALSA
import ArgumentParser
import Carillon

/// The options of `carillon live` for its keyboards, and for what is kept of the playing.
struct LiveArguments: ParsableArguments {
    @Option(
        parsing: .unconditional, help: EngineSetting.ports.help(), transform: EngineSetting.ports.spec.wholeNumber)
    var ports = LiveOptions().ports

    @Option(
        help: ArgumentHelp(
            """
            Which MIDI sources to connect: any, a part of a name (case does not matter, * is any text), or an identity \
            that carillon devices prints. Give it again for more. (default: any)
            """, valueName: "any|pattern"))
    var connect: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write what sounds into this file (wav, flac, ...), as floating point where it can.",
            valueName: "file"),
        completion: .file())
    var capture: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Let a metronome click from the beginning, so many quarter notes a minute: "
                + "\(Metronome.Parameter.tempo.spec.valid).", valueName: "tempo"),
        transform: Metronome.Parameter.tempo.spec.number)
    var metronome: Double?

    @Flag(help: "Play each note as soon as can be, instead of a constant latency after its key: sooner, less even.")
    var immediate = false
}
