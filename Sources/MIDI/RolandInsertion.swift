/// The insertion effect of a port, as GS messages to 40 03 00 ... 40 03 1F and 40 4x 22 have made it: slot 0.
///
/// A type sets all its parameters and closes none of the parts. Controllers (40 03 1B ... 1E) and the equalizer switch (1F) are
/// not followed. Source: Roland SC-8850 owner's manual, "Address mapping of parameters".
package struct RolandInsertion: Sendable, Hashable {
    private var high: UInt8 = 0
    private var type = 0
    private var bytes = [Int](repeating: 0, count: 20)

    package init() {}

    /// The type that was chosen.
    package var chosen: InsertionType { InsertionType.roland[type] }
    /// True if a part goes through the effect.
    var isUsed: Bool { parts != 0 }
    private var parts: UInt16 = 0

    /// Returns what a byte at `address`, from 40 00 00 on, sets; nothing if it is no address of the effect, or sets nothing.
    ///
    /// - Parameter address: the second and third byte: 03 17, 41 22.
    package mutating func take(_ address: (UInt8, UInt8), _ value: UInt8) -> [(parameter: InsertionParameter, value: Float)] {
        let value = value & 127
        switch address {
        case (0x03, 0x00):
            high = value
            // The other byte follows in the same message.
            return []
        case (0x03, 0x01):
            guard let place = InsertionType.place(high: high, low: value, in: InsertionType.roland) else { return [] }
            return choose(place)
        case (0x03, 0x03...0x16):
            let place = Int(address.1) - 3, before = values
            bytes[place] = Int(value)
            return InsertionParameter.changes(from: before, to: values)
        case (0x03, 0x17): return [(.toReverb, Float(value) / 127)]
        case (0x03, 0x18): return [(.toChorus, Float(value) / 127)]
        case (0x03, 0x19): return [(.toDelay, Float(value) / 127)]
        case (0x40...0x4F, 0x22):
            let channel = PartMode.channel(ofBlock: address.0), bit = UInt16(1) << UInt16(channel)
            parts = value == 0 ? parts & ~bit : parts | bit
            return [(.part(channel), value == 0 ? 0 : 1)]
        default: return []
        }
    }

    private var values: [Float] { InsertionType.roland[type].values(bytes) }

    private mutating func choose(_ place: Int) -> [(parameter: InsertionParameter, value: Float)] {
        type = place
        let initial = InsertionType.roland[place].initial
        bytes = initial.isEmpty ? [Int](repeating: 0, count: 20) : initial
        let settings = values.enumerated().map { (InsertionParameter.setting(UInt8($0.offset)), $0.element) }
        return [(.type, chosen.isFollowed ? Float(place) : 0)] + settings
            + [(.toReverb, Float(40) / 127), (.toChorus, 0), (.toDelay, 0)]
    }
}
