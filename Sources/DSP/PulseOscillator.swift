// [render]
import CRealtime

/// A pulse wave without aliases and without direct current, at any pulse width.
///
/// A plain pulse between -2w and 2 - 2w (w is the part of a period in which it is high), plus the residual of a band-limited
/// step at each of its edges (`BandLimitedStep`). Phase is a 64-bit integer, so the wave is the same for any slices, and
/// never drifts. A new pitch or pulse width takes effect 32 frames later; a new wave starts at once, because it is computed
/// from 64 frames before its start on.
///
/// The caller owns the workspace: `workspaceCount` floats.
@frozen public struct PulseOscillator: BitwiseCopyable, Sendable {
    /// Units of phase in one period. Chosen so that the phase of a whole call fits in 64 bits with room to spare.
    @inlinable public static var period: Int64 { @_noLocks @inline(__always) get { 1 &<< 56 } }
    /// Floats of workspace that each oscillator needs.
    @inlinable public static var workspaceCount: Int { @_noLocks @inline(__always) get { 160 } }
    /// The most frames of one call of `render`.
    @inlinable public static var maximumFrames: Int { @_noLocks @inline(__always) get { 32 } }

    /// Phase per frame, 1...half a period.
    @usableFromInline var increment: Int64 = 1
    /// Phase from the last frame made to the next edge; above 0.
    @usableFromInline var distance: Int64 = 1
    /// The part of this period that is high, as a fraction and in phase, and that of the next period.
    @usableFromInline var duty: Float = 0.5
    @usableFromInline var high: Int64 = 1
    @usableFromInline var nextDuty: Float = 0.5
    @usableFromInline var nextHigh: Int64 = 1
    @usableFromInline var level: Float = 0
    @usableFromInline var isHigh = false
    /// The next sample's place in the workspace. What lies before is done with; from 64 after it on there are zeros.
    @usableFromInline var position = 0

    @_noLocks @inlinable @inline(__always)
    public init() {}

    /// Sets the pitch from the next frame on: periods per frame, at most 0.5 (where nothing is heard any more).
    @_noLocks @inlinable @inline(__always)
    public mutating func setFrequency(_ periodsPerFrame: Double) {
        let phase = periodsPerFrame * Double(Self.period)
        increment = phase >= 1 ? Int64(min(phase, Double(Self.period / 2))) : 1
    }

    /// Sets the part of a period that is high, 0.01...0.99, from the next period on.
    @_noLocks @inlinable @inline(__always)
    public mutating func setWidth(_ width: Float) {
        nextDuty = width >= 0.01 ? min(width, 0.99) : 0.01
        nextHigh = Int64(Double(nextDuty) * Double(Self.period))
    }

    /// Starts a new wave at the pitch and width just set, in the middle of the shorter part of a period, where the wave
    /// is farthest from zero.
    @_noLocks @inlinable
    public mutating func start(_ workspace: UnsafeMutablePointer<Float>, _ rows: UnsafePointer<Float>) {
        rt_zero(workspace, Self.workspaceCount)
        position = 0
        duty = nextDuty
        high = nextHigh
        let middle = duty <= 0.5 ? high / 2 : high &+ (Self.period &- high) / 2
        // The wave lags by half a step and starts a whole step early.
        var phase = (middle &- increment &* Int64(BandLimitedStep.taps / 2)) % Self.period
        if phase < 0 { phase &+= Self.period }
        isHigh = phase < high
        level = isHigh ? 2 - 2 * duty : -2 * duty
        distance = (isHigh ? high : Self.period) &- phase
        var left = BandLimitedStep.taps
        while left > 0 {
            _ = render(Self.maximumFrames, workspace, rows)
            left &-= Self.maximumFrames
        }
    }

    /// Makes `frames` frames, at most `maximumFrames`. They stay where the result points until the next call.
    @_noLocks @inlinable
    public mutating func render(
        _ frames: Int, _ workspace: UnsafeMutablePointer<Float>, _ rows: UnsafePointer<Float>
    ) -> UnsafeMutablePointer<Float> {
        if position &+ frames &+ BandLimitedStep.taps > Self.workspaceCount { makeRoom(workspace) }
        let samples = workspace + position
        let travel = increment &* Int64(truncatingIfNeeded: frames)
        var done = 0
        while distance <= travel {
            let frame = Int(truncatingIfNeeded: (distance &- 1) / increment)
            var i = done
            while i < frame {
                samples[i] += level
                i &+= 1
            }
            done = frame
            // How long before this frame the edge was, as a fraction of a frame.
            let late = Double((Int64(truncatingIfNeeded: frame) &+ 1) &* increment &- distance) / Double(increment)
            let before = level
            turn()
            Self.add(level - before, late, samples + frame, rows)
        }
        var i = done
        while i < frames {
            samples[i] += level
            i &+= 1
        }
        distance &-= travel
        position &+= frames
        return samples
    }

    @_noLocks @inlinable @inline(__always)
    mutating func turn() {
        if isHigh {
            level = -2 * duty
            distance &+= Self.period &- high
        } else {
            duty = nextDuty
            high = nextHigh
            level = 2 - 2 * duty
            distance &+= high
        }
        isHigh.toggle()
    }

    /// Adds the residual of a step of `height` that happened `late` frames (0..<1) before `samples[0]`.
    @_noLocks @inlinable @inline(__always)
    static func add(
        _ height: Float, _ late: Double, _ samples: UnsafeMutablePointer<Float>, _ rows: UnsafePointer<Float>
    ) {
        let place = late * Double(BandLimitedStep.phases)
        let row = min(Int(place), BandLimitedStep.phases &- 1)
        let fraction = Float(place - Double(row))
        let a = rows + row &* BandLimitedStep.taps
        let b = a + BandLimitedStep.taps
        for tap in 0..<BandLimitedStep.taps { samples[tap] += height * (a[tap] + (b[tap] - a[tap]) * fraction) }
    }

    @_noLocks @inlinable
    mutating func makeRoom(_ workspace: UnsafeMutablePointer<Float>) {
        // The frames of a call and two steps fit, so the two ranges do not overlap.
        rt_copy(workspace, workspace + position, BandLimitedStep.taps)
        rt_zero(workspace + BandLimitedStep.taps, Self.workspaceCount &- BandLimitedStep.taps)
        position = 0
    }
}
