// [render]

/// The force with which a touch is heard: value v of 1...127 becomes low + (high - low) ((v - 1) / 126)^`exponent`; for
/// velocities and for the pressure of keys, in zones, filters and units alike.
public struct TouchCurve: Hashable, Sendable, BitwiseCopyable {
    /// Below 1 what is played softly gets louder, above 1 softer; 0 makes all as loud as `high`. 0...10.
    public var exponent: Float
    /// The values that the softest and the hardest touch become, 1...127.
    public var low: UInt8
    public var high: UInt8

    /// The curve by which values are heard as they are played.
    public static let straight = TouchCurve()

    /// Creates a curve within these bounds.
    @_noLocks public init(exponent: Float = 1, low: UInt8 = 1, high: UInt8 = 127) {
        (self.exponent, self.low, self.high) = (exponent, low, high)
    }

    /// Always the same, 1...127.
    @_noLocks public init(fixed value: UInt8) { self.init(low: value, high: value) }

    /// Returns the value that a played one becomes; 0 stays 0, and nothing else becomes 0.
    @_noLocks public func value(of played: UInt8) -> UInt8 {
        if played == 0 { return 0 }
        let touch = Double(min(played, 127) &- 1) / 126
        let bent = touch > 0 ? DeterministicMath.power(touch, Double(exponent)) : exponent > 0 ? 0 : 1
        let value = Double(low) + (Double(high) - Double(low)) * bent
        return UInt8(min(max(value + 0.5, 1), 127))
    }
}
