// [render]

/// Conversion between decibels and linear amplitude: 20 dB is a factor of ten.
public enum Decibels {
    /// Returns the amplitude of `decibels`; -120 dB and below is silence, exactly 0.
    @_noLocks @inlinable
    public static func amplitude(_ decibels: Float) -> Float {
        decibels <= -120 ? 0 : Float(DeterministicMath.exp2(Double(decibels) * 0.16609640474436813))    // log2(10) / 20
    }

    /// Returns the decibels of `amplitude`; -120 for anything at or below that, zero included.
    @_noLocks @inlinable
    public static func level(ofAmplitude amplitude: Float) -> Float {
        amplitude <= 1e-6 ? -120 : Float(DeterministicMath.log2(Double(amplitude)) * 6.020599913279624)
    }
}
