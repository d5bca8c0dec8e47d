/// A score: tracks of events at ticks, and what a tick is.
///
/// A value, and all of the music: what a song file says is here, whatever the file's encoding was. `Timeline` turns it
/// into frames.
public struct Song: Hashable, Sendable {
    /// How the tracks relate in time.
    public var format: Format
    /// What one tick is.
    public var division: Division
    public var tracks: [Track]

    public init(format: Format = .simultaneous, division: Division = .ticksPerQuarter(480), tracks: [Track] = []) {
        self.format = format
        self.division = division
        self.tracks = tracks
    }

    /// The format number of a Standard MIDI File. Source: Standard MIDI Files 1.0 (RP-001).
    public enum Format: UInt16, Hashable, Sendable {
        /// One track that holds everything.
        case single = 0
        /// Tracks that play together; tempo and meter from any of them hold for all.
        case simultaneous = 1
        /// Independent patterns. Played one after the other, each with its own tempo (120 until it says otherwise).
        case sequential = 2
    }

    /// The last tick of the song's longest track. Unit: ticks.
    public var endTick: Int64 { tracks.map(\.endTick).max() ?? 0 }

    /// The first track's name (FF 03), by custom the song's title; nil where it has none. Names of other tracks are those
    /// of their instruments.
    public var title: String? { tracks.first.flatMap { $0.name.isEmpty ? nil : $0.name } }
}
