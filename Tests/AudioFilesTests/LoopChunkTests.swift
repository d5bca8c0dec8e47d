import Testing

@testable import AudioFiles

/// Files say which of their frames go round.
@Suite struct LoopChunkTests {
    private func write(_ name: String, _ container: AudioFileFormat.Container, in folder: TemporaryFolder) throws
        -> AudioFileReader
    {
        let writer = try AudioFileWriter(
            path: folder.file(name), format: try AudioFileFormat(container), channels: 2, layout: .stereo, sampleRate: 48_000,
            length: .exactly(1_000), loop: 100..<1_000)
        let sound = (0..<1_000).map { Float($0) / 2_000 }
        try sound.withUnsafeBufferPointer { samples throws(AudioFileError) in
            if let base = samples.baseAddress { try writer.write([base, base], frames: 1_000) }
        }
        try writer.finish()
        return try AudioFileReader(path: folder.file(name))
    }

    @Test func whereThereIsAPlaceTheLoopIsRead() throws {
        let folder = TemporaryFolder()
        let reader = try write("loop.wav", .wav, in: folder)
        #expect(reader.loop?.lowerBound == 100 && reader.loop?.upperBound == 1_000 && reader.frames == 1_000)
        #expect(AudioFileFormat.Container.wav.tellsLoop)
        #expect(try write("loop.flac", .flac, in: folder).loop == nil && !AudioFileFormat.Container.flac.tellsLoop)
    }

    /// `flac` keeps the chunks of a WAV file in blocks for applications, after the stream's own block.
    @Test(arguments: [(100, 999, 100..<1_000 as Range<Int64>?), (100, 1_000, nil), (999, 99, nil)])
    func chunksThatFLACKeepsAreRead(_ start: UInt32, _ last: UInt32, _ loop: Range<Int64>?) throws {
        let folder = TemporaryFolder()
        _ = try write("kept.flac", .flac, in: folder)
        var file = bytes(folder.file("kept.flac"))
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        let words: [UInt32] = [36 + 24, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, start, last, 0, 0]
        let riff = Array("riffRIFF".utf8) + word(9) + Array("WAVE".utf8)
        let smpl = Array("riffsmpl".utf8) + words.flatMap(word)
        for block in [smpl, riff] { file.insert(contentsOf: [2, 0, 0, UInt8(block.count)] + block, at: 4 + 4 + 34) }
        folder.add("kept.flac", file)
        let reader = try AudioFileReader(path: folder.file("kept.flac"))
        #expect(reader.loop == loop && reader.frames == 1_000)
    }

    @Test func theChunkIsTheOneOfTheStandard() throws {
        let folder = TemporaryFolder()
        _ = try write("loop.wav", .wav, in: folder)
        let file = bytes(folder.file("loop.wav"))
        let start = try #require(file.firstRange(of: Array("smpl".utf8))?.lowerBound)
        func word(_ place: Int) -> UInt32 {
            var value: UInt32 = 0
            for byte in 0..<4 { value |= UInt32(file[start + place + byte]) << UInt32(8 * byte) }
            return value
        }
        // One loop of 24 bytes behind 36: forward, from the first frame to the last, without end.
        #expect(word(4) == 60 && word(8 + 12) == 60 && word(8 + 28) == 1)
        #expect(word(8 + 36 + 4) == 0 && word(8 + 36 + 8) == 100 && word(8 + 36 + 12) == 999 && word(8 + 36 + 20) == 0)
    }
}
