import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// An auto wah: a filter that opens with the sound's level, or to and fro by itself.
///
/// It is not a filter swept by hand: a follower listens to the louder side, `sensitivity` turns up what it hears, and at 0 dB
/// the filter stands `range` octaves away from `manual`, upwards or downwards, and no further. A sine, which is a function of
/// sample time, moves it beside that. Both sides go through filters that stand at the same frequency. The filter is renewed
/// every 64 frames and gets there in 256. Sources: U. Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd edition 2011, chapter 2;
/// A. Simper's filter (`StateVariableFilter`).
package struct AutoWah: EffectWithMemory, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "awah", manufacturer: .carillon), name: "auto-wah",
        summary: "A filter that opens with the sound's level, or by itself.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 30, factoryPresets: factoryPresets)

    package enum Parameter: Int, UnitParameter {
        case type, manual, resonance, sensitivity, range, attack, release, rate, depth, mix

        package var spec: ParameterSpec {
            switch self {
            case .type:
                .choice(
                    "type", ["low-pass", "band-pass", "peak"], default: 1,
                    help: "What comes through: below the filter's frequency, around it, or all with that raised.")
            case .manual: .frequency("manual", 50...8000, 400, smoothing: 0.05, "Where the filter stands by itself.")
            case .resonance:
                ParameterSpec(
                    "resonance", 0.5...20, default: 4, curve: .logarithmic,
                    help: "How narrow the filter is, and how much it rings.")
            case .sensitivity: .decibels("sensitivity", -12...48, 12, "Gain of the sound that the follower hears.")
            case .range:
                .number(
                    "range", -6...6, 3, smoothing: 0.05,
                    "Octaves that a sound of 0 dB at the follower moves the filter; below 0 downwards.")
            case .attack: .time("attack", 0.001...0.5, 0.01, "How long the follower takes for two thirds of the way up.")
            case .release: .time("release", 0.01...2, 0.15, "How long the follower takes for two thirds of the way down.")
            case .rate: .frequency("rate", 0.05...20, 2, smoothing: 0, "How often the filter moves to and fro by itself.")
            case .depth:
                .number("depth", 0...3, 0, smoothing: 0.2, "Octaves that the filter moves to either side by itself.")
            case .mix: .percent("mix", 0...100, 100, "0 is the unchanged sound, 100 only what the filter leaves of it.")
            }
        }
    }

    private let sampleRate: Double
    private var filter = EqualizerBand()
    private var sensitivity = AmplitudeMemo()
    private var phase = FreePhase()
    /// The level that the follower has, without its sensitivity.
    private var level = 0.0
    private var attack = ShareMemo(), release = ShareMemo()

    /// A run without sound is enough, for what rings is in the filter's level.
    package let memory = DelayLine.run
    package var runs = EffectRuns()

    package init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks package mutating func reset() {
        filter = EqualizerBand()
        runs = EffectRuns()
        phase = FreePhase()
        level = 0
    }

    @_noLocks package mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        filter.settle()
    }

    @_noLocks package mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        attack.aim(io[Parameter.attack][i], sampleRate: sampleRate)
        release.aim(io[Parameter.release][i], sampleRate: sampleRate)
        let time = (io.sampleTime + i).rawValue
        phase.swing(io[Parameter.rate][i], sampleRate: sampleRate, at: time)
        let heard = min(level * Double(sensitivity(io[Parameter.sensitivity][i])), 1)
        let octaves =
            Double(io[Parameter.range][i]) * heard
            + Double(io[Parameter.depth][i]) * DeterministicMath.sine(turns: phase.turns(at: time))
        let wanted = Double(io[Parameter.manual][i]) * DeterministicMath.quickExp2(octaves)
        aim(Int(io[Parameter.type][i] + 0.5), Float(min(max(wanted, 20), 18_000)), io[Parameter.resonance][i])
    }

    @_noLocks private mutating func aim(_ type: Int, _ frequency: Float, _ quality: Float) {
        if type < 2 {
            filter.aim(
                response: type == 0 ? 4 : 7, frequency: frequency, gain: 0, quality: quality, sampleRate: sampleRate)
        } else {
            let peak = SweptFilter.peak(quality)
            filter.aim(
                response: 1, frequency: frequency, gain: peak.gain, quality: peak.quality, sampleRate: sampleRate)
        }
    }

    @_noLocks package mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let fromLeft = io.input(0, 0).base + run.start, fromRight = io.input(0, 1).base + run.start
        let left = io.output(0, 0).base + run.start, right = io.output(0, 1).base + run.start
        for k in 0..<run.count {
            let sound = Double(max(abs(fromLeft[k]), abs(fromRight[k])))
            level += (sound - level) * (sound > level ? attack.share : release.share)
        }
        rt_copy(left, fromLeft, run.count)
        rt_copy(right, fromRight, run.count)
        filter.process(left, right, run.count, phase: run.phase)
        // The follower still moves the filter: it counts as sound.
        runs.stir(run, holding: max(filter.level, level), left, right)
        SweptFilter.mix(io, run, io[Parameter.mix])
    }

    /// Clears the filter, which keeps its setting, and the follower.
    @_noLocks package mutating func clear() {
        filter.clear()
        level = 0
    }
}
