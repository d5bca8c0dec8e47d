import DSP
import RealtimeCore
import UnitAPI

/// A vibrato: the pitch swings up and down, as a singer's does.
///
/// It is not a chorus: only the swinging voice is heard; and loudness stays. A delay that grows and shrinks bends the pitch
/// (`PitchSwing`), by `depth` cents to either side, at any rate. The swing is a function of sample time. The sound is later
/// by half the swing, a thousandth of a second at the defaults and 18 at the most; at a depth of 0 by two frames. If rate or
/// depth move, the pitch swing follows at once, and the delay goes to its new middle so slowly that it bends the pitch by no
/// more than 9 cents. Source: J. Dattorro, "Effect Design, Part 2: Delay-Line Modulation and Chorus", J. Audio Eng. Soc. 45
/// (1997).
public struct Vibrato: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "vbrt", manufacturer: .carillon), name: "vibrato",
        summary: "The pitch swings up and down, as a singer's does.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 0.05, factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case rate, depth

        public var spec: ParameterSpec {
            switch self {
            case .rate: .frequency("rate", 0.5...14, 5.5, smoothing: 0.1, "How often the pitch swings up and down.")
            case .depth: .cents("depth", 0...100, 30, smoothing: 0.1, "How far the pitch swings to either side.")
            }
        }
    }

    /// The most that the delay's way to its new middle bends the pitch: frames in a frame.
    private static var slope: Double { @_noLocks get { 0.005 } }
    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    /// The longest delay, in frames.
    private let longest: Double
    /// The delay of a swing that stands still: what the interpolation needs.
    public let latency = DelayLine.nearestTap
    /// The longest delay and a run, in frames.
    public let memory: Int
    public var runs = EffectRuns()

    private var phase = FreePhase()
    private var swing = PitchSwing(), rate: Float = -1, depth: Float = -1
    /// The distance of the delay from where the swing has it, at the start of the current 64 frames; and its growth a frame.
    private var offset = 0.0, step = 0.0

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        // The swing at its widest and slowest.
        longest = 0.04 * setup.sampleRate + Double(DelayLine.nearestTap)
        left = DelayLine(longest: Int(longest) + 8)
        right = DelayLine(longest: Int(longest) + 8)
        memory = Int(longest) + 8 + DelayLine.run
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        phase = FreePhase()
        rate = -1
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        listen(io, at: i)
        (offset, step) = (0, 0)
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        offset += step * Double(DelayLine.run)
        let turns = phase.turns(at: (io.sampleTime + i).rawValue), before = delay(turns, offset)
        // The delay stays where it is; the swing around it is another one, and has another middle.
        if listen(io, at: i) || offset != 0 { offset = before - delay(turns) }
        let farthest = Self.slope * Double(DelayLine.run)
        step = min(max(offset, 0 - farthest), farthest) * (-1.0 / 64)
    }

    /// Makes the swing of the parameters at frame `i`; returns whether it is another one.
    @_noLocks @discardableResult
    private mutating func listen(_ io: borrowing RenderIO, at i: Int) -> Bool {
        let rate = io[Parameter.rate][i], depth = io[Parameter.depth][i]
        if rate == self.rate && depth == self.depth { return false }
        self.rate = rate
        self.depth = depth
        phase.swing(rate, sampleRate: sampleRate, at: (io.sampleTime + i).rawValue)
        swing = PitchSwing(cents: Double(depth), rate: Double(rate), sampleRate: sampleRate)
        return true
    }

    /// The delay in frames where the swing alone would have it.
    @_noLocks private func delay(_ turns: Double) -> Double {
        swing.reach + swing.delay(turns: turns) + Double(DelayLine.nearestTap)
    }

    /// The delay in frames, no less and no more than there is.
    @_noLocks private func delay(_ turns: Double, _ offset: Double) -> Double {
        min(max(delay(turns) + offset, Double(DelayLine.nearestTap)), longest)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        left.write(io.input(0, 0).base + run.start, run.count, at: run.position)
        right.write(io.input(0, 1).base + run.start, run.count, at: run.position)
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        for k in 0..<run.count {
            let turns = phase.turns(at: run.time &+ Int64(k))
            let delay = delay(turns, offset + step * Double(Int32(truncatingIfNeeded: run.phase &+ k)))
            outLeft[k] = left.tap(delay, before: run.position &+ k)
            outRight[k] = right.tap(delay, before: run.position &+ k)
        }
    }

    /// Clears the voice; the swing goes on.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
    }
}
