import Glibc

extension AudioFileReader {
    /// Metadata blocks of a FLAC file that are looked at: a real file has fewer than ten.
    private static let mostBlocks = 256

    /// The first loop that the file's instrument chunk (WAV `smpl`, also where FLAC keeps it, AIFF `INST`) names, in frames; nil
    /// without one, or if it lies outside the file.
    public var loop: Range<Int64>? {
        guard let loop = SndFileCalls.loop(file) ?? keptLoop, loop.start < loop.end, Int64(loop.end) <= frames else { return nil }
        return Int64(loop.start)..<Int64(loop.end)
    }

    /// The loop of a `smpl` chunk in a FLAC file, which libsndfile does not read. flac keeps chunks of the WAV file that it has
    /// encoded, each in a block for applications after the name `riff`. Source: RFC 9639, sections 8.1 and 8.4.
    private var keptLoop: (start: UInt32, end: UInt32)? {
        guard SndFileCalls.isFLAC(file) else { return nil }
        var fault = SystemFault(code: 0), place: Int64 = 0
        guard let bytes = cursor?.bytes ?? FileBytes(path: path, flags: O_RDONLY, fault: &fault) else { return nil }
        func next(_ count: Int) -> [UInt8]? {
            var read = [UInt8](repeating: 0, count: count)
            return read.withUnsafeMutableBytes { $0.baseAddress.map { bytes.read($0, count, at: place) } } == count ? read : nil
        }
        guard next(4) == Array("fLaC".utf8) else { return nil }
        place = 4
        for _ in 0..<Self.mostBlocks {
            guard let header = next(4) else { return nil }
            place += 4
            if header[0] & 127 == 2, let block = next(64), block.starts(with: "riffsmpl".utf8) {
                func word(_ at: Int) -> UInt32 { block[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
                // The number of loops; the first frame of the first, and its last.
                return word(40) > 0 ? (word(56), word(60) &+ 1) : nil
            }
            if header[0] & 128 != 0 { return nil }
            place += header[1...].reduce(0) { $0 << 8 | Int64($1) }
        }
        return nil
    }
}
