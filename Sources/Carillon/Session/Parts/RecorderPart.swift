import Glibc
import Patch
import RealtimeCore
import SongFiles

/// A recorder that never stops: it keeps the last minutes of what was played and writes them when asked to.
final class RecorderPart: SessionPart {
    private let core: SessionCore
    private(set) var recording: MIDIRecorder

    static let verbs = [Verb.saveRecording]

    /// - Parameter patch: the graph's structure at the beginning.
    init(_ core: SessionCore, patch: Patch) {
        self.core = core
        let seconds = core.options.recordedMinutes * 60
        recording = MIDIRecorder(frames: Int(seconds * Double(core.options.sampleRate)), patch: patch)
    }

    /// Takes in what was performed up to now, and forgets what is older than it keeps.
    func hear(_ performance: Performance) {
        for entry in performance.entries { recording.record(entry) }
        for edit in performance.edits { recording.record(edit) }
        recording.forget(before: SampleTime(core.now.rawValue - Int64(recording.frames)))
    }

    /// Writes what was played as a song, and as a journal beside it (`NAME.journal`).
    ///
    /// - Parameter path: where to; without an ending it gets `.mid`. nil: `carillon-YYYYMMDD-HHMMSS.mid` here, or the next
    ///   free name.
    /// - Returns: the song's path.
    func save(_ path: String?) throws(LiveError) -> String {
        var path = path ?? Self.freeName
        if !path.hasSuffix(".mid") { path += ".mid" }
        var journal = recording.journal(Journal.Setup(sampleRate: core.options.sampleRate), end: core.now)
        if core.unrecorded > 0 { journal.isComplete = false }
        guard let song = RecordedSong.song(journal, title: "Played on \(NumberedName.now)") else { throw .nothingPlayed }
        do { try SongWriter.write(song, path: path) } catch { throw .song(error) }
        do { try journal.write(path: Self.journalPath(of: path)) } catch { throw .journal(error) }
        return path
    }

    /// A name of now for a song and its journal.
    private static var freeName: String {
        var name = NumberedName("carillon-\(NumberedName.now).mid")
        while access(name.text, F_OK) == 0 || access(journalPath(of: name.text), F_OK) == 0, name.advance() {}
        return name.text
    }

    private static func journalPath(of song: String) -> String { String(song.dropLast(4)) + ".journal" }
}

extension Session {
    /// Writes what was played in the last minutes as a song, and as a journal beside it (`NAME.journal`).
    ///
    /// - Parameter path: where to; without an ending it gets `.mid`. nil: `carillon-YYYYMMDD-HHMMSS.mid` here, or the next
    ///   free name.
    /// - Returns: the song's path.
    @discardableResult
    public func saveRecording(_ path: String?) throws(LiveError) -> String { try part(RecorderPart.self).save(path) }
}
