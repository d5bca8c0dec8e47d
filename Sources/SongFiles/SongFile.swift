import Sequencer

/// A song as it was read: the music, and what had to be repaired to get it.
public struct SongFile: Sendable {
    public var song: Song
    /// The reading of each of the song's tracks, in their order.
    package var readings: [TrackReading]
    /// Repairs as they were made, the first `SongLimits.repairs` of them.
    public var repairs: [SongRepair]
    /// All repairs, also those beyond the list.
    public var repairCount: Int
    /// The length of the file. Unit: bytes.
    public var byteCount: Int
    /// The wrapping in which the song was found.
    public var container: Container

    /// A song file is a file of its own or inside a RIFF file.
    public enum Container: String, Sendable {
        /// Standard MIDI File: MThd, MTrk, ...
        case standardMIDIFile = "SMF"
        /// RMID: the same in the `data` chunk of a RIFF file.
        case riff = "RMID"
    }
}
