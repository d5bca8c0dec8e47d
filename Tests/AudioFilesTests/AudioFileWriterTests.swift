import DSP
import Glibc
import Testing

@testable import AudioFiles

@Suite struct AudioFileWriterTests {
    /// The greatest difference that the format allows for, at any frame; nil where frames are not comparable.
    private func tolerance(_ format: AudioFileFormat) -> Float? {
        switch format.encoding {
        case .int16: 1.51 / 32768
        case .int24: 0.51 / 8_388_608
        case .float32: 0
        case nil: nil
        }
    }

    @Test(arguments: availableFormats.filter { $0.container != .raw }, [1, 2])
    func `what is written is read back`(format: AudioFileFormat, channels: Int) throws {
        let folder = TemporaryFolder()
        let planes = music(channels: channels)
        let path = folder.file("song")
        let writer = try write(planes, to: path, format)
        #expect(folder.names == ["song"])
        #expect(writer.framesWritten == 10_000)
        #expect(writer.clippedSamples == 0)
        #expect(writer.byteCount == Int64(bytes(path).count))

        let reader = try AudioFileReader(path: path)
        #expect(reader.channels == channels)
        #expect(reader.sampleRate == 48_000)
        let read = try reader.readAll()
        if let tolerance = tolerance(format) {
            #expect(reader.frames == 10_000)
            for (a, b) in zip(planes, read) {
                #expect(a.count == b.count)
                #expect(zip(a, b).allSatisfy { abs($0 - $1) <= tolerance })
            }
        } else {
            // A lossy encoder pads, and keeps the power within a few per cent.
            #expect(abs(read[0].count - 10_000) < 2500)
            let power: ([Float]) -> Float = { $0.reduce(0) { $0 + $1 * $1 } }
            #expect(abs(power(read[0]) / power(planes[0]) - 1) < 0.05)
        }
    }

    @Test(arguments: availableFormats)
    func `the bytes do not depend on the run or on the block size`(format: AudioFileFormat) throws {
        let folder = TemporaryFolder()
        let planes = music()
        let expected = try bytes(write(planes, to: folder.file("reference"), format).path)
        #expect(expected.count > 500)
        for block in [1, 17, 4096, 10_000] {
            let writer = try write(planes, to: folder.file("again"), format, block: block)
            #expect(bytes(writer.path) == expected, "blocks of \(block)")
        }
    }

    @Test func `raw is the samples and nothing else`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.raw")
        try write([[0, 0.5], [0.25, -1]], to: path, AudioFileFormat(.raw, encoding: .int24))
        #expect(bytes(path) == [0, 0, 0, 0, 0, 0x20, 0, 0, 0x40, 0, 0, 0x80])
    }

    @Test func `a plain WAV file has the header that every program knows`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.wav")
        try write(music(frames: 100), to: path, AudioFileFormat(.wav))
        let file = bytes(path)
        #expect(file.count == 444)
        #expect(file[..<44].elementsEqual(wavHeader(riff: 436, data: 400)))
    }

    @Test(arguments: [(SpeakerLayout.surround51, UInt8(0x3F)), (nil, 0)])
    func `more than two channels name their speakers where these are known`(_ layout: SpeakerLayout?, _ mask: UInt8) throws {
        let folder = TemporaryFolder()
        for length in [AudioFileLength.atMost(100), .unknown] {
            let path = folder.file("a.wav")
            try write(music(channels: 6, frames: 100), to: path, AudioFileFormat(.wav), length: length, layout: layout)
            let file = bytes(path), at = try #require((0..<200).first { Array(file[$0..<$0 + 4]) == Array("fmt ".utf8) })
            #expect(file[(at + 8)..<(at + 10)].elementsEqual([0xFE, 0xFF]))
            #expect(file[(at + 28)..<(at + 32)].elementsEqual([mask, 0, 0, 0]))
            #expect(try AudioFileReader(path: path).layout == layout)
        }
    }

    @Test func `a float file has no time in it`() throws {
        let folder = TemporaryFolder()
        for container in [AudioFileFormat.Container.wav, .aiff, .caf, .rf64] {
            let path = folder.file("a")
            try write(music(frames: 100), to: path, AudioFileFormat(container, encoding: .float32))
            let file = bytes(path)
            // Version 1, then the time of day, which must not be there.
            for at in 0..<(file.count - 16) where file[at..<(at + 4)].elementsEqual("PEAK".utf8) {
                #expect(file[(at + 12)..<(at + 16)].allSatisfy { $0 == 0 })
            }
        }
    }

    @Test func `samples beyond full scale are clamped and counted`() throws {
        let folder = TemporaryFolder()
        let loud: [Float] = [2, -2, 1, -1, 1.0001, .infinity, -.infinity, .nan, 0.5, 0]
        for encoding in [AudioFileFormat.Encoding.int16, .int24] {
            let writer = try write([loud, loud], to: folder.file("a.wav"), AudioFileFormat(.wav, encoding: encoding))
            #expect(writer.clippedSamples == 10)
            let read = try AudioFileReader(path: writer.path).readAll()
            for (x, y) in zip(loud, read[1]) {
                let expected = x.isNaN ? 0 : min(max(x, -1), 1)
                #expect(abs(expected - y) < 1e-4)
            }
        }
        let kept = try write([loud], to: folder.file("a.wav"), AudioFileFormat(.wav, encoding: .float32))
        #expect(kept.clippedSamples == 0)
        #expect(try AudioFileReader(path: kept.path).readAll()[0][0] == 2)
        for container in [AudioFileFormat.Container.vorbis, .opus, .mp3] {
            let lossy = try write([loud], to: folder.file("a"), AudioFileFormat(container))
            #expect(lossy.clippedSamples == 5)
        }
    }

    @Test func `an empty render is a valid file`() throws {
        let folder = TemporaryFolder()
        for format in availableFormats {
            let writer = try write([[], []], to: folder.file("a"), format)
            #expect(writer.framesWritten == 0)
        }
        try write([[], []], to: folder.file("a.wav"), AudioFileFormat(.wav))
        #expect(try AudioFileReader(path: folder.file("a.wav")).readAll() == [[], []])
    }

    @Test func `the reader refuses what is no audio`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.wav")
        #expect(throws: AudioFileError.cannotOpen(path: path, SystemFault(code: ENOENT))) {
            try AudioFileReader(path: path)
        }
        let file = try #require(fopen(path, "w"))
        fputs("this is no audio", file)
        fclose(file)
        let error = #expect(throws: AudioFileError.self) { try AudioFileReader(path: path) }
        guard case .unreadable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// A canonical header of 16-bit stereo at 48 kHz.
func wavHeader(riff: UInt32, data: UInt32) -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let format = word(16) + word(0x2_0001) + word(48_000) + word(192_000) + word(0x10_0004)
    return Array("RIFF".utf8) + word(riff) + Array("WAVEfmt ".utf8) + format + Array("data".utf8) + word(data)
}
