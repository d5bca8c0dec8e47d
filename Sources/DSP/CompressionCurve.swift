// [render]

/// The softening of a level by a compressor: nothing below the threshold, a share of what is above it, a bow between.
///
/// Source: D. Giannoulis, M. Massberg, J. D. Reiss, "Digital Dynamic Range Compressor Design: A Tutorial and Analysis",
/// J. Audio Eng. Soc. 60 (2012).
public struct CompressionCurve: BitwiseCopyable {
    /// Where it begins. Unit: decibels.
    public var threshold: Double
    /// The part that is taken away of each decibel above the threshold: 1 - 1 / ratio; 1 is a limiter.
    public var slope: Double
    /// The width of the bow, half of it below the threshold and half above. Unit: decibels.
    public var knee: Double

    /// Creates a curve.
    @_noLocks public init(threshold: Double, slope: Double, knee: Double) {
        (self.threshold, self.slope, self.knee) = (threshold, slope, knee)
    }

    /// Returns the decibels by which `level`, in decibels, is made softer: 0 or more.
    @_noLocks public func reduction(at level: Double) -> Double {
        let over = level - threshold
        if 2 * over <= 0 - knee { return 0 }
        if 2 * over >= knee { return slope * over }
        let bow = over + 0.5 * knee
        return slope * bow * bow / (2 * knee)
    }
}
