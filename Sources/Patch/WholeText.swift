import Glibc

/// A text on its way into an open file: what patches and journals are written through.
public enum WholeText {
    /// Writes all of `text`, however often the system has to be asked. Returns 0, or `errno` of the call that failed.
    public static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return errno }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}
