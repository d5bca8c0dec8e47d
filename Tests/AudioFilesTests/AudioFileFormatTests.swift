import Testing

@testable import AudioFiles

@Suite struct AudioFileFormatTests {
    @Test func `the extension decides unless a name is given`() throws {
        #expect(try AudioFileFormat(path: "a/b.c/song.FLAC").container == .flac)
        #expect(try AudioFileFormat(path: "song.oga").container == .vorbis)
        #expect(try AudioFileFormat(path: "song.dat", name: "wav").container == .wav)
        #expect(try AudioFileFormat(path: "-").container == .wav)
        #expect(try AudioFileFormat(path: "/dev/null").container == .wav)
        #expect(try AudioFileFormat(path: "song.wav", bits: .int24).encoding == .int24)
    }

    @Test(arguments: ["song", "song.", ".hidden/song", "song.xyz", "", "a.wav/song"])
    func `a name that says nothing is refused with the names that would`(path: String) {
        let error = #expect(throws: AudioFileError.self) { try AudioFileFormat(path: path) }
        #expect(error == .unknownFormat(name: nil, path: path))
        #expect(error?.description.contains("wav, rf64, w64, aiff, au, caf, raw, flac, ogg, opus, mp3") == true)
    }

    @Test func `combinations that do not exist are refused`() {
        #expect(throws: AudioFileError.encodingNotOffered(container: .flac, encoding: .float32)) {
            try AudioFileFormat(.flac, encoding: .float32)
        }
        #expect(throws: AudioFileError.encodingNotOffered(container: .mp3, encoding: .int16)) {
            try AudioFileFormat(.mp3, encoding: .int16)
        }
        #expect(throws: AudioFileError.qualityNotOffered(container: .wav)) { try AudioFileFormat(.wav, quality: 1) }
        #expect(throws: AudioFileError.self) { try AudioFileFormat(.opus, quality: .nan) }
    }

    @Test func `a rate that an encoder cannot take is refused with the rates it can`() throws {
        let error = #expect(throws: AudioFileError.self) {
            try AudioFileWriter(path: "/dev/null", format: AudioFileFormat(.opus), channels: 2, sampleRate: 44_100)
        }
        #expect(error == .sampleRateNotOffered(container: .opus, sampleRate: 44_100))
        #expect(error?.description.contains("8000, 12000, 16000, 24000, 48000") == true)
    }

    @Test func `too many channels are refused`() throws {
        #expect(throws: AudioFileError.channelCountNotOffered(container: .mp3, channels: 3)) {
            try AudioFileWriter(path: "/dev/null", format: AudioFileFormat(.mp3), channels: 3, sampleRate: 48_000)
        }
        #expect(throws: AudioFileError.channelCountNotOffered(container: .wav, channels: 0)) {
            try AudioFileWriter(path: "/dev/null", format: AudioFileFormat(.wav), channels: 0, sampleRate: 48_000)
        }
    }

    @Test func `every error is one line`() throws {
        let format = try AudioFileFormat(.mp3)
        let errors: [AudioFileError] = [
            .unknownFormat(name: "xyz", path: "a"),
            .formatNotInLibrary(format, available: [.wav], library: "libsndfile-1"),
            .qualityOutOfRange(2), .cannotStream(path: "-", container: .aiff), .isDirectory(path: "a"),
            .cannotCreate(path: "a", SystemFault(code: 13)), .encoderRefused(path: "a", format, message: "m"),
            .writeFailed(path: "-", SystemFault(code: 28)), .cannotReplace(path: "a", SystemFault(code: 18)),
            .encodingFailed(path: "a", message: "m"), .tooLong(path: "a", container: .aiff),
            .lengthMismatch(path: "-", promised: 1, written: 2), .cannotOpen(path: "a", SystemFault(code: 2)),
            .unreadable(path: "a", message: "m"),
        ]
        for error in errors {
            #expect(!error.description.contains("\n"))
            #expect(!error.description.contains("--"), "a library knows no options")
        }
        #expect("\(SystemFault(code: 28))" == "No space left on device")
    }
}
