import Testing

@testable import AudioFiles

@Suite struct AudioFileReaderTests {
    /// Reads up to `frames` frames of the first channel.
    private func read(_ reader: AudioFileReader, _ frames: Int) throws -> [Float] {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames * reader.channels)
        defer { memory.deallocate() }
        let count = try reader.read((0..<reader.channels).map { memory + $0 * frames }, capacity: frames)
        return Array(UnsafeBufferPointer(start: memory, count: count))
    }

    @Test(arguments: [AudioFileFormat.Container.wav, .flac])
    func aFileIsReadFromAnyFrameOn(_ container: AudioFileFormat.Container) throws {
        let format = try AudioFileFormat(container)
        let folder = TemporaryFolder()
        let path = folder.file("song")
        _ = try write(music(channels: 2), to: path, format)
        let reader = try AudioFileReader(path: path)
        #expect(reader.isSeekable)
        let whole = try read(reader, 20_000)
        #expect(whole.count == 10_000)
        for start in [9_999, 0, 4_321] {
            try reader.seek(to: Int64(start))
            #expect(try read(reader, 100) == Array(whole[start..<min(start + 100, 10_000)]))
        }
    }

    @Test func aFrameThatIsNotThereIsAnErrorWithTheFilesName() throws {
        let folder = TemporaryFolder()
        let path = folder.file("song")
        _ = try write(music(channels: 1), to: path, try AudioFileFormat(.wav))
        let reader = try AudioFileReader(path: path)
        for frame in [-1, 10_001, Int64.max] {
            let error = #expect(throws: AudioFileError.self) { try reader.seek(to: frame) }
            #expect(error?.description.contains(path) == true)
        }
    }
}
