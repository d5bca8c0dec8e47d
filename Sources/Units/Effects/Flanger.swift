import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A flanger: the sound and a twin a few thousandths of a second later, which cut notches into it that sweep up and down.
///
/// It is not a chorus: one voice, so near that it is not heard as a second one. Where the delay is half a period, three halves
/// and so on, sound and twin cancel out; a sine moves the delay, and with it the whole comb. With feedback the twin goes in
/// again, which makes the peaks between the notches ring, of a pipe that is open at both ends or, below 0, closed at one. The
/// sine is a function of sample time. The delay is never less than three frames: the interpolation needs them.
/// Source: J. Dattorro, "Effect Design, Part 2: Delay-Line Modulation and Chorus", J. Audio Eng. Soc. 45 (1997).
public struct Flanger: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "flng", manufacturer: .carillon), name: "flanger",
        summary: "A near twin of the sound that cuts sweeping notches into it.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 4, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case manual, depth, rate, feedback, stereoPhase, mix

        public var spec: ParameterSpec {
            switch self {
            case .manual:
                .time("manual", 0.0001...0.01, 0.002, smoothing: 0.2, "How late the twin is in the middle of its swing.")
            case .depth:
                .percent(
                    "depth", 0...100, 80, smoothing: 0.2,
                    "How far the delay swings to either side, as a share of manual; at 0 the notches are fixed.")
            case .rate: .frequency("rate", 0.01...10, 0.2, smoothing: 0, "How often the notches sweep up and down.")
            case .feedback:
                .percent("feedback", -90...90, 50, "How much of the twin goes in again; below 0 with its sign turned.")
            case .stereoPhase:
                .number(
                    "stereo-phase", 0...180, 90, smoothing: 0.2,
                    "Degrees by which the right side swings ahead of the left; at 180 they go against each other.")
            case .mix:
                .percent("mix", 0...100, 50, "0 is the unchanged sound, 100 only the twin; at 50 the notches are deepest.")
            }
        }
    }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    /// The longest delay and a run, in frames.
    public let memory: Int
    public var runs = EffectRuns()

    private var phase = FreePhase()
    private var leftDelay = GlidingValue(), rightDelay = GlidingValue()

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        let longest = Int(0.02 * setup.sampleRate) + 8
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        memory = longest + DelayLine.run
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        phase = FreePhase()
    }

    /// Both delays are at once where they would be, had the effect been awake.
    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        let time = (io.sampleTime + i).rawValue, run = Int64(DelayLine.run), begin = time &- time % run
        aim(io, at: i, for: begin)
        leftDelay.settle()
        rightDelay.settle()
        if begin != time { aim(io, at: i, for: begin &+ run) }
    }

    /// Sends both delays on their way for 64 frames: to where the sine is then.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        aim(io, at: i, for: (io.sampleTime + i).rawValue &+ Int64(DelayLine.run))
    }

    @_noLocks private mutating func aim(_ io: borrowing RenderIO, at i: Int, for time: Int64) {
        phase.swing(io[Parameter.rate][i], sampleRate: sampleRate, at: (io.sampleTime + i).rawValue)
        let turns = phase.turns(at: time), ahead = Double(io[Parameter.stereoPhase][i]) / 360
        let middle = Double(io[Parameter.manual][i]) * sampleRate, far = middle * Double(io[Parameter.depth][i]) * 0.01
        let nearest = Double(DelayLine.nearestTap &+ 1)
        leftDelay.aim(max(middle + far * DeterministicMath.sine(turns: turns), nearest))
        rightDelay.aim(max(middle + far * DeterministicMath.sine(turns: turns + ahead), nearest))
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let peak = max(pass(io, run, 0, left, leftDelay), pass(io, run, 1, right, rightDelay))
        // As long as the feedback is louder than -120 dB, it is audible.
        if runs.isQuiet && peak > 1e-6 { runs.stir() }
    }

    /// One channel; returns the peak of what went into the line.
    @_noLocks private func pass(
        _ io: borrowing RenderIO, _ run: EffectRun, _ channel: Int, _ line: borrowing DelayLine, _ delay: GlidingValue
    ) -> Float {
        let input = io.input(0, channel).base + run.start, output = io.output(0, channel).base + run.start
        let feedback = io[Parameter.feedback], mix = io[Parameter.mix]
        var peak: Float = 0
        for k in 0..<run.count {
            let position = run.position &+ k, i = run.start &+ k
            let twin = line.tap(delay[run.phase &+ k], before: position)
            let fed = input[k] + twin * (feedback[i] * 0.01), share = mix[i] * 0.01
            line.open(position)[0] = fed
            line.close(position, 1)
            peak = max(peak, abs(fed))
            output[k] = twin * share + input[k] * (1 - share)
        }
        return peak
    }

    /// Clears the twin.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
    }
}
