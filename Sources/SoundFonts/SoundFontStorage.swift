import CSoundFontData
import Glibc

/// The storage of a SoundFont's bytes: in an open file, in a part of an open song file, or in the program itself.
///
/// Control side.
package struct SoundFontStorage: ~Copyable {
    /// The name of Carillon's own SoundFont, which is a part of the program. A file of this name is `./embedded`.
    package static let embeddedName = "embedded"

    package let identity: FileIdentity
    /// The number of bytes: fewer than the file has, if that is a song's.
    package let size: Int
    /// True if the file is a song's (RMID); and where in it the SoundFont begins.
    package let isInSong: Bool
    private let start: Int
    /// The number of banks that a song wants its own moved up; 0 for a file of its own.
    let bankOffset: Int
    /// An open file's; nil for the program's own bytes.
    private let descriptor: Int32?

    /// Gives memory that was freed back to the system.
    static func giveBackMemory() { malloc_trim(0) }

    /// Opens a regular file, or the program's own SoundFont. Throws `cannotOpen`, `notAFile`; of a song file `noBank`, `value`.
    package init(path: String) throws(SoundFontError) {
        if path == Self.embeddedName {
            (descriptor, identity, size) = (nil, .embedded, FileIdentity.embedded.size)
            (isInSong, start, bankOffset) = (false, 0, 0)
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile(path: path)
        }
        let identity = FileIdentity(status), place: BankPlace?
        do throws(SoundFontError) {
            place = try BankPlace(path: path, size: identity.size) { (offset, count) throws(SoundFontError) in
                var bytes = [UInt8](repeating: 0, count: count)
                let (done, code) = bytes.withUnsafeMutableBytes { buffer in
                    buffer.baseAddress.map { Self.read(descriptor, offset..<offset + count, to: $0) } ?? (0, 0)
                }
                guard code == 0 else { throw .unreadable(path: path, offset: offset + done, code: code) }
                return bytes
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.identity = identity
        size = place?.bytes.count ?? identity.size
        (isInSong, start, bankOffset) = (place != nil, place?.bytes.lowerBound ?? 0, place?.bankOffset ?? 0)
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// The bytes of the program's own SoundFont.
    package static var embeddedBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: carillon_soundfont_bytes(), count: FileIdentity.embedded.size)
    }

    /// The first of the program's own bytes; nil for a file.
    package var ownBytes: UnsafeRawPointer? { descriptor == nil ? carillon_soundfont_bytes() : nil }

    /// True if nothing was written to the file since it was opened.
    package var isUnchanged: Bool {
        guard let descriptor else { return true }
        var status = stat()
        return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
    }

    /// Reads `range` to `buffer`. Returns how many bytes came, and the system's error code if that was not all; EIO at
    /// the file's end.
    package func read(_ range: Range<Int>, to buffer: UnsafeMutableRawPointer) -> (count: Int, code: Int32) {
        guard let descriptor else {
            guard range.lowerBound >= 0, range.upperBound <= identity.size else { return (0, EIO) }
            buffer.copyMemory(from: carillon_soundfont_bytes() + range.lowerBound, byteCount: range.count)
            return (range.count, 0)
        }
        guard range.lowerBound >= 0, range.upperBound <= size else { return (0, EIO) }
        return Self.read(descriptor, range.lowerBound + start..<range.upperBound + start, to: buffer)
    }

    private static func read(
        _ descriptor: Int32, _ range: Range<Int>, to buffer: UnsafeMutableRawPointer
    ) -> (count: Int, code: Int32) {
        var done = 0
        while done < range.count {
            let got = pread(descriptor, buffer + done, range.count - done, off_t(range.lowerBound + done))
            if got > 0 { done += got } else if got == 0 { return (done, EIO) } else if errno != EINTR { return (done, errno) }
        }
        return (done, 0)
    }
}

extension FileIdentity {
    /// The SoundFont that is a part of the program: it never changes.
    package static var embedded: FileIdentity { FileIdentity(embeddedSize: carillon_soundfont_size()) }
}
