import AudioFiles
import Testing

/// Lossy files are as large as asked for, and what an encoder cannot be told is refused.
@Suite struct BitRateTests {
    /// Kilobits per second of ten seconds of two different noises.
    private func kilobits(_ format: AudioFileFormat, sampleRate: Int = 48_000) throws -> Double {
        let folder = TemporaryFolder()
        let writer = try AudioFileWriter(
            path: folder.file("x." + format.container.rawValue), format: format, channels: 2, sampleRate: sampleRate)
        var state: UInt32 = 1
        func noise() -> [Float] {
            (0..<sampleRate).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Float(Int32(bitPattern: state)) / 4_294_967_296
            }
        }
        let left = noise(), right = noise()
        for _ in 0..<10 {
            try left.withUnsafeBufferPointer { left in
                try right.withUnsafeBufferPointer { right in
                    try writer.write([left.baseAddress!, right.baseAddress!], frames: sampleRate)
                }
            }
        }
        try writer.finish()
        return Double(writer.byteCount) * 8 / 10_000
    }

    @Test(arguments: [(AudioFileFormat.Container.opus, 48), (.opus, 128), (.opus, 320), (.mp3, 96), (.mp3, 192), (.mp3, 320)])
    func aBitRateIsKept(_ container: AudioFileFormat.Container, _ rate: Int) throws {
        let kilobits = try kilobits(AudioFileFormat(container, bitRate: rate))
        #expect(abs(kilobits / Double(rate) - 1) < 0.1, "\(container): \(kilobits) for \(rate)")
    }

    @Test func opusIsAboutAHundredAndSixtyKilobitsWhereNothingIsSaid() throws {
        #expect((140...180).contains(try kilobits(AudioFileFormat(.opus))))
    }

    @Test(arguments: [AudioFileFormat.Container.vorbis, .opus, .mp3]) func moreQualityIsMoreBytes(
        _ container: AudioFileFormat.Container
    ) throws {
        let rates = try [0.2, 0.6, 0.9].map { try kilobits(AudioFileFormat(container, quality: $0)) }
        #expect(rates[0] * 1.1 < rates[1] && rates[1] * 1.1 < rates[2], "\(rates)")
    }

    @Test func whatCannotBeToldIsRefused() throws {
        #expect(throws: AudioFileError.bitRateNotOffered(container: .vorbis, bitRate: 128, hasQuality: false)) {
            try AudioFileFormat(.vorbis, bitRate: 128)
        }
        #expect(throws: AudioFileError.bitRateNotOffered(container: .wav, bitRate: 128, hasQuality: false)) {
            try AudioFileFormat(.wav, bitRate: 128)
        }
        #expect(throws: AudioFileError.bitRateNotOffered(container: .opus, bitRate: 128, hasQuality: true)) {
            try AudioFileFormat(.opus, quality: 0.5, bitRate: 128)
        }
        #expect(throws: AudioFileError.bitRateOutOfRange(container: .opus, bitRate: 513, offered: 12...512)) {
            try AudioFileFormat(.opus, bitRate: 513).requireSupport(channels: 2, sampleRate: 48_000)
        }
        #expect(throws: AudioFileError.bitRateOutOfRange(container: .mp3, bitRate: 320, offered: 8...160)) {
            try AudioFileFormat(.mp3, bitRate: 320).requireSupport(channels: 2, sampleRate: 22_050)
        }
        #expect("\(try AudioFileFormat(.opus, bitRate: 96))" == "opus, 96 kbit/s")
    }

    @Test func anEndingThatContradictsTheNameIsRefused() throws {
        #expect(throws: AudioFileError.contradiction(path: "x.mp3", ending: .mp3, name: .wav)) {
            try AudioFileFormat(path: "x.mp3", name: "wav")
        }
        for (path, name) in [
            ("x.wav", "rf64"), ("x.ogg", "opus"), ("x.oga", "ogg"), ("x.tmp", "flac"), ("x", "wav"), ("-", "mp3"),
        ] {
            #expect(try AudioFileFormat(path: path, name: name).container == AudioFileFormat.Container(spelling: name))
        }
    }

    @Test func aFileThatIsNotToBeReplacedIsNot() throws {
        let folder = TemporaryFolder()
        let path = folder.file("x.wav"), silence = [Float](repeating: 0, count: 64)
        func writer(replaces: Bool) throws -> AudioFileWriter {
            try AudioFileWriter(
                path: path, format: AudioFileFormat(defaultOf: .wav), channels: 1, sampleRate: 8_000, replaces: replaces)
        }
        // Both begin while the name is free; the second to finish finds it taken.
        let first = try writer(replaces: false), second = try writer(replaces: false), third = try writer(replaces: true)
        for writer in [first, second, third] {
            try silence.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: 64) }
        }
        try first.finish()
        #expect(!first.hasReplaced)
        #expect(throws: AudioFileError.exists(path: path)) { try second.finish() }
        #expect(throws: AudioFileError.exists(path: path)) { try writer(replaces: false) }
        try third.finish()
        #expect(third.hasReplaced && folder.names == ["x.wav"])
    }
}
