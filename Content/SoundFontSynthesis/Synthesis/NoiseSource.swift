/// Seeded white noise: the SplitMix64 generator (Steele, Lea and Flood 2014), the same sequence on every machine.
public struct NoiseSource {
    private var state: UInt64

    public init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

    /// Uniform in 0 ..< 1.
    public mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992
    }

    /// Uniform in -1 ..< 1.
    public mutating func bipolar() -> Double { 2 * uniform() - 1 }

    /// `count` frames of white noise, -1 ..< 1.
    public mutating func frames(_ count: Int) -> [Double] {
        var result = [Double](repeating: 0, count: count)
        for i in 0..<count { result[i] = bipolar() }
        return result
    }
}
