import MIDI
import Reports
import Sequencer
import SongFiles
import SongRendering
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
    /// True if a song without a note is refused: an unattended session would not notice a file that was cut off.
    public var needsNotes = false
    let source: Source

    /// A song that is there.
    public init(name: String, song: Song) {
        self.name = name
        source = .song(song)
    }

    /// Creates a Standard MIDI File, read anew whenever it begins.
    ///
    /// - Parameter isStrict: whether a damaged file is refused instead of repaired.
    public init(name: String, path: String, isStrict: Bool = false) {
        self.name = name
        source = .file(path: path, isStrict: isStrict)
    }

    /// The song as a command line names it: its file, if there is one.
    var path: String { if case .file(let path, _) = source { path } else { name } }

    struct Reading {
        var song: Song
        var file: SongFile?
        /// The SoundFont that it brings, and why that is not played.
        var bank: SongBank?, bankFault: String?

        func remarks(on name: String, _ timeline: Timeline) -> [Remark] {
            file.map { SongRemarks($0, timeline, name: name, bankFault: bankFault).remarks }
                ?? SongRemarks.notFollowed(timeline.unfollowed, name) + SongRemarks.words(song, name)
        }
    }

    /// The song now. - Throws: `SongError`, `songWithoutNotes`.
    func read() throws(Fault) -> Reading {
        switch source {
        case .song(let given): return Reading(song: given)
        case .file(let path, let isStrict):
            let file: SongFile
            do { file = try SongReader.read(path: path, strict: isStrict, textEncoding: manner.textEncoding) } catch {
                throw Fault(error)
            }
            if needsNotes, !file.song.hasNotes { throw .songWithoutNotes(path: path) }
            let (bank, fault) = SongBank.bank(in: file, path: path, isWanted: playsBank)
            return Reading(song: file.song, file: file, bank: bank, bankFault: fault)
        }
    }

    /// The song as it is laid out in time, without anything that lies over it. - Throws: `SongError`, `sound` where it cannot
    /// be.
    func timeline(sampleRate: Int) throws(Fault) -> Timeline {
        let song = try read().song
        return try Timeline(song, sampleRate: sampleRate)
    }
}

extension Song {
    fileprivate var hasNotes: Bool {
        tracks.contains { track in
            track.events.contains {
                if case .message(let message) = $0.kind { message.kind == .noteOn && message.data2 > 0 } else { false }
            }
        }
    }
}
