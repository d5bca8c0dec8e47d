import Glibc

/// Reads song files: Standard MIDI Files of formats 0, 1 and 2, alone or wrapped in RIFF (RMID).
///
/// Bytes are parsed, checked and repaired here first, each repair with its place; libsmf then takes the tracks' events and
/// tempos from canonical images of what remains, so that no byte of a file can reach it unchecked (`SMFCalls`).
/// Memory follows the bytes that are there, never a length that they claim (`SongLimits`). Control side, any thread.
public enum SongReader {
    /// Reads a file. `strict` refuses it at the first fault instead of repairing it.
    ///
    /// - Parameter textEncoding: the encoding of texts that do not name theirs; nil: UTF-8 if they are that, else Latin-1.
    /// - Throws: `SongError`; its first cases are the reasons why the file could not be opened or read.
    public static func read(
        path: String, strict: Bool = false, textEncoding: TextEncoding? = nil,
        limits: SongLimits = SongLimits()
    ) throws(SongError) -> SongFile {
        let (bytes, fileSize) = try fileBytes(path, limit: limits.bytes)
        var file = try read(
            bytes: bytes, name: path == "/dev/stdin" ? "standard input" : path, strict: strict, textEncoding: textEncoding,
            limits: limits)
        file.byteCount = fileSize
        return file
    }

    /// Reads a song from memory.
    ///
    /// - Parameter name: what errors call it.
    public static func read(
        bytes: [UInt8], name: String, strict: Bool = false, textEncoding: TextEncoding? = nil,
        limits: SongLimits = SongLimits()
    ) throws(SongError) -> SongFile {
        guard bytes.count <= limits.bytes else {
            throw .tooLong(name: name, bytes: bytes.count, limit: limits.bytes)
        }
        var parser = ScoreParser(bytes, name: name, isStrict: strict, limits: limits)
        var file = try parser.read()
        SongTextDecoder(encoding: textEncoding).decode(&file.song)
        return file
    }

    /// The song's bytes, and how many the file has: of an RMID beyond the limit up to the song's end: a SoundFont may follow.
    private static func fileBytes(_ path: String, limit: Int) throws(SongError) -> ([UInt8], fileSize: Int) {
        // Not blocking: a named pipe without a writer must not hang the opening.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = errno
            throw reason == ENOENT || reason == ENOTDIR
                ? .notFound(path: path) : .unreadable(path: path, reason: reason)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory(path: path) }
        if Int(status.st_size) > limit {
            if let end = endOfSong(descriptor), end <= limit {
                var bytes = [UInt8](repeating: 0, count: end)
                if bytes.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, end, 0) }) == end {
                    return (bytes, Int(status.st_size))
                }
            }
            throw .tooLong(name: path, bytes: Int(status.st_size), limit: limit)
        }
        if status.st_mode & S_IFMT == S_IFIFO, !hasWriter(descriptor) {
            throw .noWriter(path: path)
        }
        // From here on a pipe may be waited for.
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) }
        let bytes = try allBytes(of: descriptor, path: path, expected: Int(status.st_size), limit: limit)
        return (bytes, bytes.count)
    }

    /// Returns where the song of an RMID ends in the file; nil for another file, and if the song is not among the first chunks.
    private static func endOfSong(_ descriptor: Int32) -> Int? {
        func word(_ at: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 4)
            return pread(descriptor, &bytes, 4, off_t(at)) == 4 ? bytes : nil
        }
        guard word(0) == Array("RIFF".utf8), word(8) == Array("RMID".utf8) else { return nil }
        var at = 12
        for _ in 0..<64 {
            guard let name = word(at), let size = word(at + 4) else { return nil }
            let length = (0..<4).reduce(0) { $0 | Int(size[$1]) << (8 * $1) }
            if name == Array("data".utf8) { return at + 8 + length }
            at += 8 + length + length % 2
        }
        return nil
    }

    /// Returns true if a pipe is opened for writing within five seconds: until then it would look empty.
    private static func hasWriter(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, 5000) != 0 { return true }
        var byte: UInt8 = 0
        // Nothing to read, but a writer: "try again". No writer: the end.
        return Glibc.read(descriptor, &byte, 1) < 0
    }

    private static func allBytes(
        of descriptor: Int32, path: String, expected: Int,
        limit: Int
    ) throws(SongError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(expected, limit) + 1)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, reason: errno) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else {
                throw .tooLong(name: path, bytes: bytes.count, limit: limit)
            }
        }
    }
}
