// [render]

/// The values that a song sets for the 27 effects of a Sound Blaster AWE32, by non-registered parameters with upper byte 127.
///
/// Source: Creative, "SB AWE32 Developer's Information Pack" 3.01, "NRPN".
public struct SoundBlasterSettings: BitwiseCopyable, Sendable {
    /// One bit for each effect that was set.
    public private(set) var known: UInt32 = 0
    private var values = InlineArray<27, Int16>(repeating: 0)
    private var data = 0

    @_noLocks init() {}

    /// The data of effect 0...26, 0...16383; 8192 is the middle of effects with two sides.
    @_noLocks public subscript(effect: Int) -> Int { Int(values[effect]) }

    /// Another parameter is chosen: no half of a value is left over from the one before.
    @_noLocks mutating func begin() { data = 0 }

    /// The effect is as the SoundFont has it.
    @_noLocks mutating func forget(_ effect: Int) {
        values[effect] = 0
        known &= ~(1 &<< UInt32(effect))
    }

    /// Data entry, either half first.
    @_noLocks mutating func enter(_ value: UInt8, isUpper: Bool, _ effect: Int) {
        data = isUpper ? data & 127 | Int(value) &<< 7 : data & ~127 | Int(value)
        values[effect] = Int16(truncatingIfNeeded: data)
        known |= 1 &<< UInt32(effect)
    }
}
