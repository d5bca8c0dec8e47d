// [render]

/// A bound of full scale that is not heard below half of it: what is softer passes bit for bit, what is louder is bent.
///
/// Beyond a half, the curve is the hyperbola 1 - 1 / (4 x), which goes on from the straight line with the same slope and comes
/// nearer to full scale for ever. It has no memory and makes harmonics, like the tape in an analogue loop. Source: the soft
/// clipping of U. Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd edition 2011, chapter 4, with a curve of our own.
public enum SoftLimit {
    /// Returns the bent sample: full scale for one that is infinite. One that is not a number stays so.
    @_noLocks @inlinable @inline(__always)
    public static func bend(_ sample: Float) -> Float {
        if abs(sample) <= 0.5 { return sample }
        return sample > 0 ? 1 - 0.25 / sample : -1 - 0.25 / sample
    }
}
