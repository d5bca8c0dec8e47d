import Remarks
import Sequencer
import SongFiles
import SoundFonts

/// A song of a session's list: a song that is there, or a file that is read when its turn comes.
public struct SessionSong: Sendable {
    enum Source {
        case song(Song)
        case file(path: String, isStrict: Bool)
    }

    /// The name that surfaces give it.
    public var name: String
    /// The manner in which it is played.
    public var manner = SongManner()
    /// True if a SoundFont inside the file plays the song.
    public var playsBank = true
    let source: Source

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

    /// The song as a command line names it: its file, where there is one.
    var path: String { if case .file(let path, _) = source { path } else { name } }

    /// A song as it was read.
    struct Reading {
        let song: Song
        /// The file, where there is one.
        var file: SongFile?
        /// The SoundFont that it brings, and why that is not played.
        var bank: SongBank?, bankFault: String?

        /// Returns what a person should know of it, called `name`.
        func remarks(on name: String, _ timeline: Timeline) -> [Remark] {
            let found =
                file.map { SongRemarks($0, timeline, name: name).remarks }
                ?? SongRemarks.notFollowed(timeline.unfollowed, name) + SongRemarks.words(song, name)
            return found + (bankFault.map { [Remark(.missing, name, $0)] } ?? [])
        }
    }

    /// The song now. - Throws: `song`.
    func read() throws(LiveError) -> Reading {
        switch source {
        case .song(let given): return Reading(song: given)
        case .file(let path, let isStrict):
            do {
                let file = try SongReader.read(path: path, strict: isStrict)
                let (bank, fault) = SongBank.bank(in: file, path: path, isWanted: playsBank)
                return Reading(song: file.song, file: file, bank: bank, bankFault: fault)
            } catch { throw .song(error) }
        }
    }

    /// The song as it is laid out in time, without anything that lies over it. - Throws: `song`, `sound` where it cannot be.
    func timeline(sampleRate: Int) throws(LiveError) -> Timeline {
        let song = try read().song
        do { return try Timeline(song, sampleRate: sampleRate) } catch { throw .sound(.timeline(error)) }
    }
}
