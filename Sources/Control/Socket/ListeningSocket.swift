import Glibc
import Reports

/// A socket that listens at a path, for this user or also for the process's group. Closing it removes its file.
struct ListeningSocket {
    let descriptor: Int32
    let path: SocketPath
    private let device: dev_t
    private let node: ino_t

    /// Listens at `path`. A file that a dead process has left there is replaced.
    ///
    /// The socket is made under another name, listens, and only then gets its own name: so no process can find a socket at the
    /// path that does not listen yet and take it for a dead one, or one that others may open.
    /// `mode` is the rights of its file.
    init(_ path: SocketPath, mode: mode_t = 0o600) throws(Fault) {
        func fault(_ call: String, _ code: Int32 = errno) -> Fault {
            .cannotListen(call: call, path: path.text, code: code)
        }
        let descriptor = SocketPath.makeSocket()
        if descriptor < 0 { throw fault("socket") }
        let hidden = "\(path.folder)/.carillon-\(getpid())-\(descriptor)"
        guard let temporary = SocketPath(hidden) else {
            close(descriptor)
            throw .path(path.text, limit: SocketPath.limit - (hidden.utf8.count - path.text.utf8.count))
        }
        self.descriptor = descriptor
        self.path = path
        unlink(hidden)
        var info = stat()
        do throws(Fault) {
            if temporary.withPointer({ bind(descriptor, $0, $1) }) != 0 { throw fault("bind") }
            if chmod(hidden, mode) != 0 { throw fault("chmod") }
            if listen(descriptor, 16) != 0 { throw fault("listen") }
            if lstat(hidden, &info) != 0 { throw fault("lstat") }
            if link(hidden, path.text) != 0 {
                if errno != EEXIST { throw fault("link") }
                try Self.replace(path, by: hidden)
            }
        } catch {
            unlink(hidden)
            close(descriptor)
            throw error
        }
        unlink(hidden)
        (device, node) = (info.st_dev, info.st_ino)
    }

    /// Takes the place of a dead process's socket; of two that find it, one does.
    private static func replace(_ path: SocketPath, by hidden: String) throws(Fault) {
        let folder = open(path.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        if folder >= 0 { flock(folder, LOCK_EX) }
        switch path.finding {
        case .inUse: throw .inUse(path: path.text)
        case .notASocket: throw .notASocket(path: path.text)
        case .free, .stale: break
        }
        if rename(hidden, path.text) != 0 { throw .cannotListen(call: "rename", path: path.text, code: errno) }
    }

    /// Closes the socket and removes its file, unless another process has replaced the file since.
    func end() {
        var info = stat()
        if lstat(path.text, &info) == 0, info.st_dev == device, info.st_ino == node { unlink(path.text) }
        close(descriptor)
    }
}
