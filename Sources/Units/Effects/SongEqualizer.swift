import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// The equalizer of a song's sum: five bands, which messages of GS and XG move.
///
/// The outer two are shelves, or peaks by `low-shape` and `high-shape`; the others are peaks. Bands of 0 dB do nothing at all:
/// a new one passes sound bit for bit. A shelf of GS, which has no width, is one without overshoot, as XG's usual 0.7.
package struct SongEqualizer: EffectWithMemory, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "sgeq", manufacturer: .carillon), name: "song-equalizer",
        summary: "Five bands for the sum of a song, as songs for GS and XG set them.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 60, properties: [EffectLink.heldProperty])

    package enum Parameter: Int, UnitParameter {
        case lowGain, lowFrequency, lowQuality, lowMiddleGain, lowMiddleFrequency, lowMiddleQuality
        case middleGain, middleFrequency, middleQuality, highMiddleGain, highMiddleFrequency, highMiddleQuality
        case highGain, highFrequency, highQuality, lowShape, highShape

        package var spec: ParameterSpec {
            switch self {
            case .lowGain: Self.gain("low", .lowGain)
            case .lowMiddleGain: Self.gain("low-middle", .lowMiddleGain)
            case .middleGain: Self.gain("middle", .middleGain)
            case .highMiddleGain: Self.gain("high-middle", .highMiddleGain)
            case .highGain: Self.gain("high", .highGain)
            case .lowFrequency: Self.frequency("low", 200, .lowFrequency)
            case .lowMiddleFrequency: Self.frequency("low-middle", 500, .lowMiddleFrequency)
            case .middleFrequency: Self.frequency("middle", 1000, .middleFrequency)
            case .highMiddleFrequency: Self.frequency("high-middle", 4000, .highMiddleFrequency)
            case .highFrequency: Self.frequency("high", 3000, .highFrequency)
            case .lowQuality: Self.quality("low", .lowQuality)
            case .lowMiddleQuality: Self.quality("low-middle", .lowMiddleQuality)
            case .middleQuality: Self.quality("middle", .middleQuality)
            case .highMiddleQuality: Self.quality("high-middle", .highMiddleQuality)
            case .highQuality: Self.quality("high", .highQuality)
            case .lowShape: Self.shape("low", .lowShape)
            case .highShape: Self.shape("high", .highShape)
            }
        }

        private static func gain(_ band: String, _ message: EffectParameter) -> ParameterSpec {
            .decibels(
                "\(band)-gain", -24...24, 0, effect: .init(message, .decibels), "How far the \(band) band raises or lowers.")
        }

        private static func frequency(_ band: String, _ initial: Float, _ message: EffectParameter) -> ParameterSpec {
            .frequency(
                "\(band)-frequency", 20...20_000, initial, smoothing: 0.05, effect: .init(message),
                "Where the \(band) band acts.")
        }

        private static func quality(_ band: String, _ message: EffectParameter) -> ParameterSpec {
            ParameterSpec(
                "\(band)-q", 0.1...18, default: 0.7071068, curve: .logarithmic, effect: .init(message),
                help: "How narrow the \(band) band is.")
        }

        private static func shape(_ band: String, _ message: EffectParameter) -> ParameterSpec {
            var spec = ParameterSpec.choice(
                "\(band)-shape", ["shelf", "peak"], default: 0, help: "What the \(band) band is: a shelf or a peak.")
            spec.effect = .init(message)
            return spec
        }
    }

    private let sampleRate: Double
    private let bands: EqualizerBands
    /// A run without sound is enough, for what rings is in the bands' levels.
    package let memory = DelayLine.run
    package var runs = EffectRuns()

    package init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        sampleRate = setup.sampleRate
        bands = EqualizerBands(5)
    }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks package mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        bands.settle()
    }

    @_noLocks package mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        let low = io[Parameter.lowShape][i] < 0.5 ? 2 : 1, high = io[Parameter.highShape][i] < 0.5 ? 3 : 1
        aim(0, low, io[Parameter.lowGain][i], io[Parameter.lowFrequency][i], io[Parameter.lowQuality][i])
        aim(1, 1, io[Parameter.lowMiddleGain][i], io[Parameter.lowMiddleFrequency][i], io[Parameter.lowMiddleQuality][i])
        aim(2, 1, io[Parameter.middleGain][i], io[Parameter.middleFrequency][i], io[Parameter.middleQuality][i])
        aim(
            3, 1, io[Parameter.highMiddleGain][i], io[Parameter.highMiddleFrequency][i],
            io[Parameter.highMiddleQuality][i])
        aim(4, high, io[Parameter.highGain][i], io[Parameter.highFrequency][i], io[Parameter.highQuality][i])
    }

    @_noLocks private func aim(_ band: Int, _ response: Int, _ gain: Float, _ frequency: Float, _ quality: Float) {
        bands[band].pointee.aim(
            response: response, frequency: frequency, gain: gain, quality: quality, sampleRate: sampleRate)
    }

    @_noLocks package mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        bands.process(io, run, &runs)
    }

    /// Clears the bands, which keep their settings.
    @_noLocks package mutating func clear() {
        bands.clear()
    }

    @_noLocks package mutating func reset() {
        bands.reset()
        runs = EffectRuns()
    }
}
