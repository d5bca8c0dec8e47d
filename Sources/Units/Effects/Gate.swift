import DSP
import RealtimeCore
import UnitAPI

/// A gate: it passes what is loud enough, and keeps out hum, hiss and the neighbour's drum in between.
///
/// It is not a compressor: a gate is open or closed, or on the way. It opens at the threshold and closes a hysteresis below it,
/// so that a tone in between does not make it flutter, and no sooner than `hold` after the last sample above that, which is
/// longer than half a period of 50 Hz. With `key` it measures its second input instead of its first: the bass drum that opens
/// a bass. Both sides share one gain. Source: the noise gate with hysteresis and hold of U. Zoelzer (ed.), "DAFX: Digital
/// Audio Effects", 2nd ed. (2011), chapter 4; attack and release are exponential.
///
/// Readout: `gain-reduction`, the most of the recent past, in decibels.
public struct Gate: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "gate", manufacturer: .carillon), name: "gate",
        summary: "Lets through what is loud enough, and silences the rest.",
        inputs: [.init("main"), .init("key", use: .key)], outputs: [.init("main")], tail: 30, readouts: ["gain-reduction"],
        factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case threshold, hysteresis, range, attack, hold, release, lowCut, key, lookAhead, autoKey

        public var spec: ParameterSpec {
            switch self {
            case .threshold: .decibels("threshold", -80...0, -45, "How loud a sound must be to open the gate.")
            case .hysteresis: .decibels("hysteresis", 0...24, 6, "How far a sound must fall below the threshold to close it.")
            case .range:
                .decibels("range", 0...120, 60, "How much softer the sound is where the gate is closed; 120 dB is silence.")
            case .attack: .time("attack", 0.0001...0.25, 0.001, "How long the gate takes for two thirds of the way open.")
            case .hold: .time("hold", 0.01...2, 0.05, "How long it stays open when the sound is over.")
            case .release: .time("release", 0.005...2, 0.1, "How long it takes for two thirds of the way shut.")
            case .lowCut: .frequency("low-cut", 20...1_000, 20, "Frequencies below this are heard, but do not move the gain.")
            case .key:
                .toggle("key", default: false, help: "Whether it listens to its input key instead of what goes through it.")
            case .lookAhead:
                .seconds(
                    "look-ahead", 0...0.02, 0, applies: .atStart,
                    "How long before a sound the gate reacts to it; the sound is delayed by as much.")
            case .autoKey: KeyInput.autoSpec
            }
        }
    }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private var sideChain = SideChainFilter()
    private var isOpen = false
    /// Frames that it stays open if nothing is heard.
    private var held = 0
    /// The opening of the gate, 0...1.
    private var openness = 0.0
    /// The least openness since the last readout.
    private var least = 1.0
    private var attack = ShareMemo(), release = ShareMemo()
    private var opening = AmplitudeMemo(), closing = AmplitudeMemo(), floor = AmplitudeMemo()
    /// The look-ahead, in frames.
    public let latency: Int

    /// The look-ahead, and as long as the low cut takes to forget.
    public let memory: Int
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        latency = Int(Double(setup.value(of: Parameter.lookAhead)) * setup.sampleRate + 0.5)
        memory = latency + Int(0.3 * setup.sampleRate)
        left = DelayLine(longest: latency)
        right = DelayLine(longest: latency)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        isOpen = false
        held = 0
        openness = 0
        least = 1
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
        let bus = KeyInput.bus(io, key: io[Parameter.key], autoKey: io[Parameter.autoKey], at: from)
        sideChain.take(io.input(bus, 0).base + from, io.input(bus, 1).base + from, count, phase: run.phase)
        left.write(io.input(0, 0).base + from, count, at: position)
        right.write(io.input(0, 1).base + from, count, at: position)
        let outLeft = io.output(0, 0).base + from, outRight = io.output(0, 1).base + from
        let oldLeft = left.read(latency, before: position), oldRight = right.read(latency, before: position)
        let threshold = io[Parameter.threshold], hysteresis = io[Parameter.hysteresis], range = io[Parameter.range]
        let hold = io[Parameter.hold]
        for k in 0..<count {
            let i = from &+ k, peak = sideChain.peak(k)
            if peak >= opening(threshold[i]) { isOpen = true }
            if isOpen {
                if peak >= closing(threshold[i] - hysteresis[i]) {
                    held = Int(Double(hold[i]) * sampleRate + 0.5)
                } else {
                    held &-= 1
                    isOpen = held > 0
                }
            }
            move()
            let gain = floor(0 - range[i]) * Float(1 - openness) + Float(openness)
            outLeft[k] = oldLeft[k] * gain
            outRight[k] = oldRight[k] * gain
        }
    }

    /// One frame's share of the way to where the gate is wanted; the last 100,000th is made at once.
    @_noLocks private mutating func move() {
        if isOpen {
            openness = openness > 0.99999 ? 1 : openness + (1 - openness) * attack.share
        } else {
            openness = openness < 0.00001 ? 0 : openness - openness * release.share
        }
        if openness < least { least = openness }
    }

    /// Publishes the readout, and keeps the effect awake until the gate is closed.
    @_noLocks public mutating func settle(_ io: borrowing RenderIO) {
        let shut = Decibels.amplitude(0 - io[Parameter.range].target)
        io.publish(0, 0 - Decibels.level(ofAmplitude: shut * Float(1 - least) + Float(least)))
        least = 1
        if isOpen || openness > 0 { runs.stir() }
    }

    /// Clears the delayed sound; the gate stays closed.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
        sideChain.clear()
    }
}
