/// Numbers of a header, in either byte order.
struct HeaderBytes {
    private(set) var bytes: [UInt8] = []
    let isBig: Bool

    init(isBig: Bool) { self.isBig = isBig }

    mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian) { bytes += $0 }
    }

    mutating func add(_ number: Double) { add(number.bitPattern) }

    /// Four characters, which lie in their own order everywhere.
    mutating func add(_ code: String) { bytes += Array(code.utf8) }
    mutating func add(code: UInt32) { withUnsafeBytes(of: code.bigEndian) { bytes += $0 } }
    mutating func add(_ more: [UInt8]) { bytes += more }

    /// An 80-bit float of AIFF.
    mutating func add(extended value: Double) {
        guard value > 0, value.isFinite else { return add([UInt8](repeating: 0, count: 10)) }
        let exponent = Int(value.exponent)
        let mantissa = UInt64(value.significandBitPattern) << 11 | 1 << 63
        add(UInt16(16_383 + exponent))
        add(mantissa)
    }
}

extension [UInt8] {
    func number<Number: FixedWidthInteger>(_ place: Int, isBig: Bool, _: Number.Type = Number.self) -> Number? {
        let width = MemoryLayout<Number>.size
        guard place >= 0, place + width <= count else { return nil }
        let value = withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
        return isBig ? Number(bigEndian: value) : Number(littleEndian: value)
    }

    func double(_ place: Int) -> Double? { number(place, isBig: true, UInt64.self).map { Double(bitPattern: $0) } }

    /// Four bytes as a code.
    func code(_ place: Int) -> UInt32? { number(place, isBig: true, UInt32.self) }

    /// An 80-bit float of AIFF.
    func extended(_ place: Int) -> Double? {
        guard let head = number(place, isBig: true, UInt16.self), let mantissa = number(place + 2, isBig: true, UInt64.self)
        else { return nil }
        if mantissa == 0 { return 0 }
        let value = Double(mantissa) * exp2(Double(Int(head & 0x7FFF) - 16_383 - 63))
        return value.isFinite && head & 0x8000 == 0 ? value : nil
    }
}

/// A four-character code in source.
func code(_ text: StaticString) -> UInt32 {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}
