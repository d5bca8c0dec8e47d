/// How much of a song file is taken. Beyond a limit the song is refused with an error that names it: nothing is cut off in
/// silence, and memory never follows a length that a file claims.
public enum SongLimits {
    /// Bytes of a file.
    public static let bytes = 256 << 20
    /// Events of all tracks together.
    public static let events = 4_000_000
    /// Tracks.
    public static let tracks = 65_535
    /// Repairs that are listed one by one; the rest are counted.
    public static let repairs = 1_000
}
