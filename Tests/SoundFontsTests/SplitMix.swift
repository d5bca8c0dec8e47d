/// SplitMix64 (Steele, Lea, Flood 2014): the same mutations in every run.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func interestingByte() -> UInt8 {
        let bytes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, 0xFE, UInt8(truncatingIfNeeded: next() >> 8)]
        return bytes[Int(next() % UInt64(bytes.count))]
    }
}
