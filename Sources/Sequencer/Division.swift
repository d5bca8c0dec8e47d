/// What one tick of a song is: a fraction of a quarter note, or a fraction of a film frame.
public enum Division: Hashable, Sendable {
    /// Ticks per quarter note, 1...32767; how long a quarter lasts is the tempo's business.
    case ticksPerQuarter(Int)
    /// A fixed part of a second: `ticksPerFrame`, 1...255, at one of the four film rates. Tempo events do not matter.
    case smpte(SMPTERate, ticksPerFrame: Int)
}

extension Division: CustomStringConvertible {
    /// `480 ticks per quarter`, `25 frames per second, 40 ticks each`.
    public var description: String {
        switch self {
        case .ticksPerQuarter(let ticks): return "\(ticks) ticks per quarter"
        case .smpte(let rate, let ticksPerFrame):
            let name = rate.framesPerSecond.denominator == 1 ? "\(rate.framesPerSecond.numerator)" : "29.97"
            return "\(name) frames per second, \(ticksPerFrame) ticks each"
        }
    }
}
