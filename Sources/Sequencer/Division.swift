/// What one tick of a song is: a fraction of a quarter note, or a fraction of a film frame.
public enum Division: Hashable, Sendable {
    /// Ticks per quarter note, 1...32767; how long a quarter lasts is the tempo's business.
    case ticksPerQuarter(Int)
    /// A fixed part of a second: `ticksPerFrame`, 1...255, at one of the four film rates. Tempo events do not matter.
    case smpte(SMPTERate, ticksPerFrame: Int)

    /// The ticks of one second, as an exact fraction, where the division alone says it.
    var ticksPerSecond: (numerator: Int, denominator: Int)? {
        switch self {
        case .ticksPerQuarter: nil
        case .smpte(let rate, let ticks): (rate.framesPerSecond.numerator * ticks, rate.framesPerSecond.denominator)
        }
    }
}

/// Film and television frame rates of SMPTE time code. The raw value is the number in a song file's division.
public enum SMPTERate: UInt8, Hashable, Sendable, CaseIterable {
    case film = 24
    case pal = 25
    /// 30 000 / 1 001 frames a second. Drop-frame is a way of numbering these frames, and does not change their length.
    case ntscDrop = 29
    case thirty = 30

    /// Film frames in one second, exactly.
    public var framesPerSecond: (numerator: Int, denominator: Int) {
        self == .ntscDrop ? (30_000, 1_001) : (Int(rawValue), 1)
    }
}
