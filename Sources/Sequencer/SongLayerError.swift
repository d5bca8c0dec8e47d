/// The reason why a song cannot be a layer of another one, or cannot have layers.
public enum SongLayerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The song counts film frames (an SMPTE division) and has no bars.
    case countsFilmFrames
    /// The tracks are patterns that play one after another (format 2).
    case playsPatterns
    /// The song has several ports of its own, and not all of them are left.
    case tooManyPorts
    /// Together they have more events than fit in memory.
    case tooManyEvents
    /// The level is not a number.
    case levelIsNoNumber

    public var description: String {
        switch self {
        case .countsFilmFrames: "it counts film frames and has no bars; save it with ticks per quarter note"
        case .playsPatterns: "its tracks play one after another (format 2); save it as format 1"
        case .tooManyPorts: "it uses more MIDI ports than are left of the 16; give it a lower port"
        case .levelIsNoNumber: "its level is no number; choose 0 to 1"
        case .tooManyEvents: "so many notes come together that they do not fit in memory; choose a longer loop"
        }
    }
}
