extension AudioFileReader {
    /// The first loop that the file's instrument chunk (WAV `smpl`, AIFF `INST`) names, in frames; nil without one, or if
    /// it lies outside the file.
    public var loop: Range<Int64>? {
        guard let loop = SndFileCalls.loop(file), loop.start < loop.end, Int64(loop.end) <= frames else { return nil }
        return Int64(loop.start)..<Int64(loop.end)
    }
}
