import DSP

/// The force with which a touch is heard: value v of 1...127 becomes 127 (v / 127)^`exponent`, brought into `low`...`high`; for
/// velocities and for the pressure of keys.
public struct TouchCurve: Hashable, Codable, Sendable {
    /// Below 1 what is played softly gets louder, above 1 softer; 0 makes all equal. 0...10.
    public var exponent: Float
    /// The softest and the loudest that comes out, 1...127.
    public var low: UInt8
    public var high: UInt8

    /// The curve by which values are heard as they are played.
    public static let straight = TouchCurve()

    /// A curve within these bounds.
    public init(exponent: Float = 1, low: UInt8 = 1, high: UInt8 = 127) {
        (self.exponent, self.low, self.high) = (exponent, low, high)
    }

    /// Always the same, 1...127.
    public init(fixed value: UInt8) { self.init(low: value, high: value) }

    /// Returns the value that a played one becomes; 0 stays 0.
    public func value(of played: UInt8) -> UInt8 {
        if played == 0 { return 0 }
        if self == .straight { return played }
        let curved = (127 * DeterministicMath.power(Double(min(played, 127)) / 127, Double(exponent))).rounded()
        return UInt8(min(max(curved, Double(low)), Double(max(low, high))))
    }

    /// True where the curve's numbers are ones that can be.
    var isValid: Bool { (0...10).contains(exponent) && low >= 1 && low <= high && high <= 127 }

    private enum CodingKeys: String, CodingKey {
        case exponent = "curve"
        case low, high
    }

    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            exponent: try keys.decodeIfPresent(Float.self, forKey: .exponent) ?? 1,
            low: try keys.decodeIfPresent(UInt8.self, forKey: .low) ?? 1,
            high: try keys.decodeIfPresent(UInt8.self, forKey: .high) ?? 127)
    }

    /// Writes the curve, and leaves out what is straight.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        if exponent != 1 { try keys.encode(exponent, forKey: .exponent) }
        if low != 1 { try keys.encode(low, forKey: .low) }
        if high != 127 { try keys.encode(high, forKey: .high) }
    }
}
