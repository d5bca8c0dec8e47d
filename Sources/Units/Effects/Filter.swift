import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A filter: one corner in the spectrum that is swept by hand, with as much resonance as a synthesizer's.
///
/// It is not an equaliser: there is one corner, and sound beyond it is removed. A second filter in a row makes the slope twice
/// as steep; both together are a Butterworth filter if the resonance is 0.707, and the gain at the cutoff of a low-pass and a
/// high-pass is the resonance at either slope. Sources: the responses of the "Audio EQ Cookbook" of R. Bristow-Johnson in the
/// filter of A. Simper (`StateVariableFilter`), which may be swept as fast as one likes.
public struct Filter: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "fltr", manufacturer: .carillon), name: "filter",
        summary: "One corner in the spectrum, swept by hand.", inputs: [.init("main")], outputs: [.init("main")], tail: 15,
        factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case type, slope, cutoff, resonance, mix

        public var spec: ParameterSpec {
            switch self {
            case .type:
                .choice(
                    "type", ["low-pass", "high-pass", "band-pass", "notch", "peak", "all-pass"], default: 0,
                    help: "What comes through: below the cutoff, above it, around it, all else, all with the cutoff raised, "
                        + "all with its phase turned.")
            case .slope:
                .choice(
                    "slope", ["12-db", "24-db"], default: 1,
                    help: "How steep it is, in decibels an octave; a peak becomes narrower, an all-pass turns twice as far.")
            case .cutoff: .frequency("cutoff", 20...20_000, 1_000, smoothing: 0.05, "Where the corner or the centre lies.")
            case .resonance:
                ParameterSpec(
                    "resonance", 0.5...20, default: 0.7071068, curve: .logarithmic,
                    help: "How much the cutoff rings: a low-pass is flat at 0.707; the others become narrower.")
            case .mix: .percent("mix", 0...100, 100, "0 is the unchanged sound, 100 only what the filter leaves of it.")
            }
        }
    }

    private let sampleRate: Double
    private var first = EqualizerBand(), second = EqualizerBand()

    /// A run without sound is enough, for what rings is in the filters' levels.
    public let memory = DelayLine.run
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        first.settle()
        second.settle()
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        let cutoff = io[Parameter.cutoff][i], quality = io[Parameter.resonance][i]
        let isSteep = io[Parameter.slope][i] >= 0.5
        switch Int(io[Parameter.type][i] + 0.5) {
        case 0: pass(4, cutoff, quality, isSteep)
        case 1: pass(5, cutoff, quality, isSteep)
        // Two in a row are as wide as one where each is at its half where one is at its root of a half.
        case 2: twins(7, cutoff, isSteep ? quality * 0.6435943 : quality, 0, isSteep)
        case 3: twins(6, cutoff, isSteep ? quality * 1.553774 : quality, 0, isSteep)
        case 4: peak(cutoff, quality, isSteep)
        default: twins(8, cutoff, quality, 0, isSteep)
        }
    }

    /// A low-pass or a high-pass: the qualities of two in a row multiply to that of one; the first is Butterworth's.
    @_noLocks private mutating func pass(_ response: Int, _ cutoff: Float, _ quality: Float, _ isSteep: Bool) {
        aim(
            response, cutoff, isSteep ? 0.5411961 : quality, 0, isSteep ? response : 0, quality * 1.847759)
    }

    @_noLocks private mutating func peak(_ cutoff: Float, _ quality: Float, _ isSteep: Bool) {
        let peak = SweptFilter.peak(quality, share: isSteep ? 0.5 : 1)
        twins(1, cutoff, peak.quality, peak.gain, isSteep)
    }

    @_noLocks private mutating func twins(
        _ response: Int, _ cutoff: Float, _ quality: Float, _ gain: Float, _ isSteep: Bool
    ) {
        aim(response, cutoff, quality, gain, isSteep ? response : 0, quality)
    }

    @_noLocks private mutating func aim(
        _ response: Int, _ cutoff: Float, _ quality: Float, _ gain: Float, _ other: Int, _ otherQuality: Float
    ) {
        first.aim(response: response, frequency: cutoff, gain: gain, quality: quality, sampleRate: sampleRate)
        second.aim(response: other, frequency: cutoff, gain: gain, quality: otherQuality, sampleRate: sampleRate)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.output(0, 0).base + run.start, right = io.output(0, 1).base + run.start
        rt_copy(left, io.input(0, 0).base + run.start, run.count)
        rt_copy(right, io.input(0, 1).base + run.start, run.count)
        if !first.isNeutral { first.process(left, right, run.count, phase: run.phase) }
        if !second.isNeutral { second.process(left, right, run.count, phase: run.phase) }
        runs.stir(run, holding: max(first.level, second.level), left, right)
        SweptFilter.mix(io, run, io[Parameter.mix])
    }

    /// Clears the filters, which keep their settings.
    @_noLocks public mutating func clear() {
        first.clear()
        second.clear()
    }

    @_noLocks public mutating func reset() {
        first = EqualizerBand()
        second = EqualizerBand()
        runs = EffectRuns()
    }
}
