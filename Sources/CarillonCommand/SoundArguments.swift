import ArgumentParser
import Carillon

/// The options for what sounds: the same for `render`, `live` and `play`.
struct SoundArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A SoundFont (SF2, SF3, DLS, SFZ), or embedded for Carillon's own; file:offset moves its banks up by 1 to 127. Can \
            be given more than once: the last has priority.
            """, valueName: "file"),
        completion: .file(extensions: ["sf2", "sf3", "dls", "sfz", "rmi"]))
    var soundfont: [String] = []

    @Option(
        help: ArgumentHelp(
            "The instrument: sampler (Carillon's own, also called soundfont), fluidsynth or square-wave.", valueName: "name"))
    var instrument = InstrumentName.sampler

    @Option(
        help: ArgumentHelp(
            "Set a parameter of a unit; carillon units NAME lists them. Can be given more than once.",
            valueName: "unit.parameter=value"))
    var set: [String] = []

    @Option(
        parsing: .unconditional,
        help: EngineSetting.gain.spec.argumentHelp(
            "0 dB is FluidSynth's level; by default set by the loudness, and live a chord peaks near -14 dBFS", isDefault: false),
        transform: EngineSetting.gain.spec.value)
    var gain: Float?

    @Flag(help: "Play without reverb and chorus.")
    var dry = false

    func validate() throws {
        if instrument == .squareWave, !soundfont.isEmpty {
            throw ValidationError("--soundfont means nothing with --instrument square-wave; leave one of them out")
        }
        if soundfont.contains("") { throw ValidationError("--soundfont: the name is empty") }
    }

    /// None but the default was requested.
    var isDefaultInstrument: Bool { instrument == .sampler || instrument == .soundfont }

    var highestRate: Double {
        switch instrument {
        case .sampler, .soundfont: Sampler.sampleRates.upperBound
        case .fluidsynth: FluidSynth.sampleRates.upperBound
        case .squareWave: Double(EngineSetting.rate.spec.range.upperBound)
        }
    }

    static let rateRemark = "FluidSynth plays up to \(Quantity(FluidSynth.sampleRates.upperBound, .hertz))"

    var player: RenderOptions.Instrument {
        switch instrument {
        case .sampler, .soundfont: .soundFont(soundfont)
        case .fluidsynth: .fluidSynth(soundfont)
        case .squareWave: .squareWave
        }
    }
}
