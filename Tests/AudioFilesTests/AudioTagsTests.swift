import Glibc
import Testing

@testable import AudioFiles

/// Texts and places beside the sound, as libsndfile reads them back.
@Suite struct AudioTagsTests {
    private let folder = TemporaryFolder()
    private static let all: [AudioTags.Name: String] = [
        .title: "Kanon in Dé", .artist: "J. Pachelbel", .album: "Songs", .track: "7", .genre: "Baroque", .date: "1680",
        .comment: "none", .copyright: "free", .license: "CC0",
    ]
    private static let cues = [
        AudioTags.Cue(frame: 0, name: "Intro"), AudioTags.Cue(frame: 480, name: "Strophe é"),
        AudioTags.Cue(frame: 1_999, name: String(repeating: "x", count: 126) + "é"),
    ]

    private func write(_ container: AudioFileFormat.Container, _ tags: AudioTags, _ name: String = "x") throws -> String {
        let path = folder.file(name + "." + container.rawValue)
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(defaultOf: container), channels: 1, sampleRate: 48_000,
            length: .exactly(2_000), tags: tags)
        let wave = (0..<2_000).map { Float($0 % 100) / 200 }
        try wave.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: 2_000) }
        try writer.finish()
        return path
    }

    @Test(arguments: AudioFileFormat.Container.allCases.filter { $0 != .raw })
    func aFileHoldsWhatItsKindHasAPlaceFor(_ container: AudioFileFormat.Container) throws {
        let path = try write(container, AudioTags(Self.all, cues: Self.cues))
        let reader = try AudioFileReader(path: path), read = reader.tags
        #expect(read.texts == Self.all.filter { container.tagNames.contains($0.key) })
        #expect(read.cues.map(\.frame) == (container.holdsCues ? Self.cues.map(\.frame) : []))
        if container.holdsCues {
            #expect(read.cues.map(\.name).prefix(2) == ["Intro", "Strophe é"])
            #expect(read.cues.last?.name == String(repeating: "x", count: 126))
        }
        // The sound is the same, with them and without.
        let bare = try AudioFileReader(path: try write(container, AudioTags(), "bare"))
        #expect(reader.frames == bare.frames)
        #expect(try reader.readAll() == bare.readAll())
    }

    @Test(arguments: AudioFileFormat.Container.allCases) func theSameTagsGiveTheSameBytes(
        _ container: AudioFileFormat.Container
    ) throws {
        let tags = AudioTags(Self.all, cues: Self.cues)
        #expect(bytes(try write(container, tags)) == bytes(try write(container, tags, "again")))
        #expect(bytes(try write(container, AudioTags([.title: ""]))) == bytes(try write(container, AudioTags(), "bare")))
    }

    /// A stream's header goes out once, however long.
    @Test func aStreamHasThemToo() throws {
        let long = AudioTags(
            Dictionary(uniqueKeysWithValues: AudioTags.Name.allCases.map { ($0, String(repeating: "a", count: 1_000)) }),
            cues: (0..<100).map { AudioTags.Cue(frame: Int64($0), name: "place \($0)") })
        let path = try write(.wav, long)
        #expect(try AudioFileReader(path: path).tags.cues == long.cues)
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        _ = fcntl(ends[0], 1031, 1 << 20)
        let writer = try AudioFileWriter(
            path: "/dev/fd/\(ends[1])", format: AudioFileFormat(defaultOf: .wav), channels: 1, sampleRate: 48_000,
            length: .exactly(2_000), tags: long)
        let wave = (0..<2_000).map { Float($0 % 100) / 200 }
        try wave.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: 2_000) }
        try writer.finish()
        close(ends[1])
        var stream = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(ends[0], &stream, stream.count)
        close(ends[0])
        #expect(Array(stream.prefix(max(count, 0))) == bytes(path))
    }

    @Test func lettersThatAKindCannotHoldAreKnown() {
        #expect(AudioFileFormat.Container.mp3.holds("é", as: .title) && !AudioFileFormat.Container.mp3.holds("ő", as: .title))
        #expect(
            !AudioFileFormat.Container.aiff.holds("é", as: .copyright) && AudioFileFormat.Container.aiff.holds("é", as: .title))
        #expect(!AudioFileFormat.Container.flac.holds(String(repeating: "a", count: 1_001), as: .title))
        #expect(AudioTags.line("  a\tb\n\u{0} ") == "a b")
    }
}
