import DSP
import RealtimeCore
import UnitAPI

/// An echo: what was heard comes back, fainter every time.
///
/// It is no reverb: single repeats, left and right apart.
public struct Echo: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "echo", manufacturer: .carillon),
        name: "echo", summary: "What was heard comes back, fainter every time.",
        inputs: [.init("main")], outputs: [.init("main")], tail: 16)

    public enum Parameter: Int, UnitParameter {
        case time, feedback

        public var spec: ParameterSpec {
            switch self {
            case .time:
                ParameterSpec(
                    "time", 0.01...0.25, default: 0.2, unit: .seconds, applies: .atStart,
                    help: "How long a repeat takes to come.")
            case .feedback:
                ParameterSpec("feedback", 0...0.8, default: 0.5, unit: .ratio, help: "What is left of it each time.")
            }
        }
    }

    private let delay: Int
    private let left: DelayLine, right: DelayLine
    public let memory: Int
    public var runs = EffectRuns()

    public init(_ setup: UnitSetup) {
        delay = Int(Double(setup.value(of: Parameter.time)) * setup.sampleRate)
        left = DelayLine(longest: delay)
        right = DelayLine(longest: delay)
        memory = delay + DelayLine.run
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {}

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let peak = max(
            repeatSound(left, io.input(0, 0).base, io.output(0, 0).base, run, io[Parameter.feedback]),
            repeatSound(right, io.input(0, 1).base, io.output(0, 1).base, run, io[Parameter.feedback]))
        // As long as the loop is louder than -120 dB there is something to hear.
        if runs.isQuiet && peak > 1e-6 { runs.stir() }
    }

    /// One channel; returns its peak.
    @_noLocks private func repeatSound(
        _ line: borrowing DelayLine, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
        _ run: EffectRun, _ feedback: ParameterRamp
    ) -> Float {
        let old = line.read(delay, before: run.position), new = line.open(run.position)
        var peak: Float = 0
        for k in 0..<run.count {
            new[k] = input[run.start &+ k] + old[k] * feedback[run.start &+ k]
            peak = max(peak, abs(new[k]))
            output[run.start &+ k] = new[k]
        }
        line.close(run.position, run.count)
        return peak
    }

    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
    }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
    }
}
