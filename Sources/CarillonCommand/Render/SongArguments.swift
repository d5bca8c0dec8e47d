import ArgumentParser
import Carillon

/// The part of `carillon render` that is about the song: when it ends, what of it is played, what it may bring along.
struct SongArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            When the sound ends: auto (once it is silent, at most 30 s after the song), exact (with the song) or this \
            long after the song, \(EngineSetting.tail.spec.valid).
            """, valueName: "auto|exact|time"),
        completion: .list(["auto", "exact"]), transform: TailOption.init)
    var tail = TailOption.auto

    @Option(
        parsing: .unconditional,
        help: EngineSetting.maximumDuration.help("the last 20 ms fade out; needed for longer songs"),
        transform: EngineSetting.maximumDuration.spec.number)
    var maxDuration: Double?

    @Option(
        parsing: .unconditional, help: EngineSetting.loops.help("loop points: markers, controllers 110-119"),
        transform: EngineSetting.loops.spec.wholeNumber)
    var loops = RenderOptions().loops

    @Option(parsing: .unconditional, help: EngineSetting.fade.help(), transform: EngineSetting.fade.spec.number)
    var fade: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Play only this track, counted from 1.", valueName: "number"))
    var track: Int?

    @Flag(help: "Reject damaged songs instead of repairing them, and fail if none of a song's notes can be heard.")
    var strict = false
}

/// The part of `carillon render` that is about the work: the patch, the rate, and what uses the processors.
struct EngineArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The patch that plays the song, instead of SoundFont, strips and effects; carillon patch new writes one.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var patch: [String] = []

    @Option(
        parsing: .unconditional,
        help: EngineSetting.rate.help(SoundArguments.rateRemark), transform: EngineSetting.rate.spec.wholeNumber)
    var rate = RenderOptions().sampleRate

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of songs to render at the same time, 1 to \(UnfinishedOutput.room). (default: one for each processor)",
            valueName: "number"))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Threads per song, 1 to \(RenderThreads.limit); the number does not change the result. (default: the processors \
            divided among the songs rendered at a time)
            """, valueName: "number"),
        transform: EngineSetting.threads.spec.wholeNumber)
    var threads: Int?

    @Option(
        parsing: .unconditional, help: EngineSetting.block.help(), transform: EngineSetting.block.spec.wholeNumber)
    var block = RenderOptions().blockFrames
}

extension RenderCommand {
    var tail: TailOption { song.tail }
    var maxDuration: Double? { song.maxDuration }
    var loops: Int { song.loops }
    var fade: Double? { song.fade }
    var track: Int? { song.track }
    var strict: Bool { song.strict }
    var patch: [String] { work.patch }
    var rate: Int { work.rate }
    var jobs: Int? { work.jobs }
    var threads: Int? { work.threads }
    var block: Int { work.block }
}
