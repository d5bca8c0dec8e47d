import Glibc

/// The calls of the system that a state file makes, so that a test can put a bad disk in their place.
///
/// Each answers as the kernel does: a result, or `errno` below zero.
struct FileCalls: Sendable {
    var openFolder: @Sendable (_ path: String) -> Int
    /// This user's alone.
    var makeFolder: @Sendable (_ path: String) -> Int
    /// Opens a name of a folder; a file that is created is this user's alone.
    var open: @Sendable (_ folder: Int32, _ name: String, _ flags: Int32) -> Int
    var read: @Sendable (_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int
    /// A write that is made twice does no harm.
    var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int
    var fsync: @Sendable (_ descriptor: Int32) -> Int
    var close: @Sendable (_ descriptor: Int32) -> Int
    var rename: @Sendable (_ folder: Int32, _ name: String, _ other: String) -> Int
    var unlink: @Sendable (_ folder: Int32, _ name: String) -> Int
    /// Takes a lock, or answers EWOULDBLOCK at once.
    var lock: @Sendable (_ descriptor: Int32) -> Int

    static let system = FileCalls(
        openFolder: { path in answer(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) },
        makeFolder: { path in answer(mkdir(path, 0o700)) },
        // A pipe that has taken the name must not block, and a link must lead nowhere.
        open: { folder, name, flags in
            answer(openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600))
        },
        read: { descriptor, bytes in answer(Glibc.read(descriptor, bytes.baseAddress, bytes.count)) },
        write: { descriptor, bytes, place in answer(pwrite(descriptor, bytes.baseAddress, bytes.count, place)) },
        fsync: { descriptor in answer(Glibc.fsync(descriptor)) },
        close: { descriptor in answer(Glibc.close(descriptor)) },
        rename: { folder, name, other in answer(renameat(folder, name, folder, other)) },
        unlink: { folder, name in answer(unlinkat(folder, name, 0)) },
        lock: { descriptor in answer(flock(descriptor, LOCK_EX | LOCK_NB)) })

    private static func answer(_ result: some BinaryInteger) -> Int { result < 0 ? -Int(errno) : Int(result) }
}

extension FileCalls {
    /// Repeats a call that a signal interrupted, a limited number of times: a call that is always interrupted fails.
    @discardableResult
    func checked(_ call: String, _ path: String, _ body: () -> Int) throws(FileFault) -> Int {
        var result = body(), tries = 1
        while result == Int(-EINTR), tries < 100 {
            result = body()
            tries += 1
        }
        if result < 0 { throw FileFault(call: call, path: path, code: Int32(-result)) }
        return result
    }

    /// Writes all bytes, even if the system takes only a few at a time.
    func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileFault) {
        var start = 0
        while start < bytes.count {
            let count = try checked("write", path) {
                bytes.withUnsafeBytes { write(descriptor, .init(rebasing: $0[start...]), start) }
            }
            // A system that takes nothing and gives no reason would be called for ever.
            if count == 0 { throw FileFault(call: "write", path: path, code: EIO) }
            start += count
        }
    }

    func readAll(_ descriptor: Int32, limit: Int, path: String) throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count < limit {
            let room = min(part.count, limit - bytes.count)
            let count = try checked("read", path) {
                part.withUnsafeMutableBytes { read(descriptor, .init(rebasing: $0[..<room])) }
            }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return bytes
    }

    /// Linux closes the descriptor even if it returns an error, so it is never closed twice.
    func closeWritten(_ descriptor: Int32, path: String) throws(FileFault) {
        let result = close(descriptor)
        if result < 0, result != Int(-EINTR) { throw FileFault(call: "close", path: path, code: Int32(-result)) }
    }

    /// Forces the names in a folder to the disk.
    func force(folder: Int32, path: String) throws(FileFault) {
        do throws(FileFault) { try checked("fsync", path) { fsync(folder) } } catch {
            // File systems without it for folders report that.
            if error.code != EINVAL { throw error }
        }
    }
}
