/// The number format of song files: seven bits to a byte, the highest first, bit 7 set on all but the last; at most
/// four bytes. Leading bytes of 80 (padding) are legal. Source: Standard MIDI Files 1.0.
enum VariableLengthQuantity {
    /// Appends the shortest form of a value, 0...0x0FFF_FFFF (larger values grow to more bytes).
    static func append(_ value: Int, to bytes: inout [UInt8]) {
        var shift = 63 - max(value, 1).leadingZeroBitCount
        shift -= shift % 7
        while shift > 0 {
            bytes.append(UInt8(value >> shift & 0x7F) | 0x80)
            shift -= 7
        }
        bytes.append(UInt8(value & 0x7F))
    }

    enum Reading {
        case value(Int, length: Int)
        /// The bytes run past the end.
        case cutOff
        /// More than four bytes.
        case tooLong
    }

    static func read(_ bytes: [UInt8], at offset: Int, end: Int) -> Reading {
        var value = 0
        for index in 0..<4 {
            guard offset + index < end else { return .cutOff }
            let byte = bytes[offset + index]
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return .value(value, length: index + 1) }
        }
        return .tooLong
    }
}
