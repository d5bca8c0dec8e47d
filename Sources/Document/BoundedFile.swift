import Glibc

/// A file of text, read as a whole and never more of it than a limit: what patches and journals are read through.
package enum BoundedFile {
    /// The reason why there is no text.
    package enum Fault: Error, Hashable, Sendable {
        /// `errno` of the call that failed.
        case cannotRead(code: Int32)
        /// Longer than the limit.
        case tooLarge
    }

    /// The text of the file at `path`, which is at most `limit` bytes long.
    package static func text(path: String, limit: Int) throws(Fault) -> String {
        String(decoding: try bytes(path: path, limit: limit), as: UTF8.self)
    }

    /// The bytes of the file at `path`, at most `limit`.
    package static func bytes(path: String, limit: Int) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .cannotRead(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &room, room.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw .cannotRead(code: errno) }
            if count == 0 { break }
            bytes += room[..<count]
            if bytes.count > limit { throw .tooLarge }
        }
        return bytes
    }
}
