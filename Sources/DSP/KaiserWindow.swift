// [render]

/// The window of Kaiser: the shorter of two filters with equal suppression has it.
///
/// Source: J. F. Kaiser, R. W. Schafer, "On the Use of the I0-Sinh Window for Spectrum Analysis", IEEE Trans. ASSP 28 (1980).
public struct KaiserWindow: BitwiseCopyable, Sendable {
    private let beta: Double, whole: Double

    /// Creates a window of shape `beta`: 0 is a rectangle, 10 suppresses by 100 dB.
    public init(beta: Double) {
        self.beta = beta
        whole = Self.bessel(beta)
    }

    /// Returns the height at `share` of the way from the middle, where it is 1, to an end: -1...1.
    public func weight(_ share: Double) -> Double {
        Self.bessel(beta * DeterministicMath.squareRoot(1 - share * share)) / whole
    }

    static func bessel(_ x: Double) -> Double {
        var term = 1.0, sum = 1.0
        for k in 1...40 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }
}
