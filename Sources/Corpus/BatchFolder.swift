import AudioFiles
import Carillon
import Glibc

/// The folder of a batch. Each sound lies in `ab/`, the first two digits of its key; its row is written after it and marks it
/// as complete. Several processes on several machines may work in one folder.
package struct BatchFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The folder in which processes make what they put in its place afterwards.
    var work: String { path + "/.work" }

    /// The folder of a key's files, as a row names it: `ab`.
    package static func shelf(_ key: String) -> String { String(key.prefix(2)) }

    func row(_ key: String) -> String { "\(path)/\(Self.shelf(key))/\(key).json" }

    func song(_ hash: String) -> String { "\(path)/songs/\(Self.shelf(hash))/\(hash).mid" }

    /// Makes the folder, with those above it.
    func make() throws(Fault) {
        var parent = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            parent += "/" + part
            try Self.make(folder: parent)
        }
        try Self.make(folder: work)
    }

    /// Opens a new file in the work's folder, which another batch removes when it ends, as long as nothing is in it. Returns
    /// -1 if that fails.
    static func create(_ path: String, in work: String, _ mode: Int32) -> Int32 {
        while true {
            let descriptor = open(path, mode | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            if descriptor >= 0 || errno != ENOENT { return descriptor }
            if mkdir(work, 0o777) != 0, errno != EEXIST { return -1 }
        }
    }

    /// Writes a file that was opened, and closes it. Returns 0, or `errno` of the call that failed.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        if descriptor < 0 { return errno }
        let code = WholeText.write(bytes, to: descriptor)
        return close(descriptor) != 0 && code == 0 ? errno : code
    }

    private static func make(folder: String) throws(Fault) {
        if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
        throw Fault("\(folder): cannot be made (\(SystemFault(code: errno)))", .cannotCreate)
    }

    /// Keeps a song that came with its job, unless it is there. Returns its path.
    func keep(song bytes: [UInt8], hash: String) throws(Fault) -> String {
        let path = song(hash)
        if access(path, R_OK) == 0 { return path }
        for folder in ["\(self.path)/songs", "\(self.path)/songs/\(Self.shelf(hash))"] { try Self.make(folder: folder) }
        let unfinished = "\(work)/song-\(BatchStage.ownName)"
        var code = Self.write(bytes, to: Self.create(unfinished, in: work, O_WRONLY))
        if code == 0, rename(unfinished, path) != 0 { code = errno }
        if code == 0 { return path }
        unlink(unfinished)
        throw Fault("\(path): cannot be written (\(SystemFault(code: code)))", .io)
    }

    /// The row of a key as it was written; nil if it is not done.
    func keptRow(_ key: String) -> String? {
        do { return try BoundedFile.text(path: row(key), limit: 1 << 28) } catch { return nil }
    }

    /// Removes what processes that have ended left in the folder.
    ///
    /// - Parameter name: that of one process; nil means of all.
    package func clean(_ name: String? = nil) {
        for lock in Self.names(in: work) where lock.hasSuffix(".lock") && (name == nil || lock == "\(name ?? "").lock") {
            BatchStage.remove(String(lock.dropLast(5)), in: work)
        }
    }

    /// The batch is over: what is empty goes.
    func end() { rmdir(work) }

    static func names(in folder: String) -> [String] { FolderNames(in: folder)?.sorted ?? [] }
}
