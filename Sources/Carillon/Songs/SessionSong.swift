import Sequencer
import SongFiles

/// A song of a session's list: a song that is there, or a file that is read when its turn comes.
public struct SessionSong: Sendable {
    private enum Source {
        case song(Song)
        case file(path: String, isStrict: Bool)
    }

    /// What surfaces call it.
    public var name: String
    /// How it is played.
    public var manner = SongManner()
    private var source: Source

    /// A song that is there.
    public init(name: String, song: Song) {
        self.name = name
        source = .song(song)
    }

    /// A Standard MIDI File, read anew whenever it begins.
    ///
    /// - Parameter isStrict: whether a damaged file is refused instead of repaired.
    public init(name: String, path: String, isStrict: Bool = false) {
        self.name = name
        source = .file(path: path, isStrict: isStrict)
    }

    /// The song now, and how many places were repaired. - Throws: `song`.
    func read() throws(LiveError) -> (song: Song, repairs: Int) {
        switch source {
        case .song(let given): return (given, 0)
        case .file(let path, let isStrict):
            do {
                let file = try SongReader.read(path: path, strict: isStrict)
                return (file.song, file.repairCount)
            } catch { throw .song(error) }
        }
    }

    /// The song as it is laid out in time, without anything that lies over it. - Throws: `song`, `sound` where it cannot be.
    func timeline(sampleRate: Int) throws(LiveError) -> Timeline {
        let song = try read().song
        do { return try Timeline(song, sampleRate: sampleRate) } catch { throw .sound(.timeline(error)) }
    }
}
