import Glibc
import SongFiles

extension LiveSession {
    /// Writes what was played in the last minutes as a song, and as a journal beside it (`NAME.journal`).
    ///
    /// - Parameter path: where to; without an ending it gets `.mid`. nil: `carillon-YYYYMMDD-HHMMSS.mid` here, or the next
    ///   free name.
    /// - Returns: the song's path.
    @discardableResult
    public func saveRecording(_ path: String?) throws(LiveError) -> String {
        var path = path ?? Self.freeName
        if !path.hasSuffix(".mid") { path += ".mid" }
        var journal = recorder.journal(setup, end: engine.renderer.sampleTime)
        if gaps.events > 0 { journal.isComplete = false }
        guard let song = RecordedSong.song(journal, title: "Played on \(Self.now)") else { throw .nothingPlayed }
        do { try SongWriter.write(song, path: path) } catch { throw .song(error) }
        do { try journal.write(path: Self.journalPath(of: path)) } catch { throw .journal(error) }
        return path
    }

    /// A name of now for a song and its journal.
    private static var freeName: String {
        var name = NumberedName("carillon-\(now).mid")
        while access(name.text, F_OK) == 0 || access(journalPath(of: name.text), F_OK) == 0, name.advance() {}
        return name.text
    }

    private static func journalPath(of song: String) -> String { String(song.dropLast(4)) + ".journal" }

    /// The calendar's time here, `20261121-073005`.
    private static var now: String {
        var seconds = time(nil), parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
            + "-\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))"
    }
}
