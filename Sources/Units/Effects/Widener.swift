import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A widener: it moves the sides of a stereo sound apart or together, down to mono.
///
/// It makes no stereo of mono: what both sides have in common (mid, half their sum) stays as it is, and their difference
/// (side, half of it) grows or shrinks. So the fold-down, which a radio with one loudspeaker plays, is the same at every
/// width. A high-pass of second order (Butterworth) removes low notes from the sides, where they cost level and give no
/// direction. At its defaults it passes sound bit for bit; at 200 % a sound that is on one side only rises by 3.5 dB there.
/// Sources: A. Blumlein, British patent 394 325, 1931 (sum and difference); the filter is `StateVariableFilter`.
public struct Widener: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "widn", manufacturer: .carillon), name: "widener",
        summary: "Moves the sides of a stereo sound apart or together, down to mono.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 0.5, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case width, monoBelow, balance, mono

        public var spec: ParameterSpec {
            switch self {
            case .width:
                .percent(
                    "width", 0...200, 100,
                    "How wide the sound is: 0 is mono, 100 as it came, 200 has twice the difference of the sides.")
            case .monoBelow:
                .frequency(
                    "mono-below", 20...500, 20, smoothing: 0.05,
                    "Below this frequency the sound is mono, by 12 dB an octave; 20 Hz is off.")
            case .balance:
                ParameterSpec(
                    "balance", -100...100, default: 0, unit: .pan,
                    help: "The side it moves away from falls silent; the other one stays as it is.")
            case .mono:
                .fadingToggle(
                    "mono", default: false, help: "Plays the fold-down on both sides, to hear what mono makes of the sound.")
            }
        }
    }

    private let sampleRate: Double
    private var highPass = EqualizerBand()
    private var owned = OwnedMemory()
    private let sides: UnsafeMutablePointer<Float>, high: UnsafeMutablePointer<Float>

    /// A run without sound is enough, for what rings is in the filter's level.
    public let memory = DelayLine.run
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        sides = owned.make(DelayLine.run, of: 0)
        high = owned.make(DelayLine.run, of: 0)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        highPass.settle()
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        let frequency = io[Parameter.monoBelow][i]
        highPass.aim(
            response: frequency > 20 ? 5 : 0, frequency: frequency, gain: 0, quality: 0.70710678, sampleRate: sampleRate)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.input(0, 0).base + run.start, right = io.input(0, 1).base + run.start
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        let width = io[Parameter.width], balance = io[Parameter.balance], mono = io[Parameter.mono]
        for k in 0..<run.count { sides[k] = 0.5 * (left[k] - right[k]) }
        rt_copy(high, sides, run.count)
        if !highPass.isNeutral {
            highPass.process(high, run.count, phase: run.phase)
            if runs.isQuiet { runs.stir(run, holding: highPass.level) }
        }
        for k in 0..<run.count {
            let i = run.start &+ k
            // What the high-pass took away: exactly 0 if it is off.
            let low = sides[k] - high[k]
            let wide = width[i] * 0.01, middle = 0.5 * (left[k] + right[k])
            // mid + width * side, in a form that is exact at 0 and at 100 %.
            let moved = (1 - wide) * middle
            let l = (wide * (left[k] - low) + moved) * BalanceLaw.left(balance[i])
            let r = (wide * (right[k] + low) + moved) * BalanceLaw.right(balance[i])
            let share = mono[i], fold = share * (0.5 * (l + r))
            outLeft[k] = l * (1 - share) + fold
            outRight[k] = r * (1 - share) + fold
        }
    }

    /// Clears the filter, which keeps its setting.
    @_noLocks public mutating func clear() { highPass.clear() }

    @_noLocks public mutating func reset() {
        highPass = EqualizerBand()
        runs = EffectRuns()
    }
}
