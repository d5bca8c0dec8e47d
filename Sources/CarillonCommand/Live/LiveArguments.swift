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
            that carillon devices prints. Can be given more than once. (default: any)
            """, valueName: "any|pattern"))
    var connect: [String] = []

    @Option(
        help: ArgumentHelp(
            "Play the patches of a set list in its order (carillon list new writes one).", valueName: "list.yaml"),
        completion: .file(extensions: ["yaml", "yml"]))
    var list: String?

    @Option(
        help: ArgumentHelp(
            """
            Keep so many patches of a set list ready, as far as memory allows: those beside the current one, then those with \
            program numbers. (default: 8)
            """, valueName: "patches"),
        transform: ParameterSpec("ready", 2...1000, default: 8, help: "Patches.").wholeNumber)
    var ready: Int?

    @Option(
        help: ArgumentHelp(
            "Record the output to this file (wav, flac, ...), as floating point where the format allows.",
            valueName: "file"),
        completion: .file())
    var capture: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Start with a metronome, in quarter notes per minute: "
                + "\(Metronome.Parameter.tempo.spec.valid).", valueName: "tempo"),
        transform: Metronome.Parameter.tempo.spec.number)
    var metronome: Double?

    @Flag(help: "Begin with the entry of the set list that played when the program was killed.")
    var resume = false

    @Flag(help: "Begin with the screen for a stage, to be read from two metres; S changes to the other one.")
    var stage = false

    @Flag(help: "Begin with the first song, which otherwise waits at its beginning for space.")
    var play = false

    @Option(
        help: ArgumentHelp("Let songs cross over: one fades out while the next fades in.", valueName: "seconds"),
        transform: Verb.crossFadeTime.number)
    var crossFade: Double?

    @Flag(help: "Play each note as soon as possible instead of with a constant latency: faster, but less even.")
    var immediate = false

    /// The first option that means songs alone; nil if none was given.
    var nameOfSongs: String? { play ? "--play" : crossFade != nil ? "--cross-fade" : nil }
}
