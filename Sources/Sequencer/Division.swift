/// What one tick of a song is: a fraction of a quarter note, or a fraction of a film frame.
public enum Division: Hashable, Sendable {
    /// Ticks per quarter note, 1...32767; how long a quarter lasts is the tempo's business.
    case ticksPerQuarter(Int)
    /// A fixed part of a second: `ticksPerFrame`, 1...255, at one of the four film rates. Tempo events do not matter.
    case smpte(SMPTERate, ticksPerFrame: Int)
}
