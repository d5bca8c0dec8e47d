extension AudioFileReader {
    /// Whether the file can be read from any frame on; a pipe and some encodings cannot.
    public var isSeekable: Bool { SndFileCalls.isSeekable(file) }

    /// Makes `frame` the next that is read, counted from 0.
    ///
    /// - Throws: `unreadable` where there is no such frame, or the file cannot be read out of order.
    public func seek(to frame: Int64) throws(AudioFileError) {
        // libsndfile would take some of them for others.
        guard (0...max(frames, 0)).contains(frame) else {
            throw .unreadable(path: path, message: "there is no frame \(frame)")
        }
        if let message = SndFileCalls.seek(file, to: frame) { throw .unreadable(path: path, message: message) }
    }
}
