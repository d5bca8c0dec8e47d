import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A phaser: a few notches, unevenly spaced, which wander up and down through the sound.
///
/// It is not a flanger: no delay, and not a whole comb but one notch for every two stages. A chain of all-passes
/// (`AllpassChain`, where the sources are named) turns the phase; where it is turned half-way around, chain and sound cancel
/// out. A sine moves the chain's frequency by octaves, and is a function of sample time. Feedback leaves the notches where they
/// are; above 0 it narrows the peaks between them, below 0 the notches. It never makes a peak louder than the sound was.
/// Another number of stages fades through the dry sound within 1024 frames.
public struct Phaser: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "phsr", manufacturer: .carillon), name: "phaser",
        summary: "A few notches that move up and down through the sound.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 30, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case stages, frequency, depth, rate, feedback, stereoPhase, mix

        public var spec: ParameterSpec {
            switch self {
            case .stages:
                .choice(
                    "stages", ["four", "six", "eight", "ten", "twelve"], default: 1,
                    help: "How many all-passes there are in the chain: two for each notch.")
            case .frequency:
                .frequency(
                    "frequency", 100...4000, 700, smoothing: 0.1,
                    "Where the notches are in the middle of their swing: half of them lie above it.")
            case .depth:
                .number(
                    "depth", 0...3, 1.5, smoothing: 0.2,
                    "Octaves that the notches swing to either side; at 0 they are fixed.")
            case .rate: .frequency("rate", 0.01...10, 0.4, smoothing: 0, "How often the notches swing up and down.")
            case .feedback:
                .percent(
                    "feedback", -90...90, 40,
                    "How much goes through the chain again: above 0 peaks become narrow, below 0 notches do.")
            case .stereoPhase:
                .number(
                    "stereo-phase", 0...180, 60, smoothing: 0.2,
                    "Degrees by which the right side swings ahead of the left; at 180 they go against each other.")
            case .mix:
                .percent(
                    "mix", 0...100, 50,
                    "0 is the unchanged sound, 100 only what is turned; at 50 the notches are deepest.")
            }
        }
    }

    private let sampleRate: Double
    private let left = AllpassChain(), right = AllpassChain()

    /// A run without sound is enough, for what rings is in the chains' levels.
    public let memory = DelayLine.run
    public var runs = EffectRuns()

    private var phase = FreePhase()
    private var leftCoefficient = GlidingValue(), rightCoefficient = GlidingValue()
    /// The stages that sound, and 64 frames until they are heard in full again; above 8 they are on their way out.
    private var stages = 4, fade = 0

    public init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        phase = FreePhase()
    }

    /// The chains are at once where they would be, had the effect been awake.
    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        let time = (io.sampleTime + i).rawValue, run = Int64(DelayLine.run), begin = time &- time % run
        aim(io, at: i, for: begin)
        leftCoefficient.settle()
        rightCoefficient.settle()
        if begin != time { aim(io, at: i, for: begin &+ run) }
        stages = wantedStages(io, at: i)
        fade = 0
    }

    /// Sends both chains on their way for 64 frames: to where the sine is then.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        aim(io, at: i, for: (io.sampleTime + i).rawValue &+ Int64(DelayLine.run))
        if fade > 0 { fade &-= 1 }
        let wanted = wantedStages(io, at: i)
        if fade == 8 {
            stages = wanted
            left.clear()
            right.clear()
        } else if fade == 0 && wanted != stages {
            fade = 16
        }
    }

    @_noLocks private func wantedStages(_ io: borrowing RenderIO, at i: Int) -> Int {
        4 &+ 2 &* Int(io[Parameter.stages][i] + 0.5)
    }

    @_noLocks private mutating func aim(_ io: borrowing RenderIO, at i: Int, for time: Int64) {
        phase.swing(io[Parameter.rate][i], sampleRate: sampleRate, at: (io.sampleTime + i).rawValue)
        let turns = phase.turns(at: time), ahead = Double(io[Parameter.stereoPhase][i]) / 360
        leftCoefficient.aim(coefficient(io, at: i, swing: DeterministicMath.sine(turns: turns)))
        rightCoefficient.aim(coefficient(io, at: i, swing: DeterministicMath.sine(turns: turns + ahead)))
    }

    @_noLocks private func coefficient(_ io: borrowing RenderIO, at i: Int, swing: Double) -> Double {
        let octaves = Double(io[Parameter.depth][i]) * swing
        let frequency = Double(io[Parameter.frequency][i]) * DeterministicMath.quickExp2(octaves)
        return AllpassChain.coefficient(max(frequency, 20), sampleRate: sampleRate)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        pass(io, run, 0, left, leftCoefficient)
        pass(io, run, 1, right, rightCoefficient)
        if runs.isQuiet { runs.stir(run, holding: max(left.level, right.level)) }
    }

    @_noLocks private func pass(
        _ io: borrowing RenderIO, _ run: EffectRun, _ channel: Int, _ chain: borrowing AllpassChain,
        _ coefficient: GlidingValue
    ) {
        let input = io.input(0, channel).base + run.start, output = io.output(0, channel).base + run.start
        let feedback = io[Parameter.feedback], mix = io[Parameter.mix]
        for k in 0..<run.count {
            let i = run.start &+ k, phase = run.phase &+ k, x = input[k]
            let turned = chain.next(
                Double(x), stages: stages, coefficient: coefficient[phase], feedback: Double(feedback[i]) * 0.01)
            let share = mix[i] * 0.01 * presence(phase)
            output[k] = Float(turned) * share + x * (1 - share)
        }
    }

    /// The part of the chains that is heard while their stages change: down to 0 in 512 frames, and up again.
    @_noLocks private func presence(_ phase: Int) -> Float {
        if fade == 0 { return 1 }
        let left = Float(Int32(truncatingIfNeeded: fade &* DelayLine.run &- phase)) * (1.0 / 512)
        return abs(left - 1)
    }

    /// Clears the chains.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
    }
}
