import Carillon
import Glibc

/// A patch file that is looked at again and again: when somebody saves it, it is read.
struct PatchWatch {
    /// What became of a file.
    enum News {
        case patch(Patch)
        /// Why it is none, for a person.
        case fault(String)
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

    /// Watches from now on.
    init(_ path: String) {
        self.path = path
        read = Mark(path)
        seen = read
    }

    /// What has been saved since the last time; nil where nothing has. A file that is gone is waited for.
    mutating func news() -> News? {
        guard let now = Mark(path) else { return nil }
        defer { seen = now }
        if now == read || now != seen { return nil }
        read = now
        do throws(PatchFileError) { return .patch(try PatchFile.playable(path: path)) } catch { return .fault("\(error)") }
    }
}
