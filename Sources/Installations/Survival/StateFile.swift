import Glibc
import Reports
import Synchronization

/// The store of an installation's state: a small text that is written every few seconds for months and outlives crashes and
/// power cuts.
///
/// A new state is written beside the old one, forced to the disk, and only then moved into its place: after any failure,
/// either the old or the new state is read, complete. Control side, any thread; writing waits for the disk, which may take
/// seconds.
public final class StateFile: Sendable {
    /// The folder of the installation's state; it is created if it is missing, but not the folders above it.
    public let folder: String
    /// The name of the file in it.
    public let name: String
    /// Bytes that a state may have.
    public static let limit = 1 << 20

    private let calls: FileCalls
    /// The descriptor of the lock, below zero for none; the holder of the mutex may write.
    private let lockDescriptor = Mutex<Int32>(-1)

    /// Creates a store in a folder; nothing is opened before it is needed.
    public convenience init(folder: String, name: String = "state") {
        self.init(folder: folder, name: name, calls: .system)
    }

    init(folder: String, name: String = "state", calls: FileCalls) {
        (self.folder, self.name, self.calls) = (folder, name, calls)
    }

    deinit {
        // The file of the lock stays: to take it away could take it from another process that has just locked it.
        lockDescriptor.withLock { if $0 >= 0 { _ = calls.close($0) } }
    }

    /// The path of the file.
    public var path: String { folder + "/" + name }

    /// Keeps a state in the place of the one before.
    ///
    /// - Throws: `tooLarge`, `cannotWrite`: the state before stays; `cannotForce`: the new one is in place, but not surely on
    ///   the disk.
    public func write(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.limit else { throw .stateTooLarge(path: path, limit: Self.limit) }
        let bytes = StateText.bytes(text)
        try lockDescriptor.withLock { (_) throws(Fault) in
            let folder: Int32
            do throws(FileFault) { folder = try openOrMakeFolder() } catch { throw .cannotWrite(error) }
            defer { _ = calls.close(folder) }
            do throws(FileFault) { try replace(with: bytes, in: folder) } catch { throw .cannotWrite(error) }
            do throws(FileFault) { try calls.force(folder: folder, path: self.folder) } catch { throw .cannotForce(error) }
        }
    }

    /// Returns the state that was kept last; nil if there is none.
    ///
    /// - Throws: `damaged`, `cannotRead`.
    public func read() throws(Fault) -> String? {
        let limit = Self.limit + StateText.longestLine
        let bytes: [UInt8]
        do throws(FileFault) {
            try checkNames()
            let folder = Int32(try calls.checked("open", self.folder) { calls.openFolder(self.folder) })
            defer { _ = calls.close(folder) }
            let file = Int32(try calls.checked("open", path) { calls.open(folder, name, O_RDONLY) })
            defer { _ = calls.close(file) }
            bytes = try calls.readAll(file, limit: limit + 1, path: path)
        } catch {
            if error.call == "open", error.code == ENOENT { return nil }
            throw .cannotRead(error)
        }
        guard bytes.count <= limit else { throw .damaged(path: path, .longState) }
        do throws(Fault) { return try StateText.text(bytes) } catch { throw .damaged(path: path, error) }
    }

    /// Keeps other processes from this state until the store is gone or the process ends in any way.
    ///
    /// - Throws: `inUse`, `cannotLock`.
    public func lock() throws(Fault) {
        try lockDescriptor.withLock { (held) throws(Fault) in
            if held >= 0 { return }
            let path = self.path + ".lock"
            do throws(FileFault) {
                let folder = try openOrMakeFolder()
                defer { _ = calls.close(folder) }
                let file = Int32(try calls.checked("open", path) { calls.open(folder, name + ".lock", O_RDWR | O_CREAT) })
                do throws(FileFault) { try calls.checked("flock", path) { calls.lock(file) } } catch {
                    _ = calls.close(file)
                    throw error
                }
                held = file
            } catch {
                throw error.code == EWOULDBLOCK && error.call == "flock" ? .stateInUse(path: path) : .cannotLock(error)
            }
        }
    }

    private func replace(with bytes: [UInt8], in folder: Int32) throws(FileFault) {
        let newName = name + ".new", newPath = path + ".new"
        let file = Int32(try calls.checked("open", newPath) { calls.open(folder, newName, O_WRONLY | O_CREAT | O_TRUNC) })
        do throws(FileFault) {
            do throws(FileFault) {
                try calls.writeAll(bytes, to: file, path: newPath)
                try calls.checked("fsync", newPath) { calls.fsync(file) }
            } catch {
                _ = calls.close(file)
                throw error
            }
            try calls.closeWritten(file, path: newPath)
            try calls.checked("rename", newPath) { calls.rename(folder, newName, name) }
        } catch {
            _ = calls.unlink(folder, newName)
            throw error
        }
    }

    /// Opened every time: a disk that was taken out and put back is found again.
    private func openOrMakeFolder() throws(FileFault) -> Int32 {
        try checkNames()
        do throws(FileFault) {
            return Int32(try calls.checked("open", folder) { calls.openFolder(folder) })
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        do throws(FileFault) { try calls.checked("mkdir", folder) { calls.makeFolder(folder) } } catch {
            guard error.code == EEXIST else { throw error }
        }
        // The folder itself is to outlive a power cut; its name is in the one above.
        let above = folder + "/.."
        let parent = Int32(try calls.checked("open", above) { calls.openFolder(above) })
        defer { _ = calls.close(parent) }
        try calls.force(folder: parent, path: above)
        return Int32(try calls.checked("open", folder) { calls.openFolder(folder) })
    }

    /// Refuses names that are not of one file: a zero byte would end a path early and lead to another.
    private func checkNames() throws(FileFault) {
        let isName = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
        guard isName, !name.utf8.contains(0), !folder.isEmpty, !folder.utf8.contains(0) else {
            throw FileFault(call: "open", path: path, code: EINVAL)
        }
    }
}
