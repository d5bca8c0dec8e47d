import Glibc
import Patch
import RealtimeCore
import SongFiles

/// The part of a session that never stops recording: it keeps the last minutes of what was played and writes them when
/// asked to. Control side.
final class Recorder {
    private(set) var recording: MIDIRecorder
    private let sampleRate: Int

    /// - Parameter patch: the graph's structure at the beginning.
    init(minutes: Double, sampleRate: Int, patch: Patch) {
        self.sampleRate = sampleRate
        recording = MIDIRecorder(frames: Int(minutes * 60 * Double(sampleRate)), patch: patch)
    }

    /// Takes in what was performed up to `now`, and forgets what is older than it keeps.
    func take(_ performance: Performance, now: SampleTime) {
        for entry in performance.entries { recording.record(entry) }
        for edit in performance.edits { recording.record(edit) }
        recording.forget(before: SampleTime(now.rawValue - Int64(recording.frames)))
    }

    /// Writes what was played as a song, and as a journal beside it (`NAME.journal`).
    ///
    /// - Parameters:
    ///   - path: where to; without an ending it gets `.mid`. nil: `carillon-YYYYMMDD-HHMMSS.mid` here, or the next free name.
    ///   - isComplete: false where something was not recorded.
    /// - Returns: the song's path.
    func save(_ path: String?, end: SampleTime, isComplete: Bool) throws(LiveError) -> String {
        var path = path ?? Self.freeName
        if !path.hasSuffix(".mid") { path += ".mid" }
        var journal = recording.journal(Journal.Setup(sampleRate: sampleRate), end: end)
        if !isComplete { journal.isComplete = false }
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
