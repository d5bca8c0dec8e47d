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

    /// The row of a key.
    func row(_ key: String) -> String { "\(path)/\(Self.shelf(key))/\(key).json" }

    /// A song that came with its job, by the hash of its bytes.
    func song(_ hash: String) -> String { "\(path)/songs/\(Self.shelf(hash))/\(hash).mid" }

    /// Makes the folder, with those above it.
    ///
    /// - Throws: exit code 73.
    func make() throws(BatchFault) {
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

    private static func make(folder: String) throws(BatchFault) {
        if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
        throw BatchFault("\(folder): cannot be made (\(SystemCode.text(errno)))", .cannotCreate)
    }

    /// Keeps a song that came with its job, unless it is there. Returns its path.
    func keep(song bytes: [UInt8], hash: String) throws(BatchFault) -> String {
        let path = song(hash)
        if access(path, R_OK) == 0 { return path }
        for folder in ["\(self.path)/songs", "\(self.path)/songs/\(Self.shelf(hash))"] { try Self.make(folder: folder) }
        let unfinished = "\(work)/song-\(BatchStage.ownName)"
        let descriptor = Self.create(unfinished, in: work, O_WRONLY)
        var code = descriptor < 0 ? errno : WholeText.write(bytes, to: descriptor)
        if descriptor >= 0, close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(unfinished, path) != 0 { code = errno }
        if code == 0 { return path }
        unlink(unfinished)
        throw BatchFault("\(path): cannot be written (\(SystemCode.text(code)))", .io)
    }

    /// The row of a key as it was written; nil if it is not done.
    func keptRow(_ key: String) -> String? {
        do { return try BoundedFile.text(path: row(key), limit: 1 << 28) } catch { return nil }
    }

    /// Removes what processes that have ended left in the folder.
    ///
    /// - Parameter name: that of one process; nil: of all.
    package func clean(_ name: String? = nil) {
        for lock in Self.names(in: work) where lock.hasSuffix(".lock") && (name == nil || lock == "\(name ?? "").lock") {
            BatchStage.remove(String(lock.dropLast(5)), in: work)
        }
    }

    /// The batch is over: what is empty goes.
    func end() { rmdir(work) }

    static func names(in folder: String) -> [String] { FolderNames(in: folder)?.sorted ?? [] }
}
