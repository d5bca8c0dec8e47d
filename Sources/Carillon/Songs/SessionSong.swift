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

    /// The song now, its words, and how many places were repaired. - Throws: `song`, `sound` where it cannot be laid out.
    func timeline(sampleRate: Int) throws(LiveError) -> (Timeline, words: SungLines, repairs: Int) {
        let song: Song, repairs: Int
        switch source {
        case .song(let given): (song, repairs) = (given, 0)
        case .file(let path, let isStrict):
            do {
                let file = try SongReader.read(path: path, strict: isStrict)
                (song, repairs) = (file.song, file.repairCount)
            } catch { throw .song(error) }
        }
        let timeline: Timeline
        do { timeline = try Timeline(song, sampleRate: sampleRate) } catch { throw .sound(.timeline(error)) }
        return (timeline, SungLines(Lyrics(song), timeline.tempoMap), repairs)
    }
}
