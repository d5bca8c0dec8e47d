import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A graphic equaliser: ten sliders, one for each octave, whose row is a picture of the response.
///
/// It is not a parametric equaliser: frequencies and widths are fixed. The response goes through the sliders: their peaks take
/// each other into account (`GraphicBands`, which names the source), so that two neighbours do not add up. With every slider
/// at 0 dB sound passes bit for bit. Bands above 0.45 of the sample rate do nothing.
public struct GraphicEqualizer: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "greq", manufacturer: .carillon), name: "graphic-equalizer",
        summary: "Ten sliders for ten octaves, from 31.5 Hz to 16 kHz.", inputs: [.init("main")],
        outputs: [.init("main")], bands: 10, tail: 5, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case gain, level

        public var spec: ParameterSpec {
            switch self {
            case .gain:
                .decibels(
                    "gain", -12...12, 0, scope: .band,
                    "How much louder the octave is: around 31.5, 63, 125, 250, 500 Hz, 1, 2, 4, 8, 16 kHz.")
            case .level: .decibels("level", -60...12, 0, "How loud all of it comes out.")
            }
        }
    }

    private let sampleRate: Double
    private let design: GraphicBands
    private var owned = OwnedMemory()
    private let bands: EqualizerBands
    /// Where the sliders were when the design was worked out.
    private let sliders: UnsafeMutablePointer<Float>
    private var amplitude = AmplitudeMemo()

    /// A run without sound is enough, for what rings is in the bands' levels.
    public let memory = DelayLine.run
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        design = GraphicBands(sampleRate: setup.sampleRate)
        bands = EqualizerBands(GraphicBands.count)
        sliders = owned.make(GraphicBands.count, of: 0)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        bands.settle()
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        var isMoved = false
        for band in 0..<GraphicBands.count {
            let gain = io[Parameter.gain, band][i]
            if gain != sliders[band] {
                sliders[band] = gain
                isMoved = true
            }
        }
        if isMoved { design.solve(UnsafePointer(sliders)) }
        for band in 0..<design.usable {
            bands[band].pointee.aim(
                response: 1, frequency: design.centre(band), gain: design.gain(band), quality: design.quality(band),
                sampleRate: sampleRate)
        }
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        bands.process(io, run, &runs)
        let left = io.output(0, 0).base + run.start, right = io.output(0, 1).base + run.start
        let level = io[Parameter.level]
        if level.isSteady && level.target == 0 { return }
        for k in 0..<run.count {
            let amplitude = amplitude(level[run.start &+ k])
            left[k] *= amplitude
            right[k] *= amplitude
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
