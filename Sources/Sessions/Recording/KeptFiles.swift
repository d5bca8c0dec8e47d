import Document
import Glibc

/// Files of folders that are kept for a while: those with one name before their ending are one thing, and the oldest things go.
/// Control side, any thread.
package struct KeptFiles {
    private struct Thing {
        var files: [String] = []
        var bytes = 0
        /// When it was written last: seconds and nanoseconds.
        var time = (0, 0)
    }

    private let folders: [String]
    private let prefix: String

    /// The files of these folders whose names begin with `prefix`; links and other entries that are not files are left alone.
    package init(in folders: [String], prefix: String = "") { (self.folders, self.prefix) = (folders, prefix) }

    /// The folders in a folder, in order.
    package static func folders(in folder: String) -> [String] {
        (FolderNames(in: folder)?.sorted ?? []).map { "\(folder)/\($0)" }.filter {
            status($0).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
        }
    }

    /// Removes the oldest until there are at most `most` things, of at most `bytes` bytes together.
    ///
    /// - Parameter kept: the path of a file whose thing stays, of any size: it was written just now.
    /// - Returns: the paths of the removed things, without endings, and a sentence for each file that could not be removed.
    package func thin(most: Int, bytes: Int = .max, keeping kept: String) -> (gone: [String], faults: [String]) {
        var things: [String: Thing] = [:]
        for folder in folders {
            for name in FolderNames(in: folder)?.sorted ?? [] where name.hasPrefix(prefix) {
                let path = "\(folder)/\(name)"
                guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { continue }
                var thing = things[Self.stem(path)] ?? Thing()
                thing.files.append(path)
                thing.bytes += Int(status.st_size)
                let time = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
                if time > thing.time { thing.time = time }
                things[Self.stem(path)] = thing
            }
        }
        var count = things.count, sum = things.values.reduce(0) { $0 + $1.bytes }
        var gone: [String] = [], faults: [String] = []
        let old = things.sorted { ($0.value.time.0, $0.value.time.1, $0.key) < ($1.value.time.0, $1.value.time.1, $1.key) }
        for (stem, thing) in old where stem != Self.stem(kept) && (count > most || sum > bytes) {
            for file in thing.files where unlink(file) != 0 {
                faults.append("\(file): cannot be taken away: \(String(cString: strerror(errno)))")
            }
            (count, sum) = (count - 1, sum - thing.bytes)
            gone.append(stem)
        }
        return (gone, faults)
    }

    /// The path before the ending of its name.
    private static func stem(_ path: String) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return path[slash...].lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
