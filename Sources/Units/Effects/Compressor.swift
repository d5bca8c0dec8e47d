import DSP
import RealtimeCore
import UnitAPI

/// A compressor: it makes loud sound softer, so that all of it can be louder; or it ducks the music when something else
/// sounds.
///
/// It is not a limiter for the end of a chain: it measures samples and not the wave between them, and passes the beginning of a
/// peak for as long as the attack takes. With `key` it measures its second input instead of its first: the bass drum that
/// pumps, the voice that ducks the music. Both sides share one gain, so that the stereo image does not move. Feed-forward,
/// with the detector in decibels after the curve. Source: D. Giannoulis, M. Massberg, J. D. Reiss, "Digital Dynamic Range
/// Compressor Design: A Tutorial and Analysis", J. Audio Eng. Soc. 60 (2012); see `CompressionCurve` and `GainBallistics`.
///
/// Readout: `gain-reduction`, the most of the recent past, in decibels and without the make-up gain.
public struct Compressor: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "cmpr", manufacturer: .carillon), name: "compressor",
        summary: "Makes loud passages softer, or ducks when something else sounds.",
        inputs: [.init("main"), .init("key", use: .key)], outputs: [.init("main")], tail: 30, readouts: ["gain-reduction"],
        factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case threshold, ratio, limiting, knee, attack, release, detector, lowCut, key, makeUp, autoMakeUp, mix, lookAhead
        case autoKey

        public var spec: ParameterSpec {
            switch self {
            case .threshold: .decibels("threshold", -60...0, -20, "What is louder than this becomes softer.")
            case .ratio:
                ParameterSpec(
                    "ratio", 1...20, default: 3, curve: .logarithmic,
                    help: "How many decibels above the threshold become one.")
            case .limiting:
                .toggle("limiting", default: false, help: "Whether nothing rises above the threshold: an endless ratio.")
            case .knee: .decibels("knee", 0...24, 6, "How many decibels around the threshold the ratio takes to set in.")
            case .attack: .time("attack", 0.0001...0.25, 0.01, "How long the gain takes for two thirds of the way down.")
            case .release: .time("release", 0.01...2, 0.15, "How long the gain takes for two thirds of the way back.")
            case .detector:
                .choice(
                    "detector", ["peak", "rms"], default: 0,
                    help: "What counts as loud: the highest sample, or the mean over a hundredth of a second.")
            case .lowCut: .frequency("low-cut", 20...1_000, 20, "Frequencies below this are heard, but do not move the gain.")
            case .key:
                .toggle("key", default: false, help: "Whether it listens to its input key instead of what goes through it.")
            case .makeUp: .decibels("make-up", 0...24, 0, "How much louder all of it becomes.")
            case .autoMakeUp:
                .fadingToggle(
                    "auto-make-up", default: false,
                    help: "Whether half of the reduction of a full-scale tone is added as gain.")
            case .mix:
                .percent(
                    "mix", 0...100, 100,
                    "0 is the unchanged sound, 100 only the compressed one; between them both, in parallel.")
            case .lookAhead:
                .seconds(
                    "look-ahead", 0...0.02, 0, applies: .atStart,
                    "How long before a sound the gain reacts to it; the sound is delayed by as much.")
            case .autoKey: KeyInput.autoSpec
            }
        }
    }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private var sideChain = SideChainFilter()
    private var ballistics = GainBallistics()
    private var leftPower = 0.0, rightPower = 0.0
    /// Shares of the way per frame: of the mean squares, of the gain down and back.
    private let powerShare: Double
    private var attack = ShareMemo(), release = ShareMemo()
    /// The most reduction since the last readout.
    private var most = 0.0
    /// The look-ahead, in frames.
    public let latency: Int

    /// The look-ahead, plus the time in which the mean squares and the low cut decay.
    public let memory: Int
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        latency = Int(Double(setup.value(of: Parameter.lookAhead)) * setup.sampleRate + 0.5)
        memory = latency + Int(0.3 * setup.sampleRate)
        left = DelayLine(longest: latency)
        right = DelayLine(longest: latency)
        powerShare = GainBallistics.share(seconds: 0.01, sampleRate: setup.sampleRate)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        ballistics = GainBallistics()
        runs = EffectRuns()
        most = 0
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        sideChain.settle()
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        sideChain.aim(io[Parameter.lowCut][i], sampleRate: sampleRate)
        attack.aim(io[Parameter.attack][i], sampleRate: sampleRate)
        release.aim(io[Parameter.release][i], sampleRate: sampleRate)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let from = run.start, count = run.count, position = run.position
        // What steps stays as it is for the whole call.
        let bus = KeyInput.bus(io, key: io[Parameter.key], autoKey: io[Parameter.autoKey], at: from)
        let isLimiting = io[Parameter.limiting][from] >= 0.5
        let isMean = io[Parameter.detector][from] >= 0.5
        sideChain.take(io.input(bus, 0).base + from, io.input(bus, 1).base + from, count, phase: run.phase)
        left.write(io.input(0, 0).base + from, count, at: position)
        right.write(io.input(0, 1).base + from, count, at: position)
        let outLeft = io.output(0, 0).base + from, outRight = io.output(0, 1).base + from
        let oldLeft = left.read(latency, before: position), oldRight = right.read(latency, before: position)
        let threshold = io[Parameter.threshold], ratio = io[Parameter.ratio], knee = io[Parameter.knee]
        let makeUp = io[Parameter.makeUp], auto = io[Parameter.autoMakeUp], mix = io[Parameter.mix]
        for k in 0..<count {
            let i = from &+ k
            let slope = isLimiting ? 1 : 1 - 1 / Double(ratio[i])
            let curve = CompressionCurve(threshold: Double(threshold[i]), slope: slope, knee: Double(knee[i]))
            let wanted = curve.reduction(at: level(k, isMean))
            let reduction = ballistics.next(wanted, attack: attack.share, release: release.share)
            if reduction > most { most = reduction }
            var gain = Double(makeUp[i]) - reduction
            if auto[i] > 0 { gain += Double(auto[i]) * 0.5 * curve.reduction(at: 0) }
            let share = mix[i] * 0.01
            let wet = Float(DeterministicMath.quickExp2(gain * 0.16609640474436813))    // log2(10) / 20
            let factor = wet * share + (1 - share)
            outLeft[k] = oldLeft[k] * factor
            outRight[k] = oldRight[k] * factor
        }
    }

    /// Returns the level of frame `k` of the side chain, in decibels.
    @_noLocks private mutating func level(_ k: Int, _ isMean: Bool) -> Double {
        let l = Double(sideChain.left[k]), r = Double(sideChain.right[k])
        leftPower += (l * l - leftPower) * powerShare
        rightPower += (r * r - rightPower) * powerShare
        let power = isMean ? max(leftPower, rightPower) : max(l * l, r * r)
        return power > 1e-12 ? DeterministicMath.log2(power) * 3.010299956639812 : -120
    }

    /// Publishes the readout, and keeps the effect awake until the gain is back.
    @_noLocks public mutating func settle(_ io: borrowing RenderIO) {
        io.publish(0, Float(most))
        most = 0
        if ballistics.isActive { runs.stir() }
    }

    /// Clears the delayed sound; the gain stays where it is.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
        sideChain.clear()
        leftPower = 0
        rightPower = 0
    }
}
