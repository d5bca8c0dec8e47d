import CGLib
import Document
import Glibc
import SoundFonts

/// SHA-256 of bytes, as 64 lower-case hexadecimal digits: contents that have the same are the same. Through GLib.
///
/// One thread at a time.
package final class ContentHash {
    private let sum: OpaquePointer

    /// The hash of nothing, so far.
    package init() {
        guard let sum = g_checksum_new(G_CHECKSUM_SHA256) else { fatalError("GLib has no SHA-256") }
        self.sum = sum
    }

    deinit { g_checksum_free(sum) }

    /// Takes the next bytes.
    package func add(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        g_checksum_update(sum, start, gssize(bytes.count))
    }

    /// Takes the UTF-8 of a text.
    package func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The digits. Nothing can be added after them.
    package func digits() -> String { String(cString: g_checksum_get_string(sum)) }

    /// The hash of a text's UTF-8.
    package static func of(_ text: String) -> String {
        let hash = ContentHash()
        hash.add(text)
        return hash.digits()
    }

    /// The hash of bytes in memory.
    package static func of(_ bytes: [UInt8]) -> String {
        let hash = ContentHash()
        bytes.withUnsafeBytes { hash.add($0) }
        return hash.digits()
    }

    /// The hash of a file, however long, or of Carillon's own SoundFont where it is called `embedded`.
    ///
    /// - Throws: `cannotRead`.
    package static func ofFile(_ path: String) throws(BoundedFile.Fault) -> String {
        let hash = ContentHash()
        if path == SoundFontLocator.embeddedName {
            hash.add(SoundFontStorage.embeddedBytes)
            return hash.digits()
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw .cannotRead(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotRead(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .cannotRead(code: EINVAL) }
        var room = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .cannotRead(code: errno) }
            if count == 0 { return hash.digits() }
            room.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
