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
