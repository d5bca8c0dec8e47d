/// A region of a DLS instrument: keys, velocities, and the wave that they sound.
///
/// Source: DLS Level 2.2, sections 2.5 and 2.6.
struct DLSRegion: Sendable {
    /// 0...127.
    var keys = 0...127, velocities = 0...127
    /// Regions of the same group, other than 0, silence each other.
    var keyGroup = 0
    var cue = 0
    /// Overrides the wave's own.
    var tuning: DLSTuning?
    var articulation = DLSArticulation()

    /// Reads `rgnh`. Files of Level 1 may leave the velocities empty.
    mutating func readHeader(_ bytes: RecordTable) {
        keys = Self.range(bytes.word(0, 0), bytes.word(0, 2))
        velocities = bytes.word(0, 6) == 0 ? 0...127 : Self.range(bytes.word(0, 4), bytes.word(0, 6))
        keyGroup = bytes.word(0, 10)
    }

    private static func range(_ low: Int, _ high: Int) -> ClosedRange<Int> {
        min(low, high, 127)...min(max(low, high), 127)
    }
}

struct DLSInstrument: Sendable {
    var bank: Int, program: Int
    var regions: [DLSRegion] = []
    var articulation = DLSArticulation()
}
