import DSP
import Glibc
import Testing

@testable import AudioFiles

/// Layouts go into files in the files' own order, and come back in ours.
@Suite struct ChannelOrderTests {
    /// A tone of its own for each channel: 500 Hz for the first, 250 Hz more for each other; of the low frequencies 60 Hz.
    private func tones(_ layout: SpeakerLayout, frames: Int = 24_000) -> [[Float]] {
        layout.speakers.map { speaker in
            let pitch = frequency(speaker)
            return (0..<frames).map { 0.25 * Float(sin(2 * Double.pi * pitch * Double($0) / 48_000)) }
        }
    }

    private func frequency(_ speaker: Speaker) -> Double {
        speaker == .lowFrequency ? 60 : 500 + 250 * Double(speaker.rawValue)
    }

    /// The speaker whose tone a plane holds.
    private func speaker(in plane: [Float]) -> Speaker? {
        let powers = Speaker.allCases.map { speaker -> Double in
            var (re, im) = (0.0, 0.0)
            for (i, sample) in plane.enumerated() {
                let angle = 2 * Double.pi * frequency(speaker) * Double(i) / 48_000
                re += Double(sample) * cos(angle)
                im += Double(sample) * sin(angle)
            }
            return re * re + im * im
        }
        let strongest = Speaker.allCases.indices.max { powers[$0] < powers[$1] }
        guard let strongest, powers[strongest] > 0.8 * powers.reduce(0, +) else { return nil }
        return Speaker.allCases[strongest]
    }

    private func writer(_ path: String, _ format: AudioFileFormat, _ layout: SpeakerLayout) throws -> AudioFileWriter {
        let planes = tones(layout)
        let writer = try AudioFileWriter(
            path: path, format: format, channels: layout.channels, layout: layout, sampleRate: 48_000)
        try withPlanes(planes) { pointers in
            for start in stride(from: 0, to: planes[0].count, by: 1_000) {
                try writer.write(pointers.map { $0 + start }, frames: 1_000)
            }
        }
        try writer.finish()
        return writer
    }

    @Test(arguments: AudioFileFormat.Container.available.filter { $0 != .raw }, SpeakerLayout.allCases)
    func eachSpeakerGetsItsOwnChannelBack(_ container: AudioFileFormat.Container, _ layout: SpeakerLayout) throws {
        if !container.layouts.contains(layout) { return }
        let folder = TemporaryFolder(), path = folder.file("a")
        _ = try writer(path, AudioFileFormat(defaultOf: container), layout)
        let reader = try AudioFileReader(path: path)
        #expect(reader.layout == (container.tells(layout) ? layout : nil))
        let found = try reader.readAll().map(speaker(in:))
        let order = ChannelOrder(layout, in: container)
        #expect(found == (reader.layout == nil ? order.speakers : layout.speakers))
    }

    @Test(arguments: [(SpeakerLayout.quad, 0x33), (.surround50, 0x37), (.surround51, 0x3F), (.surround71, 0x63F)])
    func waveFilesCarryTheChannelMask(_ layout: SpeakerLayout, _ mask: Int) throws {
        let folder = TemporaryFolder(), path = folder.file("a.wav")
        _ = try writer(path, AudioFileFormat(.wav), layout)
        let file = bytes(path), at = try #require((0..<200).first { Array(file[$0..<$0 + 4]) == Array("fmt ".utf8) })
        #expect(Int(file[at + 28]) | Int(file[at + 29]) << 8 == mask)
    }

    @Test func theOrderOfOpusIsThatOfItsStandard() {
        #expect(
            ChannelOrder(.surround71, in: .opus).speakers == [
                .frontLeft, .centre, .frontRight, .sideLeft, .sideRight, .rearLeft, .rearRight, .lowFrequency,
            ])
        #expect(
            ChannelOrder(.surround51, in: .vorbis).speakers == [
                .frontLeft, .centre, .frontRight, .rearLeft, .rearRight, .lowFrequency,
            ])
        #expect(
            ChannelOrder(.surround51, in: .flac).speakers == [
                .frontLeft, .frontRight, .centre, .lowFrequency, .rearLeft, .rearRight,
            ])
    }

    @Test func sideSpeakersWithoutRearOnesAreTheSurrounds() throws {
        let order = try #require(ChannelOrder([.frontLeft, .frontRight, .centre, .lowFrequency, .sideLeft, .sideRight]))
        #expect(order.layout == .surround51)
        #expect(order.places == [0, 1, 4, 5, 2, 3])
        #expect(ChannelOrder([.frontLeft, .rearLeft]) == nil)
    }

    @Test func aLayoutThatAFormatCannotHoldIsRefusedInOneLineWithTheRemedy() throws {
        let folder = TemporaryFolder()
        for (container, layout) in [(AudioFileFormat.Container.mp3, SpeakerLayout.surround51), (.flac, .stereoWithBass)] {
            let error = #expect(throws: AudioFileError.self) {
                try writer(folder.file("a"), AudioFileFormat(defaultOf: container), layout)
            }
            let text = error?.description ?? ""
            #expect(
                text.hasPrefix("\(container.rawValue): cannot hold the layout \(layout.rawValue); choose one of mono, stereo"))
            #expect(!text.contains("\n"))
        }
        #expect(folder.names == [])
    }

    @Test func filesThatDoNotTellGiveTheirChannelsAsTheyStand() throws {
        let folder = TemporaryFolder(), path = folder.file("a.w64")
        let planes = tones(.surround51)
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(.w64, encoding: .float32), channels: 6, sampleRate: 48_000)
        try withPlanes(planes) { try writer.write($0, frames: planes[0].count) }
        try writer.finish()
        let reader = try AudioFileReader(path: path)
        #expect(reader.layout == nil)
        #expect(try reader.readAll() == planes)
    }

    @Test(arguments: [SpeakerLayout.quad, .surround50, .surround51, .surround71])
    func whatAFileDoesNotTellCanBeAssumed(_ layout: SpeakerLayout) throws {
        let folder = TemporaryFolder(), path = folder.file("a.w64")
        _ = try writer(path, AudioFileFormat(.w64, encoding: .float32), layout)
        let reader = try AudioFileReader(path: path, assumesLayout: true)
        #expect(reader.layout == layout && reader.hasAssumedLayout)
        #expect(try reader.readAll().map(speaker(in:)) == layout.speakers)
        // What is told is no matter of assuming.
        let told = folder.file("b.wav")
        _ = try writer(told, AudioFileFormat(.wav), layout)
        let sure = try AudioFileReader(path: told, assumesLayout: true)
        #expect(sure.layout == layout && !sure.hasAssumedLayout)
    }

    /// A header of WAVE whose mask is empty says nothing; one that names speakers of no layout does.
    @Test func speakersOfNoLayoutAreNotAssumedToBeOthers() throws {
        let folder = TemporaryFolder(), path = folder.file("a.wav"), planes = tones(.quad)
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(.wav, encoding: .float32), channels: 4, sampleRate: 48_000)
        try withPlanes(planes) { try writer.write($0, frames: planes[0].count) }
        try writer.finish()
        let empty = try AudioFileReader(path: path, assumesLayout: true)
        #expect(empty.layout == .quad && empty.hasAssumedLayout)
        var file = bytes(path)
        let at = try #require((0..<200).first { Array(file[$0..<$0 + 4]) == Array("fmt ".utf8) })
        // Left, right, centre and the one behind.
        (file[at + 28], file[at + 29]) = (0x07, 0x01)
        let other = try #require(fopen(folder.file("b.wav"), "wb"))
        #expect(fwrite(file, 1, file.count, other) == file.count)
        fclose(other)
        #expect(try AudioFileReader(path: folder.file("b.wav"), assumesLayout: true).layout == nil)
        // Three have no usual meaning.
        #expect(SpeakerLayout(channels: 3) == .stereoWithBass)
        let three = folder.file("c.w64")
        _ = try self.writer(three, AudioFileFormat(.w64, encoding: .float32), .stereoWithBass)
        #expect(try AudioFileReader(path: three, assumesLayout: true).layout == nil)
    }
}
