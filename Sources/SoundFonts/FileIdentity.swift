import Glibc

/// The identity of a file in its present state: another one in its place, or a write to it, is another identity.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int
    package let seconds: Int
    package let nanoseconds: Int
    /// The time of the last change of the file or its times, which cannot be set back. Nanoseconds.
    package let change: Int

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        change = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }

    /// Size and time of the last write, which stay when the machine starts again: device numbers may not.
    package var stamp: String { "\(size) \(seconds).\(nanoseconds)" }

    /// Creates the identity of embedded bytes, which are not a file and cannot be written to, from their number.
    package init(embeddedSize: Int) { (device, inode, size, seconds, nanoseconds, change) = (0, 0, embeddedSize, 0, 0, 0) }

    /// The identity of what `path` names now; nil for nothing.
    package init?(path: String) {
        if path == SoundFontStorage.embeddedName {
            self = .embedded
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
