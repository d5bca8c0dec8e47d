import DSP

extension TouchCurve: Codable {
    /// True if the curve's numbers are ones that can be.
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
