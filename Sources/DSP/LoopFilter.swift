// [render]

/// The loss of an echo each time around: a high-cut and a low-cut of first order in a row, one channel of them.
///
/// Both are 3.01 dB down at their corner at every sample rate, and stay stable even if the corners move fast. The low-cut is
/// the trapezoidal integrator of V. Zavalishin, "The Art of VA Filter Design", 2012; the high-cut is the leaky integrator y
/// += share (x - y), whose share follows from the corner by solving |H|^2 = 1/2; with a share of 1 it has no effect.
public struct LoopFilter: BitwiseCopyable {
    /// The shares by which the integrators follow in one frame.
    public struct Coefficients: BitwiseCopyable, Sendable {
        /// The high-cut's share: 1 passes everything.
        public var high: Double
        /// The low-cut's share: near 0 passes everything.
        public var low: Double

        /// Passes everything.
        @_noLocks public init() {
            high = 1
            low = 0
        }

        /// `highCut` in hertz: from `open` on, or 0.49 of the sample rate, there is none. `lowCut` in hertz, above 0.
        @_noLocks public init(highCut: Double, lowCut: Double, open: Double, sampleRate: Double) {
            if highCut >= min(open, 0.49 * sampleRate) {
                high = 1
            } else {
                // 1 - cos(2 pi f) as a square, so that low corners keep their digits.
                let half = DeterministicMath.sine(turns: 0.5 * highCut / sampleRate), u = 2 * half * half
                high = DeterministicMath.squareRoot(u * u + 2 * u) - u
            }
            let g = DeterministicMath.tangent(turns: 0.5 * min(lowCut / sampleRate, 0.49))
            low = g / (1 + g)
        }
    }

    private var high = 0.0, low = 0.0

    /// Silence.
    @_noLocks public init() {}

    /// The louder of the two integrators: how much still rings.
    public var level: Double { @_noLocks get { max(abs(high), abs(low)) } }

    /// Filters `count` samples in their place while the coefficients go from `start` to `end`, which takes 64 frames,
    /// `phase` of which are over.
    @_noLocks public mutating func process(
        _ x: UnsafeMutablePointer<Float>, _ count: Int, from start: Coefficients, to end: Coefficients, phase: Int
    ) {
        let highStep = (end.high - start.high) * (1.0 / 64), lowStep = (end.low - start.low) * (1.0 / 64)
        var high = high, low = low
        for k in 0..<count {
            let share = Double(Int32(truncatingIfNeeded: phase &+ k &+ 1))
            high += (start.high + highStep * share) * (Double(x[k]) - high)
            let step = (start.low + lowStep * share) * (high - low)
            let below = low + step
            low = below + step
            x[k] = Float(high - below)
        }
        self.high = high
        self.low = low
    }
}
