/// The insertion effects of a port, as GS and XG messages have made them: slot 0 is GS's, 1...4 are XG's, 5 is XG's variation.
struct InsertionEffects: Sendable, Hashable {
    private var roland = RolandInsertion()
    private var yamaha = (0..<5).map { YamahaInsertion(isVariation: $0 == 4) }

    typealias Change = (parameter: InsertionParameter, value: Float)

    /// Returns what a byte at an address sets: 40 03 ... or 40 4x 22, 02 01 40 ... or 03 0n ...; and the slot.
    mutating func take(_ address: [UInt8], _ value: UInt8) -> (slot: UInt8, changes: [Change]) {
        switch (address[0], address[1]) {
        case (0x40, _): return (0, roland.take((address[1], address[2]), value))
        case (0x02, _): return (5, yamaha[4].take(address[2], value))
        case (_, 0..<4): return (address[1] + 1, yamaha[Int(address[1])].take(address[2], value))
        default: return (0, [])
        }
    }

    /// The name of a slot's type if it has no units, and a part goes through it.
    func unfollowedType(slot: UInt8) -> String? {
        let (type, isUsed) =
            slot == 0 ? (roland.chosen, roland.isUsed) : (yamaha[Int(slot) - 1].chosen, yamaha[Int(slot) - 1].isUsed)
        return isUsed && !type.isThrough && !type.isFollowed ? type.name : nil
    }
}
