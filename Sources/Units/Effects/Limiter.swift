import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A limiter: the last unit before the output, which ensures that nothing is too loud for what follows.
///
/// It is not a compressor: sound below the ceiling comes out bit for bit, only later. It looks ahead, so that gain comes down
/// before the peak and not on it, and it looks between the samples (`TruePeakEstimator`), where a converter or an encoder
/// would clip. All channels share one gain, so that the stereo image does not move (`LookAheadGain`); property `channels` is
/// the number of channels.
///
/// Readouts show its work: the recent `reduction` in decibels; since the reset `most-reduction`, and the seconds in which it
/// was more than 0.1 dB (`reduced-seconds`) and more than 1 dB (`pressed-seconds`), counted in stretches of 1024 frames.
public struct Limiter: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "lmtr", manufacturer: .carillon), name: "limiter",
        summary: "Keeps every peak below a ceiling.", inputs: [.init("main")], outputs: [.init("main")], tail: 13,
        widths: 1...8, readouts: ["reduction", "most-reduction", "reduced-seconds", "pressed-seconds"])

    public enum Parameter: Int, UnitParameter {
        case ceiling, release, lookAhead

        public var spec: ParameterSpec {
            switch self {
            case .ceiling:
                .decibels("ceiling", -24...0, -1, "The highest true peak, in decibels relative to full scale, that comes out.")
            case .release: .time("release", 0.01...1, 0.1, "How long the gain takes for two thirds of the way back.")
            case .lookAhead:
                .time(
                    "look-ahead", 0.0005...0.01, 0.002, applies: .atStart,
                    "How long before a peak the gain starts to fall; the sound is delayed by as much.")
            }
        }
    }

    private let sampleRate: Double
    private var owned = OwnedMemory()
    private let lines: UnsafeMutablePointer<DelayLine>
    private let channels: Int
    private let estimator = TruePeakEstimator()
    private var gain: LookAheadGain
    /// A run of peaks at quarters of a frame, one at the eighths between, and one of gains.
    private let peaks: UnsafeMutablePointer<Float>
    /// The look-ahead, in frames.
    public let latency: Int

    /// The look-ahead and a run.
    public let memory: Int
    public var runs = EffectRuns()
    private var amplitude = AmplitudeMemo()
    /// The lowest gain since the last readout, and the highest reduction since the reset, in decibels.
    private var lowest: Float = 1, most: Float = 0
    /// Stretches of `RestWatch.grid` frames since the reset in which sound was reduced, and reduced a lot.
    private var reduced: Int64 = 0, pressed: Int64 = 0
    /// The share of the way back per frame, and the seconds it was made of.
    private var share = 0.0, seconds: Float = -1

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        // The sound is as much later as with the shorter interpolator alone: what the longer one waits for, the gain has less.
        let lookAhead = Int(Double(setup.value(of: Parameter.lookAhead)) * setup.sampleRate)
        let more = TruePeakEstimator.delay - TruePeakEstimator.shortDelay
        gain = LookAheadGain(lookAhead: max(lookAhead - more, 1))
        latency = gain.lookAhead + TruePeakEstimator.delay
        memory = latency + DelayLine.run
        channels = setup.channels(of: Self.descriptor)
        lines = owned.room(for: channels)
        for channel in 0..<channels {
            (lines + channel).initialize(to: DelayLine(longest: latency + TruePeakEstimator.taps))
        }
        peaks = owned.make(3 * DelayLine.run, of: 0)
    }

    deinit { lines.deinitialize(count: channels) }

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

    /// Updates the release.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        let seconds = io[Parameter.release][i]
        if seconds == self.seconds { return }
        self.seconds = seconds
        share = 1 - DeterministicMath.exp2(-1.4426950408889634 / (Double(seconds) * sampleRate))    // 1 / ln 2
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let from = run.start, count = run.count, position = run.position
        let ceiling = io[Parameter.ceiling]
        let lowestCeiling = amplitude(min(ceiling[from], ceiling[from &+ count &- 1]))
        let span = TruePeakEstimator.taps &- 1
        var peak: Float = 0
        for c in 0..<channels {
            lines[c].write(io.input(0, c).base + from, count, at: position)
            peak = max(peak, rt_peak(lines[c].read(span, before: position), count &+ span))
        }
        // Expensive. If no estimate could reach the ceiling, every wanted gain is 1 anyway.
        let isLoud = peak * estimator.overshoot > lowestCeiling
        if !isLoud && gain.isIdle {
            for c in 0..<channels {
                rt_copy(io.output(0, c).base + from, lines[c].read(latency, before: position), count)
            }
            return
        }
        if isLoud { estimate(count, position, lowestCeiling) } else { rt_zero(peaks, 2 &* DelayLine.run) }
        let finer = peaks + DelayLine.run, gains = peaks + 2 &* DelayLine.run
        for k in 0..<count {
            let top = ceiling.isSteady ? lowestCeiling : Decibels.amplitude(ceiling[from &+ k])
            // Frame by frame, so that it does not matter which frames share a run with a loud one.
            let peak = peaks[k] * TruePeakEstimator.refinement > top ? max(peaks[k], finer[k]) : peaks[k]
            let gain = gain.next(peak > top ? top / peak : 1, release: share)
            if gain < lowest { lowest = gain }
            gains[k] = gain
        }
        for c in 0..<channels {
            let output = io.output(0, c).base + from, old = lines[c].read(latency, before: position)
            for k in 0..<count { output[k] = old[k] * gains[k] }
        }
    }

    @_noLocks private func estimate(_ count: Int, _ position: Int, _ ceiling: Float) {
        let span = TruePeakEstimator.taps &- 1, finer = peaks + DelayLine.run
        rt_zero(peaks, 2 &* DelayLine.run)
        for c in 0..<channels { estimator.raiseToQuarters(peaks, lines[c].read(span, before: position), count) }
        if rt_peak(peaks, count) * TruePeakEstimator.refinement <= ceiling { return }
        for c in 0..<channels { estimator.raiseToEighths(finer, lines[c].read(span, before: position), count) }
    }

    /// Publishes the readouts, and keeps the effect awake until the gain is back at 1.
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

    /// Clears the delayed sound; the gain stays where it is.
    @_noLocks public mutating func clear() {
        for c in 0..<channels { lines[c].clear() }
    }
}
