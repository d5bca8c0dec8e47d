import Carillon
import Glibc

/// A patch file that is looked at again and again: when somebody saves it, it is read.
struct PatchWatch {
    /// What became of a file.
    enum News {
        /// The patch, and what in it is hardly meant so, for a person.
        case patch(Patch, advice: [String])
        /// Why it is none, for a person.
        case fault(String)
        /// It is not there any more.
        case gone
    }

    /// A file as the system knows it: a save changes at least one of these.
    private struct Mark: Equatable {
        var seconds = 0, nanoseconds = 0, size: Int64 = 0, file: UInt64 = 0

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            (size, file) = (Int64(status.st_size), UInt64(status.st_ino))
        }
    }

    /// The file.
    let path: String
    /// What was read last, and what was seen last: a file is read once it looks the same twice, and so not while it is
    /// being written.
    private var read: Mark?
    private var seen: Mark?
    /// Looks in a row at which it was not there.
    private var absences = 0

    /// Watches from now on.
    init(_ path: String) {
        self.path = path
        read = Mark(path)
        seen = read
    }

    /// What has been saved since the last time; nil where nothing has. A file that is gone is waited for: editors that write
    /// a new one in its place take it away for a moment.
    mutating func news() -> News? {
        guard let now = Mark(path) else {
            absences += 1
            return absences == Self.patience ? .gone : nil
        }
        absences = 0
        defer { seen = now }
        if now == read || now != seen { return nil }
        read = now
        do throws(PatchFileError) {
            let file = try PatchFile(path: path)
            return .patch(try file.located(from: path), advice: file.advice)
        } catch { return .fault("\(error)") }
    }

    /// Looks, ten a second, until a file that is not there is gone.
    private static let patience = 10
}
