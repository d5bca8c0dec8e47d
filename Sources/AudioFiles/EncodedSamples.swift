/// A piece of encoded mono sound in memory or in a file, read as 16 bits: what SoundFonts of version 3 hold for each sample. Loud peaks are
/// clipped.
///
/// Control side, one thread at a time.
package final class EncodedSamples {
    private let file: SndFileCalls.File
    private let cursor: ByteCursor
    private let path: String
    private let needsRunUp: Bool

    /// Opens bytes of any kind that libsndfile knows.
    ///
    /// - Throws: `unreadable` with `path` for a value that is not sound, or not mono.
    package convenience init(_ bytes: [UInt8], path: String) throws(AudioFileError) {
        try self.init(FileBytes(bytes), path: path)
    }

    /// The same for bytes that are read when they are decoded.
    package init(_ bytes: FileBytes, path: String) throws(AudioFileError) {
        let cursor = ByteCursor(bytes), opened: SndFileCalls.Opened
        do { opened = try SndFileCalls.open(cursor) } catch { throw .unreadable(path: path, message: error.description) }
        (file, self.cursor, self.path) = (opened.file, cursor, path)
        needsRunUp = SndFileCalls.needsRunUp(opened.file)
        SndFileCalls.clip(file)
        guard opened.channels == 1 else {
            throw .unreadable(path: path, message: "\(opened.channels) channels where one is wanted")
        }
    }

    deinit { withExtendedLifetime(cursor) { _ = SndFileCalls.close(file) } }

    /// Reads the next frames. Returns how many came; 0 at the end.
    ///
    /// - Throws: `unreadable` if the rest is damaged.
    package func read(_ memory: UnsafeMutablePointer<Int16>, _ count: Int) throws(AudioFileError) -> Int {
        var done = 0
        while done < count {
            let part = SndFileCalls.read(file, memory + done, frames: count - done)
            if part <= 0 { break }
            done += part
        }
        if done < count, let message = SndFileCalls.message(file) { throw .unreadable(path: path, message: message) }
        return done
    }

    /// Makes `frame` the next that is read: the same frames come from there on as when the sound is read from its beginning.
    ///
    /// - Throws: `unreadable` if there is no such frame.
    package func seek(to frame: Int) throws(AudioFileError) {
        let start = needsRunUp ? max(frame - Int(AudioFileReader.runUp), 0) : frame
        if let message = SndFileCalls.seek(file, to: Int64(start)) { throw .unreadable(path: path, message: message) }
        if start == frame { return }
        let skipped = UnsafeMutablePointer<Int16>.allocate(capacity: frame - start)
        defer { skipped.deallocate() }
        guard try read(skipped, frame - start) == frame - start else {
            throw .unreadable(path: path, message: "frame \(frame) cannot be reached")
        }
    }

    /// Returns true if `frame` can be read: a damaged stream has fewer than it says. The next frame is any one then.
    package func has(_ frame: Int) -> Bool {
        var value: Int16 = 0
        do throws(AudioFileError) {
            try seek(to: frame)
            return try read(&value, 1) == 1
        } catch { return false }
    }

    /// Reads on to the end, or until there are `limit` frames. Returns how many there were.
    ///
    /// - Throws: `unreadable` if the rest is damaged.
    package func countRest(upTo limit: Int) throws(AudioFileError) -> Int {
        let part = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 65_536)
        defer { part.deallocate() }
        var done = 0
        while done < limit, let base = part.baseAddress {
            let count = try read(base, min(part.count, limit - done))
            if count == 0 { break }
            done += count
        }
        return done
    }
}
