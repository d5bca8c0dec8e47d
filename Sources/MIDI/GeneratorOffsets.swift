// [render]

/// The offsets by which non-registered parameters have moved a channel's SoundFont generators.
///
/// Sources: SoundFont 2.04, section 9.6.3 (data around 8192, in steps by the generator); the steps as libfluidsynth's
/// `fluid_gen.c` has them.
@usableFromInline struct GeneratorOffsets: BitwiseCopyable, Sendable {
    /// The generators' own units; the widest offset, 4 times -8192, is an Int16's least.
    @usableFromInline var offsets = InlineArray<64, Int16>(repeating: 0)

    @_noLocks init() {}

    /// Data entry: 0...16383, 8192 moves nothing. What is no generator, or names something, stays as it is.
    @_noLocks mutating func set(_ generator: Int, _ data: Int) {
        guard generator < 64 else { return }
        offsets[generator] = Int16(truncatingIfNeeded: (data &- 8_192) &* Self.step(generator))
    }

    /// Returns the worth of one step of the data; 0 for what nothing can be added to.
    @_noLocks static func step(_ generator: Int) -> Int {
        switch generator {
        case 14, 18, 19, 20, 41...44, 46, 49, 53, 54, 55, 57...: 0
        case 5, 6, 7, 8, 10, 11, 21, 23, 25...28, 30, 33...36, 38: 2
        case 22, 24: 4
        default: 1
        }
    }
}
