import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A limiter: the last unit before the output, which sees to it that nothing is ever too loud for what follows.
///
/// It is no compressor: what stays below the ceiling comes out bit for bit, only later. It looks ahead, so that gain
/// comes down before the peak and not on it, and it looks between the samples (`TruePeakEstimator`), where a converter
/// or an encoder would clip. Left and right share one gain, so that the picture does not move (`LookAheadGain`).
///
/// What it does is shown: `reduction` in decibels, of late; since the reset `most-reduction`, and the seconds in which it was
/// more than 0.1 dB (`reduced-seconds`) and more than 1 dB (`pressed-seconds`), counted in stretches of 1024 frames.
public struct Limiter: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "lmtr", manufacturer: .carillon), name: "limiter",
        summary: "Keeps every peak below a ceiling.", inputs: [.init("main")], outputs: [.init("main")], tail: 13,
        readouts: ["reduction", "most-reduction", "reduced-seconds", "pressed-seconds"])

    public enum Parameter: Int, UnitParameter {
        case ceiling, release, lookAhead

        public var spec: ParameterSpec {
            switch self {
            case .ceiling:
                ParameterSpec(
                    "ceiling", -24...0, default: -1, unit: .decibels,
                    help: "The highest true peak, in decibels relative to full scale, that comes out.")
            case .release:
                ParameterSpec(
                    "release", 0.01...1, default: 0.1, unit: .seconds, curve: .logarithmic,
                    help: "How long the gain takes for two thirds of the way back.")
            case .lookAhead:
                ParameterSpec(
                    "look-ahead", 0.0005...0.01, default: 0.002, unit: .seconds, curve: .logarithmic, applies: .atStart,
                    help: "How long before a peak the gain starts to fall; the sound is later by as much.")
            }
        }
    }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private let estimator = TruePeakEstimator()
    private var gain: LookAheadGain
    /// A run of peaks at quarters of a frame, and one at the eighths between.
    private let peaks: UnsafeMutablePointer<Float>
    /// The look-ahead, in frames.
    public let latency: Int

    /// The look-ahead and a run.
    public let memory: Int
    public var runs = EffectRuns()
    private var amplitude = AmplitudeMemo()
    /// The lowest gain since the last readout, and the highest reduction since the reset, in decibels.
    private var lowest: Float = 1, most: Float = 0
    /// Stretches of `RestWatch.grid` frames since the reset in which sound was reduced, and much.
    private var reduced: Int64 = 0, pressed: Int64 = 0
    /// The share of the way back per frame, and the seconds it was made of.
    private var share = 0.0, seconds: Float = -1

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        gain = LookAheadGain(lookAhead: Int(Double(setup.value(of: Parameter.lookAhead)) * setup.sampleRate))
        latency = gain.lookAhead + TruePeakEstimator.delay
        memory = latency + DelayLine.run
        left = DelayLine(longest: latency + TruePeakEstimator.taps)
        right = DelayLine(longest: latency + TruePeakEstimator.taps)
        peaks = .allocate(capacity: 2 * DelayLine.run)
        peaks.initialize(repeating: 0, count: 2 * DelayLine.run)
    }

    deinit { peaks.deallocate() }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        gain.reset()
        runs = EffectRuns()
        (lowest, most) = (1, 0)
        (reduced, pressed) = (0, 0)
        seconds = -1
    }

    /// The release.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        let seconds = io[Parameter.release][i]
        if seconds == self.seconds { return }
        self.seconds = seconds
        share = 1 - DeterministicMath.exp2(-1.4426950408889634 / (Double(seconds) * sampleRate))    // 1 / ln 2
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let from = run.start, count = run.count, position = run.position
        left.write(io.input(0, 0).base + from, count, at: position)
        right.write(io.input(0, 1).base + from, count, at: position)
        let outLeft = io.output(0, 0).base + from, outRight = io.output(0, 1).base + from
        let oldLeft = left.read(latency, before: position), oldRight = right.read(latency, before: position)
        let ceiling = io[Parameter.ceiling]
        let lowestCeiling = amplitude(min(ceiling[from], ceiling[from &+ count &- 1]))
        let span = TruePeakEstimator.taps &- 1
        let newLeft = left.read(span, before: position), newRight = right.read(span, before: position)
        // Estimating is dear. Where no estimate could reach the ceiling, every wanted gain is 1 anyway, so leaving it
        // out changes nothing.
        let peak = max(rt_peak(newLeft, count &+ span), rt_peak(newRight, count &+ span))
        let isLoud = peak * estimator.overshoot > lowestCeiling
        if !isLoud && gain.isIdle {
            rt_copy(outLeft, oldLeft, count)
            rt_copy(outRight, oldRight, count)
            return
        }
        let finer = peaks + DelayLine.run
        rt_zero(peaks, 2 &* DelayLine.run)
        if isLoud {
            estimator.raiseToQuarters(peaks, newLeft, count)
            estimator.raiseToQuarters(peaks, newRight, count)
            if rt_peak(peaks, count) * TruePeakEstimator.refinement > lowestCeiling {
                estimator.raiseToEighths(finer, newLeft, count)
                estimator.raiseToEighths(finer, newRight, count)
            }
        }
        for k in 0..<count {
            let top = ceiling.isSteady ? lowestCeiling : Decibels.amplitude(ceiling[from &+ k])
            // Frame by frame, so that it does not matter which frames share a run with a loud one.
            let peak = peaks[k] * TruePeakEstimator.refinement > top ? max(peaks[k], finer[k]) : peaks[k]
            let gain = gain.next(peak > top ? top / peak : 1, release: share)
            if gain < lowest { lowest = gain }
            outLeft[k] = oldLeft[k] * gain
            outRight[k] = oldRight[k] * gain
        }
    }

    /// The readouts; and the effect sleeps no sooner than the gain is back at 1.
    @_noLocks public mutating func settle(_ io: borrowing RenderIO) {
        let reduction = 0 - Decibels.level(ofAmplitude: lowest)
        lowest = 1
        most = max(most, reduction)
        if reduction > 0.1 { reduced &+= 1 }
        if reduction > 1 { pressed &+= 1 }
        let stretch = Double(RestWatch.grid) / sampleRate
        io.publish(0, reduction)
        io.publish(1, most)
        io.publish(2, Float(Double(reduced) * stretch))
        io.publish(3, Float(Double(pressed) * stretch))
        if !gain.isIdle { runs.stir() }
    }

    /// The gain stays where it is.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
    }
}
