/// A piece of encoded sound in memory, decoded to 16 bits: what SoundFonts of version 3 hold for each sample.
package enum EncodedSamples {
    /// Decodes mono sound of any kind that libsndfile knows, up to `limit` frames. Loud peaks are clipped.
    ///
    /// - Throws: `unreadable` with `path` for a value that is not sound, or damaged, or not mono.
    package static func decode(
        _ bytes: [UInt8], limit: Int, path: String
    ) throws(AudioFileError) -> [Int16] {
        let cursor = ByteCursor(FileBytes(bytes)), opened: SndFileCalls.Opened
        do { opened = try SndFileCalls.open(cursor) } catch { throw .unreadable(path: path, message: error.description) }
        defer { withExtendedLifetime(cursor) { _ = SndFileCalls.close(opened.file) } }
        SndFileCalls.clip(opened.file)
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
