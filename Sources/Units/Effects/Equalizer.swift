import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A parametric equaliser: eight bands that make parts of the spectrum louder, softer or vanish.
///
/// It is not a graphic equaliser: every band has a frequency, a width and a type of its own. Bands whose gain is 0 dB do
/// nothing at all, so a new equaliser passes sound bit for bit. No look-ahead and no linear phase, hence no latency. Sources:
/// the "Audio EQ Cookbook" of R. Bristow-Johnson and the filter of A. Simper (`StateVariableFilter`).
public struct Equalizer: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "nbeq", manufacturer: .carillon), name: "equalizer",
        summary: "Eight bands that make parts of the spectrum louder or softer.", inputs: [.init("main")],
        outputs: [.init("main")], bands: 8, tail: 60, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case type, frequency, gain, quality, level

        public var spec: ParameterSpec {
            switch self {
            case .type:
                .choice(
                    "type", ["off", "peak", "low-shelf", "high-shelf", "low-pass", "high-pass", "notch"],
                    default: 1, scope: .band, bandDefaults: [2, 1, 1, 1, 1, 1, 1, 3],
                    help: "What the band does: raise a peak or a shelf, let only one side pass, or cut a notch.")
            case .frequency:
                .frequency(
                    "frequency", 20...20_000, 1000, scope: .band, bandDefaults: [60, 150, 350, 800, 1800, 4000, 8000, 12_000],
                    smoothing: 0.05,
                    "Where the band acts: its centre, or the corner of a shelf or a pass.")
            case .gain:
                .decibels(
                    "gain", -24...24, 0, scope: .band,
                    "How far the band raises or lowers; a pass and a notch have no use for it.")
            case .quality:
                ParameterSpec(
                    "q", 0.1...18, default: 0.7071068, curve: .logarithmic, scope: .band,
                    help: "How narrow the band is; in a pass or a shelf, how much the corner rings.")
            case .level: .decibels("level", -60...12, 0, "How loud all of it comes out.")
            }
        }
    }

    private static var bandCount: Int { @_noLocks get { 8 } }
    private let sampleRate: Double
    private let bands: EqualizerBands
    private var amplitude = AmplitudeMemo()

    /// A run without sound is enough, for what rings is in the bands' levels.
    public let memory = DelayLine.run
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        bands = EqualizerBands(Self.bandCount)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        bands.settle()
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        for band in 0..<Self.bandCount {
            bands[band].pointee.aim(
                response: Int(io[Parameter.type, band][i] + 0.5), frequency: io[Parameter.frequency, band][i],
                gain: io[Parameter.gain, band][i], quality: io[Parameter.quality, band][i], sampleRate: sampleRate)
        }
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        bands.process(io, run, &runs)
        let left = io.output(0, 0).base + run.start, right = io.output(0, 1).base + run.start
        let level = io[Parameter.level]
        if level.isSteady {
            let amplitude = amplitude(level.target)
            if amplitude == 1 { return }
            rt_scale(left, left, amplitude, run.count)
            rt_scale(right, right, amplitude, run.count)
        } else {
            for k in 0..<run.count {
                let amplitude = Decibels.amplitude(level[run.start &+ k])
                left[k] *= amplitude
                right[k] *= amplitude
            }
        }
    }

    /// Clears the bands, which keep their settings.
    @_noLocks public mutating func clear() {
        bands.clear()
    }

    @_noLocks public mutating func reset() {
        bands.reset()
        runs = EffectRuns()
    }
}
