/// A piece of encoded sound in memory, decoded to 16 bits: what SoundFonts of version 3 hold for each sample.
package enum EncodedSamples {
    /// Decodes mono sound of any kind that libsndfile knows, up to `limit` frames. Loud peaks are clipped.
    ///
    /// - Throws: `unreadable` with `path` for a value that is not sound, or damaged, or not mono.
    package static func decode(
        _ bytes: [UInt8], limit: Int, path: String
    ) throws(AudioFileError) -> [Int16] {
        let source = MemorySource(bytes)
        let opened = try SndFileCalls.open(memory: source, path: path)
        defer { _ = SndFileCalls.close(opened.file) }
        guard opened.channels == 1 else {
            throw .unreadable(path: path, message: "\(opened.channels) channels where one is wanted")
        }
        // Memory grows with the data that come, not with a header's number.
        var samples: [Int16] = []
        let part = UnsafeMutableBufferPointer<Int16>.allocate(capacity: min(max(limit, 1), 65_536))
        defer { part.deallocate() }
        while samples.count < limit, let base = part.baseAddress {
            let count = SndFileCalls.read(opened.file, base, frames: min(part.count, limit - samples.count))
            if count <= 0 { break }
            samples.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
        }
        if let message = SndFileCalls.message(opened.file) { throw .unreadable(path: path, message: message) }
        return samples
    }
}

final class MemorySource {
    private let bytes: [UInt8]
    private(set) var position: Int64 = 0
    var length: Int64 { Int64(bytes.count) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The position after a seek as in C: `origin` 0 start, 1 here, 2 end.
    func seek(to offset: Int64, origin: Int32) -> Int64 {
        let base = origin == 0 ? 0 : origin == 1 ? position : length
        position = min(max(base &+ offset, 0), length)
        return position
    }

    func read(_ to: UnsafeMutableRawPointer, _ count: Int64) -> Int64 {
        let part = min(max(count, 0), length - position)
        bytes.withUnsafeBytes { bytes in
            if part > 0, let base = bytes.baseAddress { to.copyMemory(from: base + Int(position), byteCount: Int(part)) }
        }
        position += part
        return part
    }
}
