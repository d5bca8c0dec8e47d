import Testing

@testable import AudioFiles

/// A file of which a part is kept where the rest cannot be had.
@Suite struct KeptPartTests {
    private let folder = TemporaryFolder()

    private func writer(_ container: AudioFileFormat.Container, keeps: Bool) throws -> AudioFileWriter {
        let writer = try AudioFileWriter(
            path: folder.file("x." + container.rawValue), format: AudioFileFormat(defaultOf: container), channels: 1,
            sampleRate: 48_000, length: .exactly(96_000), keepsPartial: keeps)
        let wave = (0..<5_000).map { Float($0 % 100) / 200 }
        try wave.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: 5_000) }
        return writer
    }

    @Test(arguments: [AudioFileFormat.Container.wav, .flac, .aiff, .caf, .vorbis, .opus])
    func whatWasWrittenIsAWholeFile(_ container: AudioFileFormat.Container) throws {
        let kept = try writer(container, keeps: true)
        #expect(kept.abandon() && folder.names == ["x." + container.rawValue])
        let reader = try AudioFileReader(path: folder.file("x." + container.rawValue))
        #expect(reader.frames == 5_000 && reader.channels == 1)
        #expect(!kept.abandon(), "once")
    }

    @Test func nothingIsKeptWhereThatWasNotAskedFor() throws {
        #expect(try !writer(.wav, keeps: false).abandon())
        #expect(try !writer(.wav, keeps: true).abandon(keepsPartial: false))
        #expect(folder.names.isEmpty)
    }
}
