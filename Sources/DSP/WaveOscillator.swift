// [render]
import CRealtime

/// One channel of a sine, triangle, saw or square without aliases, at any phase and with a frequency that may move.
///
/// The plain waveform is written 32 frames ahead; where it jumps, the residual of a band-limited step is added around the
/// jump (`BandLimitedStep`), where it has a corner, that of a band-limited ramp (`BandLimitedRamp`). So at a steady frequency
/// what comes out is a function of the phase alone, and a change of frequency is heard 32 frames later. Turns are counted in
/// 64 bits, all of which are one period. All four shapes have their fundamentals in phase.
///
/// The caller owns the workspace: `workspaceCount` floats.
public struct WaveOscillator: BitwiseCopyable {
    /// The shapes of a period; each goes from -1 to 1.
    public enum Shape: BitwiseCopyable, Sendable, CaseIterable {
        case sine, triangle, saw, square

        /// The shape of that number, in the order of the cases.
        @_noLocks public init(number: Int) {
            switch number {
            case 1: self = .triangle
            case 2: self = .saw
            case 3: self = .square
            default: self = .sine
            }
        }
    }

    /// Floats of workspace that each oscillator needs.
    public static var workspaceCount: Int { @_noLocks get { 192 } }
    /// Half of a period, and a quarter.
    private static var half: UInt64 { @_noLocks get { 1 &<< 63 } }
    private static var quarter: UInt64 { @_noLocks get { 1 &<< 62 } }
    /// One over a whole period.
    private static var turn: Double { @_noLocks get { 1.0 / 18_446_744_073_709_551_616 } }

    private let steps: UnsafePointer<Float>, ramps: UnsafePointer<Float>
    private let workspace: UnsafeMutablePointer<Float>
    private var shape = Shape.sine
    private var phase: UInt64 = 0
    /// The part of this period that is high, and where that ends; of a square.
    private var duty: Float = 0.5, high = Self.half
    private var isHigh = false
    /// The next sample's place in the workspace; from 64 after it on there are zeros.
    private var position = 0

    /// Creates an oscillator that `start` must be called of. Control side: it makes the tables.
    public init(workspace: UnsafeMutablePointer<Float>) {
        steps = BandLimitedStep.rows
        ramps = BandLimitedRamp.rows
        self.workspace = workspace
    }

    /// Begins: the next frame is at `phase`, and has all that the frames around it contribute at that frequency.
    @_noLocks public mutating func start(_ shape: Shape, at phase: UInt64, step: UInt64, width: Float) {
        rt_zero(workspace, Self.workspaceCount)
        position = 0
        self.shape = shape
        self.phase = phase &- 33 &* step
        turn(to: width)
        isHigh = self.phase < high
        for _ in 0..<BandLimitedStep.taps { _ = next(step, width: width) }
    }

    /// Becomes another shape at once, which is audible as a jump.
    @_noLocks public mutating func change(to shape: Shape, step: UInt64, width: Float) {
        start(shape, at: phase &- 31 &* step, step: step, width: width)
    }

    /// Returns the next frame. `step` is the way from the frame written last to the one 32 frames ahead, below half a period;
    /// `width` the part of a square that is high, 0.01...0.99, from the next period on.
    @_noLocks public mutating func next(_ step: UInt64, width: Float) -> Float {
        if position &+ BandLimitedStep.taps == Self.workspaceCount { makeRoom() }
        phase &+= step
        let samples = workspace + position, plain: Float
        switch shape {
        case .sine: plain = Float(DeterministicMath.sine(turns: Double(phase) * Self.turn))
        case .triangle:
            let bend = 8 * Double(step) * Self.turn, past = phase &- Self.quarter, rising = past &- Self.half
            if past < step { addCorner(Float(0 - bend), past, step, samples) }
            if rising < step { addCorner(Float(bend), rising, step, samples) }
            let fall = Double(past) * Self.turn
            plain = Float(fall < 0.5 ? 1 - 4 * fall : 4 * fall - 3)
        case .saw:
            let past = phase &- Self.half
            if past < step { addJump(-2, past, step, samples) }
            plain = Float(2 * Double(past) * Self.turn - 1)
        case .square:
            passEdges(step, width, samples)
            plain = level
        }
        samples[BandLimitedStep.taps / 2] += plain
        position &+= 1
        return samples[0]
    }

    /// The value of the plain square now: without direct current at any width.
    private var level: Float { @_noLocks get { isHigh ? 2 - 2 * duty : -2 * duty } }

    @_noLocks private mutating func turn(to width: Float) {
        duty = min(max(width, 0.01), 0.99)
        // In two parts: the whole of it would not fit into a signed number.
        high = UInt64(Double(duty) * 4_611_686_018_427_387_904) &* 4
    }

    @_noLocks private mutating func passEdges(_ step: UInt64, _ width: Float, _ samples: UnsafeMutablePointer<Float>) {
        if isHigh && phase &- high < step { pass(phase &- high, step, samples) }
        if phase >= step { return }
        let before = level
        isHigh = true
        turn(to: width)
        addJump(level - before, phase, step, samples)
        if phase >= high { pass(phase &- high, step, samples) }
    }

    /// The end of the high part, `past` ago.
    @_noLocks private mutating func pass(_ past: UInt64, _ step: UInt64, _ samples: UnsafeMutablePointer<Float>) {
        isHigh = false
        addJump(-2, past, step, samples)
    }

    /// Adds the residual of a jump by `height` at the phase that was reached `past` ago; it lies 32 frames ahead.
    @_noLocks private func addJump(
        _ height: Float, _ past: UInt64, _ step: UInt64, _ samples: UnsafeMutablePointer<Float>
    ) {
        add(steps, height, past, step, samples)
        // The table is for a plain step that jumps at once; this one jumps in the middle.
        for tap in 0..<(BandLimitedStep.taps / 2) { samples[tap] += height }
    }

    @_noLocks private func addCorner(
        _ bend: Float, _ past: UInt64, _ step: UInt64, _ samples: UnsafeMutablePointer<Float>
    ) {
        add(ramps, bend, past, step, samples)
    }

    @_noLocks private func add(
        _ rows: UnsafePointer<Float>, _ height: Float, _ past: UInt64, _ step: UInt64,
        _ samples: UnsafeMutablePointer<Float>
    ) {
        let place = Double(past) / Double(step) * Double(BandLimitedStep.phases)
        let row = min(Int(place), BandLimitedStep.phases &- 1)
        let fraction = Float(place - Double(row))
        let a = rows + row &* BandLimitedStep.taps
        let b = a + BandLimitedStep.taps
        for tap in 0..<BandLimitedStep.taps { samples[tap] += height * (a[tap] + (b[tap] - a[tap]) * fraction) }
    }

    @_noLocks private mutating func makeRoom() {
        rt_copy(workspace, workspace + position, BandLimitedStep.taps)
        rt_zero(workspace + BandLimitedStep.taps, Self.workspaceCount &- BandLimitedStep.taps)
        position = 0
    }
}
