import Glibc

/// Watches files: when one of them is saved, there is news, once it looks the same twice, and so not while it is written.
struct FileWatch {
    enum News { case saved, gone }

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

    /// The first has to be there; others may come later.
    var paths: [String]
    /// Marks of the last news and of the last look, for each file that was there.
    private var read: [String: Mark] = [:]
    private var seen: [String: Mark] = [:]
    /// Looks in a row at which a file was not there.
    private var absences: [String: Int] = [:]

    init(_ paths: [String]) {
        self.paths = paths
        read = marks()
        seen = read
    }

    /// A file that is gone is waited for: editors that write a new one in its place take it away for a moment.
    ///
    /// - Parameter find: returns the files that are watched from now on.
    mutating func news(_ find: () -> [String]) -> News? {
        for file in paths { absences[file] = Mark(file) == nil ? absences[file, default: 0] + 1 : 0 }
        if let looks = absences[paths[0]], looks > 0 { return looks == Self.patience ? .gone : nil }
        let now = marks()
        defer { seen = now }
        if now == read || now != seen { return nil }
        paths = find()
        // Before they are read: what is saved from here on is news.
        read = marks()
        for file in read.keys { read[file] = now[file] ?? read[file] }
        return .saved
    }

    /// One that has just gone is as it was.
    private func marks() -> [String: Mark] {
        var marks: [String: Mark] = [:]
        for file in paths {
            marks[file] = Mark(file) ?? (absences[file, default: Self.patience] < Self.patience ? seen[file] : nil)
        }
        return marks
    }

    /// Looks, ten a second, until a file that is not there is gone.
    private static let patience = 10
}
