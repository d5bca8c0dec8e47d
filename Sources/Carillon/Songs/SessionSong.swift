import Sequencer

/// A song of a session's list.
public struct SessionSong: Sendable {
    /// What surfaces call it.
    public var name: String
    public var song: Song

    public init(name: String, song: Song) {
        self.name = name
        self.song = song
    }
}
