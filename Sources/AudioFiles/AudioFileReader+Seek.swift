extension AudioFileReader {
    /// True if the file can be read from any frame on; a pipe and some encodings cannot.
    public var isSeekable: Bool { SndFileCalls.isSeekable(file) }

    /// The form of its samples; nil if the container is none that `AudioFileFormat` knows.
    package var coding: SoundForm.Coding? { SndFileCalls.form(file)?.coding }

    /// True if `seek` leads to exactly the frames that come when all is read: not so for MP3 and for what carries its decoder's
    /// state from one packet to the next.
    package var isExactlySeekable: Bool {
        switch coding {
        case .int8, .uint8, .int16, .int24, .int32, .float32, .float64, .muLaw, .aLaw, .vorbis: isSeekable
        default: false
        }
    }

    /// The frames that a lossy decoder gets before the wanted ones, on which its output depends: libsndfile begins as if there
    /// had been none. Vorbis needs a block, of up to 8192 frames, MP3 some granules of its reservoir.
    static let runUp: Int64 = 8192

    /// Makes `frame` the next that is read, counted from 0: the same frames come from there on as when the file is read
    /// from its beginning, in every format (of MP3 within 1e-6).
    ///
    /// - Throws: `unreadable` if there is no such frame, or the file cannot be read out of order.
    public func seek(to frame: Int64) throws(AudioFileError) {
        // libsndfile would take some of them for others.
        guard (0...max(frames, 0)).contains(frame) else {
            throw .unreadable(path: path, message: "there is no frame \(frame)")
        }
        let start = SndFileCalls.needsRunUp(file) ? max(frame - Self.runUp, 0) : frame
        if let message = SndFileCalls.seek(file, to: start) { throw .unreadable(path: path, message: message) }
        if start == frame { return }
        var left = Int(frame - start)
        while left > 0 {
            let count = skip(left)
            if count == 0 {
                throw .unreadable(path: path, message: SndFileCalls.message(file) ?? "frame \(frame) cannot be reached")
            }
            left -= count
        }
    }

    /// Returns true if `frame` can be read: a damaged file has fewer than it says. The next frame is any one then.
    package func has(_ frame: Int64) -> Bool {
        do throws(AudioFileError) { try seek(to: frame) } catch { return false }
        return skip(1) == 1
    }

    /// Reads on to the end, or until there are `limit` frames. Returns how many there were.
    ///
    /// - Throws: `unreadable` if the rest is damaged.
    package func countRest(upTo limit: Int) throws(AudioFileError) -> Int {
        var done = 0
        while done < limit {
            let count = skip(limit - done)
            if count <= 0 { break }
            done += count
        }
        if done < limit, let message = SndFileCalls.message(file) { throw .unreadable(path: path, message: message) }
        return done
    }
}
