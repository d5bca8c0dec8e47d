// [render]

/// The speed at which a score passes: an exact ratio of the score's frames at its own tempo to frames of the engine's clock.
///
/// The one place where the two are converted, so that the control side, which plans, and the render side, which plays,
/// round alike: to the nearest frame, halves up, in 128-bit integers.
@frozen public struct PlaybackRate: Hashable, BitwiseCopyable, Sendable {
    /// Frames of the score, 1...1 000 000 000, in lowest terms.
    public let numerator: Int64
    /// Frames of the clock in which they pass, 1...1 000 000 000, in lowest terms.
    public let denominator: Int64

    /// The score's own tempo.
    @inlinable public static var nominal: PlaybackRate {
        @_noLocks get { PlaybackRate(unchecked: 1, over: 1) }
    }

    @_noLocks @usableFromInline
    init(unchecked numerator: Int64, over denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// `numerator` over `denominator`; nil unless both are 1...1 000 000 000.
    public init?(_ numerator: Int64, over denominator: Int64) {
        let bounds: ClosedRange<Int64> = 1...1_000_000_000
        guard bounds.contains(numerator), bounds.contains(denominator) else { return nil }
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        self.init(unchecked: numerator / a, over: denominator / a)
    }

    /// The ratio with six decimals that is nearest to `factor`, which is brought to 0.001...1000; 1 for a value that is not a
    /// number.
    public init(nearest factor: Double) {
        let factor = factor.isNaN ? 1 : min(max(factor, 0.001), 1000)
        self = PlaybackRate(Int64((factor * 1_000_000).rounded()), over: 1_000_000) ?? .nominal
    }

    /// Numerator over denominator: 2 is twice as fast.
    public var factor: Double { Double(numerator) / Double(denominator) }

    /// Frames of the clock in which `frames` frames of the score pass.
    @_noLocks public func clockFrames(ofScore frames: Int64) -> Int64 { Self.scaled(frames, denominator, numerator) }

    /// Frames of the score that pass in `frames` frames of the clock.
    @_noLocks public func scoreFrames(ofClock frames: Int64) -> Int64 { Self.scaled(frames, numerator, denominator) }

    /// frames * a / b, to the nearest, halves up; limited to 2^62 to either side.
    @_noLocks private static func scaled(_ frames: Int64, _ a: Int64, _ b: Int64) -> Int64 {
        if a == b { return frames }
        let doubled = Int128(frames) * Int128(a) * 2 + Int128(b), divisor = Int128(b) * 2
        var quotient = doubled / divisor
        if doubled < 0 && quotient * divisor != doubled { quotient -= 1 }
        let limit = Int128(1) << 62
        return Int64(truncatingIfNeeded: min(max(quotient, -limit), limit))
    }
}
