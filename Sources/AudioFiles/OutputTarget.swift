import Glibc

/// The name of an output, and the file until the output is finished.
///
/// A file is written beside the target, without any name if the file system can do that (O_TMPFILE), else as
/// `.NAME.partial-...`, and renamed over the target at the end, so that half a file is never seen under the target's name,
/// and an existing file survives a failed run. It is not forced to the disk: that can cost more than the rendering, and it
/// protects against power cuts only. A device, a pipe or standard output is written to directly.
///
/// A recording is different: it cannot be rendered again. It has its own name from the beginning, so that a crash leaves it
/// where it is looked for, and it never replaces another file.
final class OutputTarget {
    let path: String
    let descriptor: Int32
    private let kind: Kind
    private let replaces: Bool
    private var isOpen = true
    /// True if the finished file took the place of another; known after `commit`.
    private(set) var hasReplaced = false

    private enum Kind {
        case standardOutput
        case direct
        /// A file that has its own name from the beginning.
        case recording
        /// `partial` is its name until then, nil for none; `destination` is the target with symbolic links resolved.
        case file(partial: String?, destination: String)
    }

    /// The unfinished file's name while it has one; nil for what is written to directly.
    var unfinishedPath: String? {
        if case .file(let partial, _) = kind, isOpen { partial } else { nil }
    }

    var isFile: Bool { if case .file = kind { true } else { false } }

    var isRecording: Bool { if case .recording = kind { true } else { false } }

    /// Returns true if `path` leads to something that is written to directly, such as a device or a named pipe.
    static func isStream(path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// A recording (`isRecording`) has its own name from the beginning, which must be free.
    ///
    /// - Throws: `isDirectory`, `cannotCreate`, `exists`, `noReader`.
    init(path: String, isRecording: Bool = false, replaces: Bool = true) throws(AudioFileError) {
        self.path = path
        self.replaces = replaces
        if path == "-" {
            kind = .standardOutput
            descriptor = STDOUT_FILENO
            return
        }
        guard !path.isEmpty else { throw .cannotCreate(path: path, SystemFault(code: ENOENT)) }
        guard !path.utf8.contains(0) else { throw .cannotCreate(path: path, SystemFault(code: EINVAL)) }
        var status = stat()
        var mode: mode_t = 0o666
        var destination = path
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFDIR: throw .isDirectory(path: path)
            case S_IFREG where isRecording || !replaces: throw .exists(path: path)
            case S_IFREG:
                // Renaming would replace even a file that its owner has protected.
                guard access(path, W_OK) == 0 else { throw .cannotCreate(path: path, .last) }
                mode = status.st_mode & 0o777
                if let resolved = realpath(path, nil) {
                    destination = String(cString: resolved)
                    free(resolved)
                }
            default:
                // Live sound does not wait for a reader.
                descriptor = open(path, O_WRONLY | O_CLOEXEC | (isRecording ? O_NONBLOCK : 0))
                guard descriptor >= 0 else {
                    throw errno == ENXIO ? .noReader(path: path) : .cannotCreate(path: path, .last)
                }
                if isRecording { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
                kind = .direct
                return
            }
        } else if errno != ENOENT {
            throw .cannotCreate(path: path, .last)
        } else if path.utf8.last == UInt8(ascii: "/") {
            throw .isDirectory(path: path)
        }
        if isRecording {
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else {
                throw errno == EEXIST ? .exists(path: path) : .cannotCreate(path: path, .last)
            }
            kind = .recording
        } else if let descriptor = Self.createNameless(beside: destination) {
            self.descriptor = descriptor
            kind = .file(partial: nil, destination: destination)
        } else {
            let file = try Self.createPartial(beside: destination, path: path)
            descriptor = file.descriptor
            kind = .file(partial: file.name, destination: destination)
        }
        if mode != 0o666 { _ = fchmod(descriptor, mode) }
    }

    deinit {
        remove()
    }

    /// Throws `writeFailed` if the system finds only now that the bytes cannot be stored, `cannotReplace`, `exists` if another
    /// file has taken the name meanwhile and must not be replaced.
    func commit() throws(AudioFileError) {
        guard isOpen else { return }
        isOpen = false
        switch kind {
        case .standardOutput: return
        case .direct:
            guard close(descriptor) == 0 else { throw .writeFailed(path: path, .last) }
        case .recording:
            guard close(descriptor) == 0 else {
                throw .cutShort(path: path, reason: SystemFault.last.description, frames: nil)
            }
        case .file(let name, let destination):
            // A signal between its first name and its last would leave the first.
            var all = sigset_t(), before = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            let partial: String
            if let name {
                partial = name
            } else {
                do throws(AudioFileError) {
                    partial = try Self.nameFile(descriptor, beside: destination, path: path)
                } catch {
                    close(descriptor)
                    throw error
                }
            }
            guard close(descriptor) == 0 else {
                let fault = SystemFault.last
                unlink(partial)
                throw .writeFailed(path: path, fault)
            }
            if !replaces, Glibc.link(partial, destination) == 0 {
                unlink(partial)
                return
            }
            hasReplaced = access(destination, F_OK) == 0
            if hasReplaced && !replaces {
                unlink(partial)
                throw .exists(path: path)
            }
            // Also if a file system has no second names.
            guard rename(partial, destination) == 0 else {
                let fault = SystemFault.last
                unlink(partial)
                throw .cannotReplace(path: path, fault)
            }
        }
    }

    func remove() {
        guard isOpen else { return }
        isOpen = false
        switch kind {
        case .standardOutput: break
        case .direct: close(descriptor)
        case .recording:
            close(descriptor)
            unlink(path)
        case .file(let partial, _):
            close(descriptor)
            if let partial { unlink(partial) }
        }
    }

    /// Opens a file that has no name; -1 if the file system has none such.
    static func openNameless(in folder: String, _ access: Int32, _ mode: mode_t) -> Int32 {
        // O_TMPFILE: a macro that Swift does not see.
        open(folder, 0o20_000_000 | O_DIRECTORY | access | O_CLOEXEC, mode)
    }

    /// A file that no name leads to; nil if the system has no such thing, or no way to name it later.
    private static func createNameless(beside destination: String) -> Int32? {
        let folder = split(destination).folder
        let descriptor = openNameless(in: folder.isEmpty ? "." : folder, O_WRONLY, 0o666)
        guard descriptor >= 0 else { return nil }
        guard access(link(descriptor), F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func link(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private static func nameFile(
        _ descriptor: Int32, beside destination: String, path: String
    ) throws(AudioFileError) -> String {
        for name in names(beside: destination) {
            if linkat(AT_FDCWD, link(descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 { return name }
            guard errno == EEXIST else { throw .cannotReplace(path: path, .last) }
        }
        throw .cannotReplace(path: path, SystemFault(code: EEXIST))
    }

    private static func createPartial(
        beside destination: String, path: String
    ) throws(AudioFileError) -> (name: String, descriptor: Int32) {
        for name in names(beside: destination) {
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (name, descriptor) }
            guard errno == EEXIST else { throw .cannotCreate(path: path, .last) }
        }
        throw .cannotCreate(path: path, SystemFault(code: EEXIST))
    }

    private static func names(beside destination: String) -> some Sequence<String> {
        let (folder, stem) = split(destination)
        return (0..<1000).lazy.map { "\(folder).\(stem).partial-\(String(getpid(), radix: 36))-\($0)" }
    }

    /// The folder with its slash, and the rest, as far as a name may be that long: 255 bytes.
    private static func split(_ destination: String) -> (folder: String, stem: String) {
        let bytes = Array(destination.utf8)
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return (
            String(decoding: bytes[..<start], as: UTF8.self), String(decoding: bytes[start...].prefix(200), as: UTF8.self)
        )
    }
}
