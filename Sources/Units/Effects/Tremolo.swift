import DSP
import RealtimeCore
import UnitAPI

/// A tremolo: the sound fades and comes back a few times a second, on both sides at once or from one to the other.
///
/// It is not a vibrato: pitch stays. A swing, which is a function of sample time, moves the gain between 1 and what depth
/// leaves. With the right side half a turn ahead, it goes from side to side (auto-pan), and sine and triangle leave the sum of
/// both sides steady. The square's edges take 5 ms, or a quarter of the period if that is less, and are half a cosine, so that
/// they do not click. There is no mix: half of the sound as it came beside half of this is half the depth. Source: U. Zölzer
/// (ed.), "DAFX: Digital Audio Effects", 2nd edition 2011, chapter 3.
public struct Tremolo: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "trml", manufacturer: .carillon), name: "tremolo",
        summary: "The sound fades and comes back a few times a second, or goes from side to side.", inputs: [.init("main")],
        outputs: [.init("main")], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case rate, depth, shape, stereoPhase

        public var spec: ParameterSpec {
            switch self {
            case .rate: .frequency("rate", 0.05...20, 5, smoothing: 0, "How often the sound fades and comes back.")
            case .depth:
                .percent("depth", 0...100, 60, "How far the sound fades: 0 leaves it as it came, at 100 it falls silent.")
            case .shape:
                .choice(
                    "shape", ["sine", "triangle", "square"], default: 0,
                    help: "How it fades and comes back: softly, in straight lines, or all at once.")
            case .stereoPhase:
                .number(
                    "stereo-phase", 0...180, 0, smoothing: 0.2,
                    "Degrees by which the right side is ahead of the left; at 180 the sound goes from side to side.")
            }
        }
    }

    private let sampleRate: Double
    /// Nothing is remembered: a run is enough.
    public let memory = DelayLine.run
    public var runs = EffectRuns()
    private var phase = FreePhase()
    /// The shares of triangle and square, the sine being the rest; and the length of an edge of the square, in turns.
    private var triangle = GlidingValue(), square = GlidingValue(), edge = GlidingValue()

    public init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        runs = EffectRuns()
        phase = FreePhase()
    }

    /// The swing is at once of the shape that is wanted.
    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        aim(io, at: i, farthest: 1)
        triangle.settle()
        square.settle()
        edge.settle()
        if (io.sampleTime + i).rawValue % Int64(DelayLine.run) != 0 { aim(io, at: i, farthest: 1) }
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        // Another shape comes within 20 ms.
        aim(io, at: i, farthest: Double(DelayLine.run) / (0.02 * sampleRate))
    }

    @_noLocks private mutating func aim(_ io: borrowing RenderIO, at i: Int, farthest: Double) {
        let rate = io[Parameter.rate][i], shape = io[Parameter.shape].target
        phase.swing(rate, sampleRate: sampleRate, at: (io.sampleTime + i).rawValue)
        triangle.aim(moved(triangle[DelayLine.run], to: shape > 0.5 && shape < 1.5 ? 1 : 0, farthest))
        square.aim(moved(square[DelayLine.run], to: shape >= 1.5 ? 1 : 0, farthest))
        edge.aim(min(0.005 * Double(rate), 0.25))
    }

    @_noLocks private func moved(_ share: Double, to goal: Double, _ farthest: Double) -> Double {
        share + min(max(goal - share, 0 - farthest), farthest)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.input(0, 0).base + run.start, right = io.input(0, 1).base + run.start
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        let depth = io[Parameter.depth], ahead = io[Parameter.stereoPhase]
        for k in 0..<run.count {
            let i = run.start &+ k, place = run.phase &+ k
            let turns = phase.turns(at: run.time &+ Int64(k)), far = Double(depth[i]) * 0.005
            let near = gain(turns, far, place)
            outLeft[k] = left[k] * near
            outRight[k] = right[k] * (ahead[i] == 0 ? near : gain(turns + Double(ahead[i]) / 360, far, place))
        }
    }

    /// The gain where the swing is at `turns`, which takes away `far` to either side of the middle.
    @_noLocks private func gain(_ turns: Double, _ far: Double, _ place: Int) -> Float {
        let triangle = triangle[place], square = square[place], sine = 1 - triangle - square
        var swing = 0.0
        if sine > 0 { swing += sine * DeterministicMath.sine(turns: turns) }
        if triangle > 0 {
            let past = turns + 0.25 - DeterministicMath.floor(turns + 0.25)
            swing += triangle * (past < 0.5 ? 4 * past - 1 : 3 - 4 * past)
        }
        if square > 0 {
            // How far into its half the swing is from the nearer edge, in turns: 0...1/4, and which half.
            let half = turns - DeterministicMath.floor(turns), within = half < 0.5 ? half : half - 0.5
            let inside = min(within, 0.5 - within), height = half < 0.5 ? 1.0 : -1.0, width = 0.5 * edge[place]
            let rise = inside >= width ? 1 : DeterministicMath.sine(turns: 0.25 * inside / width)
            swing += square * height * rise
        }
        return Float(1 - far + far * swing)
    }

    /// Nothing is remembered, so there is nothing to forget.
    @_noLocks public mutating func clear() {}
}
