import Carillon
import Glibc

/// The folder of a batch: each sound in `ab/`, the first two digits of its key, with its row behind it as the mark that all of
/// it is there. Several processes, of several machines, may work in one folder.
struct BatchFolder: Sendable {
    let path: String

    /// Where processes make what they put in its place afterwards.
    private var work: String { path + "/.work" }

    /// The folder of a key's files, as a row names it: `ab`.
    static func shelf(_ key: String) -> String { String(key.prefix(2)) }

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

    /// Opens a new file in the work's folder, which another batch takes away when it ends, as long as nothing is in it. Returns -1 where
    /// that cannot be.
    fileprivate static func create(_ path: String, in work: String, _ mode: Int32) -> Int32 {
        while true {
            let descriptor = open(path, mode | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            if descriptor >= 0 || errno != ENOENT { return descriptor }
            if mkdir(work, 0o777) != 0, errno != EEXIST { return -1 }
        }
    }

    private static func make(folder: String) throws(BatchFault) {
        if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
        throw BatchFault("\(folder): cannot be made (\(SystemCode.text(errno)))", exitCode: 73)
    }

    /// Keeps a song that came with its job, unless it is there. Returns its path.
    func keep(song bytes: [UInt8], hash: String) throws(BatchFault) -> String {
        let path = song(hash)
        if access(path, R_OK) == 0 { return path }
        for folder in ["\(self.path)/songs", "\(self.path)/songs/\(Self.shelf(hash))"] { try Self.make(folder: folder) }
        let unfinished = "\(work)/song-\(BatchStage.ownName)"
        let descriptor = Self.create(unfinished, in: work, O_WRONLY)
        var code: Int32 = descriptor < 0 ? errno : 0, done = 0
        while code == 0, done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
            if count > 0 { done += count } else if errno != EINTR { code = errno }
        }
        if descriptor >= 0, close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(unfinished, path) != 0 { code = errno }
        if code == 0 { return path }
        unlink(unfinished)
        throw BatchFault("\(path): cannot be written (\(SystemCode.text(code)))", exitCode: 74)
    }

    /// The row of a key as it was written; nil where it is not done.
    func keptRow(_ key: String) -> String? {
        do { return try BoundedFile.text(path: row(key), limit: 1 << 28) } catch { return nil }
    }

    /// A stage for the calling process.
    func stage() throws(BatchFault) -> BatchStage { try BatchStage(in: work, for: self) }

    /// Takes away what processes have left behind that are no more.
    ///
    /// - Parameter name: that of one process; nil: of all.
    func clean(_ name: String? = nil) {
        for lock in Self.names(in: work) where lock.hasSuffix(".lock") && (name == nil || lock == "\(name ?? "").lock") {
            BatchStage.remove(String(lock.dropLast(5)), in: work)
        }
    }

    /// The batch is over: what is empty goes.
    func end() { rmdir(work) }

    static func names(in folder: String) -> [String] { FolderNames(in: folder)?.sorted ?? [] }
}

/// The place in which one process of a batch makes a job's files, before they go where they belong: all of them, the row last.
final class BatchStage {
    /// The folder.
    let path: String
    private let folder: BatchFolder
    /// Held as long as the process lives.
    private let lock: Int32

    /// The name of this process among those of all machines.
    static var ownName: String { name(process: getpid()) }

    static func name(process: pid_t) -> String {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, 255)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(name.split(separator: "/").joined(separator: "_"))-\(process)"
    }

    fileprivate init(in work: String, for folder: BatchFolder) throws(BatchFault) {
        self.folder = folder
        path = "\(work)/\(Self.ownName)"
        // The lock first: a folder without one would be nobody's.
        lock = BatchFolder.create(path + ".lock", in: work, O_RDWR)
        if lock < 0 { throw BatchFault("\(path).lock: cannot be made (\(SystemCode.text(errno)))", exitCode: 73) }
        // Where a file system has no locks, nobody can take them either.
        _ = flock(lock, LOCK_EX | LOCK_NB)
        if mkdir(path, 0o777) != 0, errno != EEXIST {
            throw BatchFault("\(path): cannot be made (\(SystemCode.text(errno)))", exitCode: 73)
        }
        clear()
    }

    /// Takes away what is there.
    func clear() { for name in BatchFolder.names(in: path) { unlink("\(path)/\(name)") } }

    /// Puts the files where they belong, and then `row`. Returns the bytes of all of them.
    func publish(_ key: String, row: String) throws(BatchFault) -> Int64 {
        let shelf = "\(folder.path)/\(BatchFolder.shelf(key))"
        if mkdir(shelf, 0o777) != 0, errno != EEXIST { throw Self.fault(shelf) }
        let mark = "\(key).json", draft = "\(path)/\(mark)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw Self.fault(draft) }
        let code = WholeText.write(row, to: descriptor)
        if close(descriptor) != 0 || code != 0 {
            if code != 0 { errno = code }
            throw Self.fault(draft)
        }
        var bytes = Int64(row.utf8.count)
        for name in BatchFolder.names(in: path) where name != mark {
            bytes += Int64(FileIdentity(path: "\(path)/\(name)")?.size ?? 0)
            if rename("\(path)/\(name)", "\(shelf)/\(name)") != 0 { throw Self.fault("\(shelf)/\(name)") }
        }
        if rename(draft, "\(shelf)/\(mark)") != 0 { throw Self.fault("\(shelf)/\(mark)") }
        return bytes
    }

    private static func fault(_ path: String) -> BatchFault {
        BatchFault("\(path): cannot be written (\(SystemCode.text(errno)))", exitCode: 74)
    }

    /// The process is over.
    func end() {
        clear()
        rmdir(path)
        unlink(path + ".lock")
        close(lock)
    }

    /// Takes the stage of a process away that is no more.
    fileprivate static func remove(_ name: String, in work: String) {
        let path = "\(work)/\(name)", lock = open(path + ".lock", O_RDWR | O_CLOEXEC)
        if lock < 0 { return }
        defer { close(lock) }
        if flock(lock, LOCK_EX | LOCK_NB) != 0 { return }
        for name in BatchFolder.names(in: path) { unlink("\(path)/\(name)") }
        if rmdir(path) == 0 || errno == ENOENT { unlink(path + ".lock") }
    }
}
