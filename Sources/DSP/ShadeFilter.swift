// [render]

/// The obstacle between a source and a listener: a low-pass of one pole, set by its attenuation at 5 kHz.
///
/// Source: Interactive 3D Audio Rendering Guidelines, level 2 (MIDI Manufacturers Association, 1999): obstruction and
/// occlusion are an attenuation at 5 kHz, of which low frequencies get a share. The pole follows from the magnitude of
/// H(z) = (1 - a) / (1 - a / z) at that frequency.
public struct ShadeFilter: BitwiseCopyable {
    private var low = 0.0

    /// Silence.
    @_noLocks public init() {}

    /// Returns the pole that lowers 5 kHz, or a little less than half a low sample rate, by `decibels`, 0...60.
    @_noLocks public static func pole(decibels: Double, sampleRate: Double) -> Double {
        if decibels <= 0 { return 0 }
        let power = DeterministicMath.exp2(-min(decibels, 60) * 0.33219280948873623)    // log2(10) / 10
        let cosine = DeterministicMath.cosine(turns: min(5_000 / sampleRate, 0.45))
        let b = 1 - power * cosine, c = 1 - power
        return c / (b + DeterministicMath.squareRoot(max(b * b - c * c, 0)))
    }

    /// Returns the next sample, with a pole of 0...1; 0 changes nothing.
    @_noLocks public mutating func next(_ x: Double, pole: Double) -> Double {
        low = (1 - pole) * x + pole * low
        return low
    }

    /// The amount of sound in the filter.
    public var level: Double { @_noLocks get { abs(low) } }

    /// Forgets a value that is no longer audible, so that it comes to an end.
    @_noLocks public mutating func settle() { if abs(low) < 1e-8 { low = 0 } }
}
