import AudioFiles
import Carillon
import Glibc

/// The place in which one process of a batch makes a job's files, before they go where they belong: all of them, the row last.
package final class BatchStage: Sendable {
    package let path: String
    private let folder: BatchFolder
    /// The lock that is held as long as the process lives.
    private let lock: Int32

    /// The name of this process among those of all machines.
    static var ownName: String { name(process: getpid()) }

    package static func name(process: pid_t) -> String {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, 255)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(name.split(separator: "/").joined(separator: "_"))-\(process)"
    }

    /// - Parameter number: that of the worker in this process, from 0.
    package init(in folder: BatchFolder, number: Int = 0) throws(Fault) {
        self.folder = folder
        path = "\(folder.work)/\(Self.ownName)" + (number > 0 ? ".\(number)" : "")
        // The lock is made first: a folder without a lock would have no owner.
        lock = BatchFolder.create(path + ".lock", in: folder.work, O_RDWR)
        if lock < 0 { throw Fault("\(path).lock: cannot be made (\(SystemFault(code: errno)))", .cannotCreate) }
        // On a file system without locks, no other process can take them either.
        _ = flock(lock, LOCK_EX | LOCK_NB)
        if mkdir(path, 0o777) != 0, errno != EEXIST {
            throw Fault("\(path): cannot be made (\(SystemFault(code: errno)))", .cannotCreate)
        }
        clear()
    }

    func clear() { for name in BatchFolder.names(in: path) { unlink("\(path)/\(name)") } }

    /// Puts the files where they belong, and then `row`. Returns the bytes of all of them.
    func publish(_ key: String, row: String) throws(Fault) -> Int64 {
        let shelf = "\(folder.path)/\(BatchFolder.shelf(key))"
        if mkdir(shelf, 0o777) != 0, errno != EEXIST { throw Self.fault(shelf) }
        let mark = "\(key).json", draft = "\(path)/\(mark)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        let code = BatchFolder.write(Array(row.utf8), to: descriptor)
        if code != 0 { throw Self.fault(draft, code) }
        var bytes = Int64(row.utf8.count)
        for name in BatchFolder.names(in: path) where name != mark {
            bytes += Int64(FileIdentity(path: "\(path)/\(name)")?.size ?? 0)
            if rename("\(path)/\(name)", "\(shelf)/\(name)") != 0 { throw Self.fault("\(shelf)/\(name)") }
        }
        if rename(draft, "\(shelf)/\(mark)") != 0 { throw Self.fault("\(shelf)/\(mark)") }
        return bytes
    }

    private static func fault(_ path: String, _ code: Int32 = errno) -> Fault {
        Fault("\(path): cannot be written (\(SystemFault(code: code)))", .io)
    }

    package func end() {
        clear()
        rmdir(path)
        unlink(path + ".lock")
        close(lock)
    }

    /// Removes the stage of a process that has ended.
    static func remove(_ name: String, in work: String) {
        let path = "\(work)/\(name)", lock = open(path + ".lock", O_RDWR | O_CLOEXEC)
        if lock < 0 { return }
        defer { close(lock) }
        if flock(lock, LOCK_EX | LOCK_NB) != 0 { return }
        for name in BatchFolder.names(in: path) { unlink("\(path)/\(name)") }
        if rmdir(path) == 0 || errno == ENOENT { unlink(path + ".lock") }
    }
}
