import DSP
import RealtimeCore
import UnitAPI

/// A distortion: it drives the wave into a curve that bends it, from a warm valve to a fuzz.
///
/// It models no particular pedal or amplifier, and no loudspeaker: a curve, followed by a tone control. The curve works at
/// eight times the sample rate and on the wave between the samples (`Oversampler`, `Waveshaper`, which name the sources), so
/// that it adds only harmonics. DC is removed. The dry sound is delayed as much as the distorted one, so that `mix` blends
/// them without a comb filter.
public struct Distortion: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "dist", manufacturer: .carillon), name: "distortion",
        summary: "Drives the sound through a curve that bends it.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 1, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case curve, drive, tone, output, mix

        public var spec: ParameterSpec {
            switch self {
            case .curve:
                .choice(
                    "curve", ["soft", "hard", "fold", "tube"], default: 0,
                    help: "What happens to a wave that is too high: rounded, cut, turned back, or each side in its own way.")
            case .drive: .decibels("drive", 0...36, 18, "Gain before the curve.")
            case .tone:
                .frequency("tone", 200...20_000, 6_000, smoothing: 0.05, "Frequencies above this are lowered after the curve.")
            case .output: .decibels("output", -60...12, -12, "How loud the distorted sound comes out.")
            case .mix: .percent("mix", 0...100, 100, "0 is the unchanged sound, 100 only the distorted one.")
            }
        }
    }

    private let sampleRate: Double
    private let dryLeft = DelayLine(longest: DistortionSide.delay), dryRight = DelayLine(longest: DistortionSide.delay)
    private var left = DistortionSide(), right = DistortionSide()
    private var tone = EqualizerBand()
    private var drive = AmplitudeMemo(), loudness = AmplitudeMemo()
    /// The number of the curve, which below 0 is not known yet; and frames since it was another.
    private var curve = -1, faded = DistortionSide.fade
    private let meanShare: Double
    /// The delay of the filters and of the curve: 89 frames at every rate.
    public let latency = DistortionSide.delay

    /// The delay, and as long as the mean takes to be forgotten.
    public let memory: Int
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        memory = DistortionSide.delay + Int(0.4 * setup.sampleRate)
        meanShare = GainBallistics.share(seconds: 0.02, sampleRate: setup.sampleRate)    // 8 Hz
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        tone = EqualizerBand()
        curve = -1
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        tone.settle()
        faded = DistortionSide.fade
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        tone.aim(response: 4, frequency: io[Parameter.tone][i], gain: 0, quality: 0.7071068, sampleRate: sampleRate)
        if faded < DistortionSide.fade { return }
        let wanted = Int(io[Parameter.curve][i] + 0.5)
        if wanted == curve { return }
        left.bend(Waveshaper.Curve(number: wanted))
        right.bend(Waveshaper.Curve(number: wanted))
        curve = wanted
        faded = 0
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let from = run.start, count = run.count
        let fromLeft = io.input(0, 0).base + from, fromRight = io.input(0, 1).base + from
        let toLeft = io.output(0, 0).base + from, toRight = io.output(0, 1).base + from
        dryLeft.write(fromLeft, count, at: run.position)
        dryRight.write(fromRight, count, at: run.position)
        let driven = io[Parameter.drive]
        for k in 0..<count {
            let gain = drive(driven[from &+ k])
            toLeft[k] = fromLeft[k] * gain
            toRight[k] = fromRight[k] * gain
        }
        left.process(toLeft, count, faded: faded, meanShare: meanShare)
        right.process(toRight, count, faded: faded, meanShare: meanShare)
        if faded < DistortionSide.fade { faded &+= count }
        tone.process(toLeft, toRight, count, phase: run.phase)
        let output = io[Parameter.output], mix = io[Parameter.mix]
        let oldLeft = dryLeft.read(latency, before: run.position), oldRight = dryRight.read(latency, before: run.position)
        for k in 0..<count {
            let share = mix[from &+ k] * 0.01, wet = loudness(output[from &+ k]) * share, dry = 1 - share
            toLeft[k] = toLeft[k] * wet + oldLeft[k] * dry
            toRight[k] = toRight[k] * wet + oldRight[k] * dry
        }
    }

    /// Nothing is remembered but the curve.
    @_noLocks public mutating func clear() {
        dryLeft.clear()
        dryRight.clear()
        left.clear()
        right.clear()
        tone.clear()
        faded = DistortionSide.fade
    }
}
