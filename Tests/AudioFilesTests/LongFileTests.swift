import Glibc
import Testing

@testable import AudioFiles

/// Counts the bytes beyond the header instead of storing them.
private final class ForgettingSink: OutputSink {
    private(set) var head = [UInt8](repeating: 0, count: 4096)
    override func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        for (i, byte) in bytes.prefix(4096).enumerated() where offset + Int64(i) < 4096 { head[Int(offset) + i] = byte }
        return true
    }
}

@Suite struct LongFileTests {
    private func headOfFile(frames: Int) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let target = try OutputTarget(path: folder.file("a.wav"))
        let sink = ForgettingSink(descriptor: target.descriptor)
        // 1024 channels of 16 bits: two million frames are 4 GiB.
        let file = try SndFileCalls.open(
            AudioFileFormat(.rf64, encoding: .int16), channels: 1024, sampleRate: 48_000, sink: sink, path: "a")
        SndFileCalls.allowDowngradeToWAV(file)
        let block = UnsafeMutablePointer<Int16>.allocate(capacity: 4096 * 1024)
        defer { block.deallocate() }
        block.initialize(repeating: 0, count: 4096 * 1024)
        var done = 0
        while done < frames {
            #expect(SndFileCalls.write(file, block, frames: min(4096, frames - done)))
            done += min(4096, frames - done)
        }
        #expect(SndFileCalls.close(file) == nil)
        return sink.head
    }

    private func number(_ bytes: [UInt8], _ position: Int, size: Int) -> UInt64 {
        (0..<size).reduce(0) { $0 | UInt64(bytes[position + $1]) << (8 * UInt64($1)) }
    }

    @Test func `a file above 4 GiB becomes RF64 by itself, and one below stays WAV`() throws {
        let long = try headOfFile(frames: (1 << 21) + 1)
        #expect(long[..<4].elementsEqual("RF64".utf8))
        #expect(long[12..<16].elementsEqual("ds64".utf8))
        #expect(number(long, 28, size: 8) == 2048 * ((1 << 21) + 1))
        let short = try headOfFile(frames: 10)
        #expect(short[..<4].elementsEqual("RIFF".utf8))
        #expect(short[12..<16].elementsEqual("JUNK".utf8))
    }

    @Test func `a WAV file of unknown length can be read by others`() throws {
        let folder = TemporaryFolder()
        let planes = music(frames: 1001)
        let path = folder.file("a.wav")
        let writer = try write(planes, to: path, AudioFileFormat(.wav, encoding: .float32), length: .unknown)
        let file = bytes(path)
        #expect(file[..<4].elementsEqual("RIFF".utf8))
        #expect(number(file, 4, size: 4) == UInt64(file.count - 8))
        #expect(writer.byteCount == Int64(file.count))
        #expect(try AudioFileReader(path: path).readAll() == planes)
    }

    /// Python's wave and other plain readers know no extensible header.
    @Test(arguments: [(AudioFileFormat.Encoding.int16, [1, 0] as [UInt8]), (.int24, [1, 0]), (.float32, [3, 0])])
    func `a WAV file of unknown length says its format in plain words`(
        _ encoding: AudioFileFormat.Encoding, _ tag: [UInt8]
    ) throws {
        let folder = TemporaryFolder()
        let format = try AudioFileFormat(.wav, encoding: encoding), planes = music(frames: 1001)
        try write(planes, to: folder.file("a.wav"), format, length: .unknown)
        try write(planes, to: folder.file("b.wav"), format, length: .exactly(1001))
        let file = bytes(folder.file("a.wav")), known = bytes(folder.file("b.wav"))
        let place = try #require((12..<200).first { file[$0..<($0 + 4)].elementsEqual("fmt ".utf8) })
        #expect(number(file, place + 4, size: 4) == 16)
        #expect(file[(place + 8)..<(place + 10)].elementsEqual(tag))
        // But for the tag, which is equal too, all that is said of the format is that of a file of known length.
        #expect(file[(place + 8)..<(place + 24)].elementsEqual(known[20..<36]))
        #expect(
            try AudioFileReader(path: folder.file("a.wav")).readAll()
                == AudioFileReader(path: folder.file("b.wav")).readAll())
    }

    @Test func `the length decides the container before the first frame`() throws {
        let folder = TemporaryFolder()
        let format = try AudioFileFormat(.wav)
        let long = try AudioFileWriter(
            path: folder.file("a.wav"), format: format, channels: 2, sampleRate: 48_000, length: .atMost(2_000_000_000))
        long.abandon()
        #expect(throws: AudioFileError.tooLong(path: folder.file("a.aiff"), container: .aiff)) {
            try AudioFileWriter(
                path: folder.file("a.aiff"), format: AudioFileFormat(.aiff), channels: 2, sampleRate: 48_000,
                length: .exactly(2_000_000_000))
        }
        #expect(folder.names.isEmpty)
    }
}
