// [render]

/// The gains of a stereo source: the side it moves away from falls linearly to silence, the other side stays as it is.
///
/// Both gains are 1 in the middle, so that a strip that was not moved changes no sample. A balance moves nothing from one
/// side to the other; it is not a pan law for mono sources.
public enum BalanceLaw {
    /// Returns the left gain at `pan`, -100 (left) ... 100 (right).
    @_noLocks @inlinable
    public static func left(_ pan: Float) -> Float { pan > 0 ? 1 - pan * 0.01 : 1 }

    /// Returns the right gain at `pan`.
    @_noLocks @inlinable
    public static func right(_ pan: Float) -> Float { pan < 0 ? 1 + pan * 0.01 : 1 }
}
