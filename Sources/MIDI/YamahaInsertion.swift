/// One insertion of a port, as XG messages have made it: 03 0n 00 ... 7F, or 02 01 40 ... 75 for the variation.
///
/// Values of 14 bits come in two bytes; the last one counts both. The variation is an insertion while its connection is 0; as a
/// system effect it gives its part back. Source: Yamaha XG Specifications 2.0, "Effect parameter change" and "Effect 2".
package struct YamahaInsertion: Sendable, Hashable {
    private let isVariation: Bool
    private var high: UInt8 = 0
    private var type = 0
    private var bytes = [Int](repeating: 0, count: 16)
    /// The part, 0...15, that was chosen; nil for none.
    private var part: UInt8?
    private var isInserted = true

    package init(isVariation: Bool) {
        self.isVariation = isVariation
        // At power-on the variation is the delay L,C,R.
        if isVariation { type = InsertionType.place(high: 0x05, low: 0, in: InsertionType.yamaha) ?? 0 }
    }

    /// The type that was chosen.
    package var chosen: InsertionType { InsertionType.yamaha[type] }
    /// True if a part goes through the effect.
    var isUsed: Bool { !isInserted || part != nil }

    /// Returns what a byte at the third byte of an address sets; nothing if it is none of the insertion, or sets nothing.
    package mutating func take(_ address: UInt8, _ value: UInt8) -> [(parameter: InsertionParameter, value: Float)] {
        let value = value & 127
        return isVariation ? takeVariation(address, value) : takeInsertion(address, value)
    }

    private mutating func takeInsertion(
        _ address: UInt8, _ value: UInt8
    ) -> [(parameter: InsertionParameter, value: Float)] {
        switch address {
        case 0x00, 0x01: choose(address, value)
        case 0x02...0x0B: set(Int(address) - 0x02, to: Int(value))
        case 0x0C: insert(value)
        case 0x20...0x25: set(Int(address) - 0x20 + 10, to: Int(value))
        case 0x30...0x43: setHalf(Int(address) - 0x30, to: value)
        default: []
        }
    }

    private mutating func takeVariation(
        _ address: UInt8, _ value: UInt8
    ) -> [(parameter: InsertionParameter, value: Float)] {
        switch address {
        case 0x40, 0x41: return choose(address - 0x40, value)
        case 0x42...0x55: return setHalf(Int(address) - 0x42, to: value)
        case 0x5A:
            isInserted = value == 0
            return [(.system, isInserted ? 0 : 1)] + (part.map { [(.part($0), isInserted ? 1 : 0)] } ?? [])
        case 0x56: return [(.level, InsertionType.Setting.decibels(Double(value) / 64))]
        case 0x57: return [(.pan, value == 0 ? 0 : Float(Int(value) - 64) * 100 / 63)]
        case 0x58: return [(.toReverb, Float(value) / 64)]
        case 0x59: return [(.toChorus, Float(value) / 64)]
        case 0x5B: return insert(value)
        case 0x70...0x75: return set(Int(address) - 0x70 + 10, to: Int(value))
        default: return []
        }
    }

    /// A type comes in two bytes: the first chooses the first of its kind.
    private mutating func choose(
        _ byte: UInt8, _ value: UInt8
    ) -> [(parameter: InsertionParameter, value: Float)] {
        if byte == 0 { high = value }
        let low = byte == 0 ? 0 : value
        guard let place = InsertionType.place(high: high, low: low, in: InsertionType.yamaha) else { return [] }
        type = place
        let initial = InsertionType.yamaha[place].initial
        bytes = initial.isEmpty ? [Int](repeating: 0, count: 16) : initial
        let isThrough = chosen.isThrough || !chosen.isFollowed
        return [(.type, isThrough ? 0 : Float(InsertionType.roland.count + place))]
            + values.enumerated().map { (.setting(UInt8($0.offset)), $0.element) }
    }

    /// 7F, and what is no part of the first port, is none.
    private mutating func insert(_ value: UInt8) -> [(parameter: InsertionParameter, value: Float)] {
        let before = part
        part = value < 16 ? value : nil
        if !isInserted || before == part { return [] }
        return (before.map { [(.part($0), 0)] } ?? []) + (part.map { [(.part($0), 1)] } ?? [])
    }

    private mutating func setHalf(_ half: Int, to value: UInt8) -> [(parameter: InsertionParameter, value: Float)] {
        let place = half / 2, old = bytes[place]
        return set(place, to: half % 2 == 0 ? Int(value) << 7 | old & 127 : old & ~127 | Int(value))
    }

    private mutating func set(_ place: Int, to value: Int) -> [(parameter: InsertionParameter, value: Float)] {
        let before = values
        bytes[place] = value
        return InsertionParameter.changes(from: before, to: values)
    }

    private var values: [Float] { InsertionType.yamaha[type].values(bytes) }
}
