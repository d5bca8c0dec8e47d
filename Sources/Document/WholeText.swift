import Glibc

/// A text on its way into an open file: what patches and journals are written through.
package enum WholeText {
    /// Writes all of `text`, in as many calls as the system needs. Returns 0, or `errno` of the call that failed.
    package static func write(_ text: String, to descriptor: Int32) -> Int32 { write(Array(text.utf8), to: descriptor) }

    /// Writes all of `bytes`, as `write` does a text.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return errno }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }

    /// Writes a file whole or not at all: under another name first. Returns 0, or `errno` of the call that failed.
    package static func write(_ text: String, toFile path: String) -> Int32 {
        let unfinished = "\(path).\(getpid()).unfinished"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { return errno }
        var code = write(text, to: descriptor)
        if code == 0, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(unfinished, path) != 0 { code = errno }
        if code != 0 { unlink(unfinished) }
        return code
    }
}
