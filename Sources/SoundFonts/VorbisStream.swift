/// The compressed samples of an SF3 file, seen from outside: pages that follow each other, and how long they play.
///
/// Nothing is decoded here. The last page's position says how many frames libsndfile will make room for, and that is
/// bounded before it gets to see the stream. Source: RFC 3533, section 6.
enum VorbisStream {
    /// Frames of one sample: a quarter of an hour at 48 kHz is no longer a sample.
    static let framesPerSample = 1 << 25
    /// Bytes that all samples together may have when decoded; how many are in memory is the budget's matter.
    static let memory = 64 << 30
    /// The most frames in one byte of Vorbis (a packet of one byte, blocks of 8 192).
    private static let framesPerByte = 8_192

    /// Bytes taken as 16-bit frames. Damaged streams are marked and named in `faults`. Throws `tooMany`.
    static func decodedMemory(
        _ file: borrowing SoundFontBytes, _ samples: inout [SampleHeader], _ wave: RIFFChunk,
        _ faults: inout [SoundFontFile.Fault]
    ) throws(SoundFontError) -> Int {
        var bytes = 0
        for (index, sample) in samples.enumerated() where sample.isCompressed && !sample.isInROM && !sample.isDamaged {
            guard sample.end > sample.start else { continue }
            let frames: Int
            do throws(SoundFontError) {
                frames = try Self.frames(file, sample, index, wave)
            } catch {
                guard case .brokenVorbis = error else { throw error }
                samples[index].isDamaged = true
                faults.append(.brokenStream(sample: sample.name))
                continue
            }
            guard frames <= framesPerSample, frames / framesPerByte <= sample.end - sample.start else {
                throw .tooMany(
                    path: file.path, what: "frames in sample \(index) (\(sample.name))", count: frames,
                    limit: framesPerSample)
            }
            samples[index].decodedFrames = frames
            bytes += frames * 2
            guard bytes <= memory else {
                throw .tooMany(
                    path: file.path, what: "bytes of decoded samples", count: bytes, limit: memory)
            }
        }
        return bytes
    }

    /// The position of the last page, after a walk over all of them.
    private static func frames(
        _ file: borrowing SoundFontBytes, _ sample: SampleHeader, _ index: Int, _ wave: RIFFChunk
    ) throws(SoundFontError) -> Int {
        // Converters differ in whether `end` is the last byte or the one after it; the data chunk is the hard limit.
        let end = min(wave.start + sample.end + 1, wave.end)
        var at = wave.start + sample.start
        var position = 0
        var pages = 0
        while end - at >= 27 {
            let header = try file.read("smpl", at: at, count: 27, before: end)
            guard header.starts(with: [0x4F, 0x67, 0x67, 0x53, 0]) else { break }
            let granule = (0..<8).reduce(UInt64(0)) { $0 | UInt64(header[6 + $1]) << UInt64(8 * $1) }
            let lacing = try file.read("smpl", at: at + 27, count: min(Int(header[26]), end - at - 27))
            at += 27 + Int(header[26]) + lacing.reduce(0) { $0 + Int($1) }
            guard at <= end else { break }
            pages += 1
            // All ones: no packet ends on this page.
            if granule != .max {
                guard granule < 1 << 62 else {
                    throw .tooMany(
                        path: file.path, what: "frames in sample \(index) (\(sample.name))", count: Int.max,
                        limit: framesPerSample)
                }
                position = max(position, Int(granule))
            }
        }
        // Identification and set-up take at least two pages.
        guard pages >= 2, end - at <= 1 || at >= end else {
            throw .brokenVorbis(path: file.path, sample: index, offset: at)
        }
        return position
    }
}
