// [render]

/// A curve that bends a wave: one channel of it, with far fewer aliases than the curve alone would make.
///
/// Between two samples the wave is taken as a straight line, and the curve of that line is averaged under a triangle two
/// samples wide, exactly, by the curve's first and second integral: what would be folded down from near the sample rate falls
/// into a double zero of the average. Every curve is a polynomial in pieces, or a sine. Delay: one sample. Source: J. D.
/// Parker, V. Zavalishin, E. Le Bivic, "Reducing the Aliasing of Nonlinear Waveshaping Using Continuous-Time Convolution",
/// DAFx-16 (2016).
public struct Waveshaper: BitwiseCopyable {
    /// The curves by which a wave is bent.
    public enum Curve: Int, BitwiseCopyable, Sendable, CaseIterable {
        /// Rounded like a hyperbolic tangent, flat from 1.875 on: (15 x - 10 x^3 + 3 x^5) / 8 of 8/15 of the wave.
        case soft
        /// Straight up to 1 and flat from there.
        case hard
        /// Turned back at 1 and at each odd number: a sine of a quarter turn for each 1.
        case fold
        /// The soft curve, and below 0 the same at half the size: flat from -0.5 down.
        case tube

        /// The curve of that number, in the order of the cases; `tube` for what is none.
        @_noLocks public init(number: Int) {
            switch number {
            case 0: self = .soft
            case 1: self = .hard
            case 2: self = .fold
            default: self = .tube
            }
        }

        @_noLocks func values(_ x: Double) -> (value: Double, first: Double, second: Double) {
            switch self {
            case .soft: return Self.soft(x)
            case .hard: return Self.hard(x)
            case .fold:
                let sine = DeterministicMath.sine(turns: 0.25 * x), cosine = DeterministicMath.cosine(turns: 0.25 * x)
                return (sine, -0.6366197723675814 * cosine, -0.4052847345693511 * sine)    // 2 / pi, its square
            case .tube:
                if x >= 0 { return Self.soft(x) }
                let below = Self.soft(2 * x)
                return (0.5 * below.value, 0.25 * below.first, 0.125 * below.second)
            }
        }

        @_noLocks private static func soft(_ x: Double) -> (value: Double, first: Double, second: Double) {
            let v = x * 0.5333333333333333, size = abs(v), sign = x < 0 ? -1.0 : 1.0
            if size >= 1 {
                let over = size - 1
                return (
                    sign, 1.875 * (0.6875 + over),
                    sign * 3.515625 * (0.2589285714285714 + over * (0.6875 + 0.5 * over))
                )
            }
            let w = v * v
            return (
                v * (1.875 + w * (-1.25 + 0.375 * w)), 1.875 * w * (0.9375 + w * (-0.3125 + 0.0625 * w)),
                3.515625 * w * v * (0.3125 + w * (-0.0625 + 0.008928571428571428 * w))
            )
        }

        @_noLocks private static func hard(_ x: Double) -> (value: Double, first: Double, second: Double) {
            let size = abs(x), sign = x < 0 ? -1.0 : 1.0
            if size < 1 { return (x, 0.5 * x * x, x * x * x * 0.16666666666666666) }
            let over = size - 1
            return (sign, 0.5 + over, sign * (0.16666666666666666 + over * (0.5 + 0.5 * over)))
        }
    }

    /// The curve that bends the wave now.
    public private(set) var curve: Curve
    /// The last two samples, and the integrals of the curve there.
    private var newer = 0.0, older = 0.0
    private var newerFirst = 0.0, newerSecond = 0.0, olderSecond = 0.0

    /// Silence.
    @_noLocks public init(_ curve: Curve) {
        self.curve = curve
        know()
    }

    /// Another curve for the same wave.
    @_noLocks public init(_ curve: Curve, after other: Waveshaper) {
        self = other
        self.curve = curve
        know()
    }

    @_noLocks private mutating func know() {
        let now = curve.values(newer)
        newerFirst = now.first
        newerSecond = now.second
        olderSecond = curve.values(older).second
    }

    /// Returns the bent wave one sample before `x`.
    @_noLocks public mutating func next(_ x: Double) -> Double {
        let now = curve.values(x)
        let bent = side(to: x, now.second) + side(to: older, olderSecond)
        older = newer
        olderSecond = newerSecond
        newer = x
        newerFirst = now.first
        newerSecond = now.second
        return bent
    }

    /// Half of the triangle: the mean of the curve from the newer sample to `end`, where the weight has fallen from 1 to 0.
    /// If the way is short, rounding would show: there it is the curve at the way's centre of mass.
    @_noLocks private func side(to end: Double, _ second: Double) -> Double {
        let way = end - newer
        if abs(way) < 0.003 { return 0.5 * curve.values(newer + way * 0.3333333333333333).value }
        let inverse = 1 / way
        return ((second - newerSecond) * inverse - newerFirst) * inverse
    }
}
