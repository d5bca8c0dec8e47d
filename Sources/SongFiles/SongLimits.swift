/// The most that is taken of a song file. Beyond a limit the song is refused with an error that names it: nothing is cut off in
/// silence, and memory never follows a length that a file claims.
public struct SongLimits: Hashable, Sendable {
    /// Bytes of a file.
    public var bytes = 64 << 20
    /// Events of all tracks together; one takes about 100 bytes while it is read and laid out.
    public var events = 4_000_000
    /// Tracks.
    public var tracks = 65_535
    /// Repairs that are listed one by one; the rest are counted.
    public var repairs = 1_000

    /// The limits that the command line uses.
    public init() {}
}
