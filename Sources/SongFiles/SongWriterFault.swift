/// Something that a song file cannot hold.
public enum SongWriterFault: Hashable, Sendable, CustomStringConvertible {
    /// A file has at most 65 535 tracks; one of format 0 has one.
    case trackCount(Int)
    /// Ticks per quarter 1...32 767; ticks per film frame 1...255.
    case division
    /// Ticks in a track must not go back.
    case order(track: Int, tick: Int64)
    /// Two events of a track can be at most 268 435 455 ticks apart.
    case gap(track: Int, tick: Int64)
    /// A status or data byte out of range, a tempo of 0 or above 16 777 215, System Exclusive that is not F0 ... F7.
    case event(track: Int, tick: Int64)
    /// A track of 4 GiB or more.
    case trackLength(track: Int)

    public var description: String {
        switch self {
        case .trackCount(let count): "\(count) tracks; a file holds at most 65535, and one in format 0"
        case .division: "its division; ticks per quarter go from 1 to 32767, ticks per film frame from 1 to 255"
        case .order(let track, let tick): "track \(track) goes back in time at tick \(tick); sort its events"
        case .gap(let track, let tick): "track \(track) is silent for more than 268435455 ticks before tick \(tick)"
        case .event(let track, let tick): "track \(track), tick \(tick): an event with values out of range"
        case .trackLength(let track): "track \(track) is longer than 4 GiB"
        }
    }
}
