import Glibc
import Testing

@testable import AudioFiles

@Suite struct StreamTests {
    /// What comes out of a named pipe when `planes` are written to it.
    private func stream(
        _ planes: [[Float]], _ format: AudioFileFormat, length: AudioFileLength
    ) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // Opened for both directions, so that neither side waits for the other; the pipe holds all that comes here.
        let reading = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(reading) }
        _ = fcntl(reading, 1031 /* F_SETPIPE_SZ */, 1 << 20)
        try write(planes, to: pipe, format, length: length)
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(reading, &block, block.count), count > 0 { all += block[..<count] }
        return all
    }

    @Test func `a WAV stream states its length if it is known`() throws {
        let bytes = try stream(music(frames: 5000), AudioFileFormat(.wav), length: .exactly(5000))
        #expect(bytes.count == 20_044)
        #expect(bytes[..<44].elementsEqual(wavHeader(riff: 20_036, data: 20_000)))
    }

    @Test func `a WAV stream of odd size counts the byte that fills it up`() throws {
        let format = try AudioFileFormat(.wav, encoding: .int24)
        let bytes = try stream([music(frames: 999)[0]], format, length: .exactly(999))
        #expect(bytes.count % 2 == 0)
        let rest = bytes.count - 8
        #expect(Array(bytes[4..<8]) == [UInt8(rest & 255), UInt8(rest >> 8), 0, 0])
    }

    @Test func `a WAV stream of unknown length says so`() throws {
        for length in [AudioFileLength.unknown, .atMost(9999), .exactly(1 << 40)] {
            let planes = music(frames: 5000)
            guard case .exactly = length else {
                let bytes = try stream(planes, AudioFileFormat(.wav), length: length)
                #expect(bytes.count == 20_044)
                #expect(bytes[..<44].elementsEqual(wavHeader(riff: .max, data: .max)))
                continue
            }
            let error = #expect(throws: AudioFileError.self) {
                try stream(planes, AudioFileFormat(.wav), length: length)
            }
            guard case .lengthMismatch? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: availableFormats.filter(\.container.canStream))
    func `a stream is decoded like the file`(format: AudioFileFormat) throws {
        guard format.container != .raw else { return }
        let folder = TemporaryFolder()
        let planes = music(frames: 20_000)
        let bytes = try stream(planes, format, length: .exactly(20_000))
        let path = folder.file("streamed")
        let file = try #require(fopen(path, "wb"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        let expected = try AudioFileReader(path: write(planes, to: folder.file("a"), format).path).readAll()
        let streamed = try AudioFileReader(path: path).readAll()
        if format.container == .mp3 {
            // Without the tag that is filled in at the end, the encoder's padding stays.
            #expect(abs(streamed[0].count - expected[0].count) < 4000)
        } else {
            #expect(streamed == expected)
        }
    }

    @Test(arguments: [AudioFileFormat.Container.rf64, .w64, .aiff, .au, .caf])
    func `what cannot be streamed is refused`(container: AudioFileFormat.Container) throws {
        #expect(throws: AudioFileError.cannotStream(path: "/dev/null", container: container)) {
            try write(music(), to: "/dev/null", AudioFileFormat(container))
        }
    }

    @Test func `a device is written to directly`() throws {
        let writer = try write(music(), to: "/dev/null", AudioFileFormat(.wav))
        #expect(writer.byteCount == 40_044)
    }

    @Test func `standard output that is a file gets the header of a file, behind what is already there`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("out")
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        #expect(Glibc.write(descriptor, "text", 4) == 4)
        let sink = OutputSink(descriptor: descriptor)
        let writer = try AudioFileWriter(
            target: OutputTarget(path: "-"), sink: sink, format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000,
            length: .atMost(100))
        try withPlanes(music(frames: 100)) { try writer.write($0, frames: 100) }
        try writer.finish()
        #expect(Glibc.write(descriptor, "next", 4) == 4)
        let written = bytes(path)
        #expect(written[..<48].elementsEqual(Array("text".utf8) + wavHeader(riff: 436, data: 400)))
        #expect(written.count == 452 && written.suffix(4).elementsEqual(Array("next".utf8)))
    }
}
