/// A SoundFont file opened for bounded reads: no length field inside it decides how much memory is taken.
///
/// Control side. The file stays open while the value lives.
package struct SoundFontBytes: ~Copyable {
    /// The file as the caller named it.
    package let path: String
    package let identity: FileIdentity
    /// Bytes of it; the file has more if it is a song's.
    package var size: Int { storage.size }
    /// True if the file is a song's, and the SoundFont a part of it.
    var isInSong: Bool { storage.isInSong }
    private let storage: SoundFontStorage

    /// Opens a regular file, or the program's own SoundFont. Throws `cannotOpen`, `notAFile`; of a song file `noBank`.
    package init(path: String) throws(SoundFontError) {
        storage = try SoundFontStorage(path: path)
        self.path = path
        identity = storage.identity
    }

    /// `count` bytes from `offset` on. Throws `truncated` when the file, or `end`, is nearer than that.
    package func read(_ chunk: String, at offset: Int, count: Int, before end: Int? = nil) throws(SoundFontError) -> [UInt8] {
        let limit = min(end ?? size, size)
        guard offset >= 0, count >= 0, offset <= limit, count <= limit - offset else {
            throw .truncated(
                path: path, chunk: chunk, offset: offset, needed: count, available: max(limit - offset, 0))
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let (done, code) = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { storage.read(offset..<offset + count, to: $0) } ?? (0, 0)
        }
        guard code == 0 else { throw .unreadable(path: path, offset: offset + done, code: code) }
        return bytes
    }

    /// Reads `range` to memory of the caller's. Throws `unreadable`, also if the file ends before.
    func read(_ range: Range<Int>, to memory: UnsafeMutableRawPointer) throws(SoundFontError) {
        let (done, code) = storage.read(range, to: memory)
        guard code == 0 else { throw .unreadable(path: path, offset: range.lowerBound + done, code: code) }
    }

    var ownBytes: UnsafeRawPointer? { storage.ownBytes }
    /// True if nothing was written to the file since it was opened.
    var isUnchanged: Bool { storage.isUnchanged }

    /// The chunk whose header is at `offset`, wholly before `end`.
    package func chunk(_ parent: String, at offset: Int, before end: Int) throws(SoundFontError) -> RIFFChunk {
        let header = try read(parent, at: offset, count: 8, before: end)
        let name = Array(header[0..<4])
        let size = Int(header[4]) | Int(header[5]) << 8 | Int(header[6]) << 16 | Int(header[7]) << 24
        guard size <= end - offset - 8 else {
            throw .truncated(
                path: path, chunk: RIFFChunk.text(name), offset: offset + 8, needed: size,
                available: end - offset - 8)
        }
        return RIFFChunk(name: name, start: offset + 8, size: size)
    }

    /// The LIST chunk of the given form at `offset`; its content begins after the form.
    package func list(_ form: String, at offset: Int, before end: Int) throws(SoundFontError) -> RIFFChunk {
        let chunk = try chunk("RIFF", at: offset, before: end)
        guard chunk.text == "LIST", chunk.size >= 4 else {
            throw .missingChunk(path: path, chunk: "LIST \(form)", offset: offset, found: chunk.text)
        }
        let found = try read("LIST", at: chunk.start, count: 4, before: end)
        guard RIFFChunk.text(found) == form else {
            throw .missingChunk(path: path, chunk: "LIST \(form)", offset: offset, found: RIFFChunk.text(found))
        }
        return RIFFChunk(name: found, start: chunk.start + 4, size: chunk.size - 4)
    }
}

/// A chunk of a RIFF file: four letters and the place of its content.
package struct RIFFChunk {
    /// Four bytes, any.
    package var name: [UInt8]
    /// Offset in the file of the first byte of content.
    package var start: Int
    /// Bytes of content, all inside the file.
    package var size: Int

    /// Offset after the content.
    package var end: Int { start + size }
    /// The name, with what is no letter shown as `?`.
    package var text: String { Self.text(name) }

    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}

/// Records of one size, one after the other, as in the nine chunks of a SoundFont's `pdta`. Little endian.
package struct RecordTable: Sendable {
    /// The chunk's name.
    package let chunk: String
    /// Offset of the first record in the file.
    package let start: Int
    /// Bytes of one record.
    package let recordSize: Int
    /// The number of records, the closing one included.
    package let count: Int
    private let bytes: [UInt8]

    package init(chunk: String, start: Int, recordSize: Int, bytes: [UInt8]) {
        (self.chunk, self.start, self.recordSize, self.bytes) = (chunk, start, recordSize, bytes)
        count = bytes.count / recordSize
    }

    /// The offset of record `record` in the file.
    package func offset(_ record: Int) -> Int { start + record * recordSize }

    /// The unsigned 16-bit number `field` bytes into record `record`.
    package func word(_ record: Int, _ field: Int) -> Int {
        let at = record * recordSize + field
        return Int(bytes[at]) | Int(bytes[at + 1]) << 8
    }

    /// The signed 16-bit number `field` bytes into record `record`.
    package func short(_ record: Int, _ field: Int) -> Int { Int(Int16(truncatingIfNeeded: word(record, field))) }

    /// The unsigned 32-bit number `field` bytes into record `record`.
    package func long(_ record: Int, _ field: Int) -> Int { word(record, field) | word(record, field + 2) << 16 }

    /// The byte `field` bytes into record `record`.
    package func byte(_ record: Int, _ field: Int) -> Int { Int(bytes[record * recordSize + field]) }

    /// The name in the first twenty bytes of record `record`: up to the first zero, other than printable ASCII as `?`.
    package func name(_ record: Int) -> String {
        let at = record * recordSize
        return RIFFChunk.text(Array(bytes[at..<at + 20].prefix { $0 != 0 }))
    }
}
