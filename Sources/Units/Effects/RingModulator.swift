import DSP
import RealtimeCore
import UnitAPI

/// A ring modulator: the sound times a sine, as robots and bells have it.
///
/// It is not a tremolo, although below 20 Hz it sounds like one: the sign turns too. A tone comes out as two, as far above the
/// carrier as below it, their sum and their difference; the tone itself and the carrier are gone. So what was in tune no
/// longer is. The carrier is a function of sample time, and its phase goes on where the frequency moves. What would lie above
/// half the sample rate is mirrored there. Source: U. Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd edition 2011,
/// chapter 3.
public struct RingModulator: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "ring", manufacturer: .carillon), name: "ring-modulator",
        summary: "Multiplies the sound by a sine, for robots and bells.", inputs: [.init("main")],
        outputs: [.init("main")], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case frequency, mix

        public var spec: ParameterSpec {
            switch self {
            case .frequency:
                .frequency(
                    "frequency", 0.1...10_000, 220, smoothing: 0.05,
                    "How far above and below itself each tone comes out: the frequency of the carrier.")
            case .mix: .percent("mix", 0...100, 50, "0 is the unchanged sound, 100 only its sums and differences.")
            }
        }
    }

    private let sampleRate: Double
    /// Nothing is remembered: a run is enough.
    public let memory = DelayLine.run
    public var runs = EffectRuns()
    private var phase = FreePhase()

    public init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        runs = EffectRuns()
        phase = FreePhase()
    }

    /// The frequency steps every 64 frames, the phase never.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        phase.swing(io[Parameter.frequency][i], sampleRate: sampleRate, at: (io.sampleTime + i).rawValue)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.input(0, 0).base + run.start, right = io.input(0, 1).base + run.start
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        let mix = io[Parameter.mix]
        for k in 0..<run.count {
            let carrier = Float(DeterministicMath.sine(turns: phase.turns(at: run.time &+ Int64(k))))
            let share = mix[run.start &+ k] * 0.01, gain = carrier * share + (1 - share)
            outLeft[k] = left[k] * gain
            outRight[k] = right[k] * gain
        }
    }

    /// Nothing is remembered, so there is nothing to forget.
    @_noLocks public mutating func clear() {}
}
