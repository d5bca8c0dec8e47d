/// Gives the pages of an Ogg stream a fixed serial number.
///
/// libsndfile takes the number from the clock and offers no way to set it, so that two equal renders would differ. The
/// number is at byte 14 of every page, covered by a CRC-32 at byte 22 (RFC 3533, section 6): both are rewritten in
/// the bytes on their way out. Pages come from the library in pieces and leave here whole.
struct OggSerialNumber {
    /// "Cari". A constant is allowed: the number must only be unique among streams multiplexed or chained in one file.
    static let value: UInt32 = 0x6972_6143

    /// The page under construction. The longest page has 27 + 255 + 255 * 255 bytes.
    private var page: [UInt8] = []
    private let table: [UInt32]

    init() {
        page.reserveCapacity(65_307)
        // Polynomial 0x04C11DB7, most significant bit first, no inversion.
        table = (0..<256).map { byte in
            var crc = UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ 0x04C1_1DB7 : crc << 1 }
            return crc
        }
    }

    /// Takes bytes, and gives each page that they complete to `put`; false as soon as `put` is.
    mutating func take(_ bytes: UnsafeRawBufferPointer, put: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var taken = 0
        while taken < bytes.count {
            let part = min(missing, bytes.count - taken)
            page.append(contentsOf: bytes[taken..<(taken + part)])
            taken += part
            if missing > 0 { continue }
            seal()
            guard page.withUnsafeBytes(put) else { return false }
            page.removeAll(keepingCapacity: true)
        }
        return true
    }

    /// The number of bytes that must come before more is known about the page's length; 0 if it is whole.
    private var missing: Int {
        guard page.count >= 27 else { return 27 - page.count }
        let segments = Int(page[26])
        guard page.count >= 27 + segments else { return 27 + segments - page.count }
        let body = page[27..<(27 + segments)].reduce(0) { $0 + Int($1) }
        return 27 + segments + body - page.count
    }

    private mutating func seal() {
        for i in 0..<4 {
            page[14 + i] = UInt8(truncatingIfNeeded: Self.value >> (8 * UInt32(i)))
            page[22 + i] = 0
        }
        var crc: UInt32 = 0
        for byte in page { crc = crc << 8 ^ table[Int(crc >> 24 ^ UInt32(byte))] }
        for i in 0..<4 { page[22 + i] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(i))) }
    }
}
