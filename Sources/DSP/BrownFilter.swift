/// A filter that makes brown noise of white noise: 6.02 dB down in every octave above 8 Hz, at every sample rate.
///
/// An integrator that leaks, so that nothing wanders away. It is that of M. A. Al-Alaoui, "Novel Digital Integrator and
/// Differentiator", Electronics Letters 29, 1993: between a sum and trapezoids, straight to a third of the sample rate.
public struct BrownFilter: BitwiseCopyable {
    /// Where it stops to rise towards 0 Hz, in hertz; the share of the sample before.
    private static let corner = 8.0
    private static var share: Double { @_noLocks get { 1.0 / 7 } }

    private let pole: Double, scale: Double
    private var before = 0.0, held = 0.0

    /// Designs the filter for a sample rate.
    public init(sampleRate: Double) {
        pole = DeterministicMath.exp2(-Self.corner / sampleRate * 9.064720283654388)    // 2 pi log2 e
        let second = pole + Self.share
        scale = 1 / DeterministicMath.squareRoot(1 + second * second / (1 - pole * pole))
    }

    // [render]

    /// Returns the next sample; white noise comes out as loud as it goes in (root of the mean square).
    @_noLocks public mutating func process(_ x: Double) -> Double {
        held = pole * held + (x + Self.share * before) * scale
        before = x
        return held
    }

    /// Forgets what it heard.
    @_noLocks public mutating func clear() { (before, held) = (0, 0) }
}
