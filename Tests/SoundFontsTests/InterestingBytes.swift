import CarillonTestKit

extension SeededRandom {
    mutating func interestingByte() -> UInt8 {
        let bytes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, 0xFE, UInt8(truncatingIfNeeded: next() >> 8)]
        return bytes[Int(next() % UInt64(bytes.count))]
    }
}
