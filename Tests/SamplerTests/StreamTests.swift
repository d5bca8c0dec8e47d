import AudioFiles
import CarillonTestKit
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// Samples that are streamed sound as those in memory, bit by bit.
@Suite struct StreamTests {
    /// Room for the beginnings and few pages.
    private static let little = 1_500_000

    /// Keys that overlap, some far above the sample's own pitch, with a pedal and a wheel.
    private static let events: [TimedMusicEvent] = [
        SamplerRig.note(100, 60, 100), SamplerRig.note(3_000, 64, 90), SamplerRig.note(20_001, 36, 127),
        SamplerRig.message(30_000, 0xB0, 64, 127), SamplerRig.message(40_000, 0x80, 60, 64), SamplerRig.note(50_000, 96, 80),
        SamplerRig.message(70_000, 0xE0, 0, 127), SamplerRig.note(90_000, 60, 70), SamplerRig.message(120_000, 0x80, 96, 64),
        SamplerRig.message(150_000, 0xB0, 64, 0), SamplerRig.note(160_000, 127, 110), SamplerRig.message(200_000, 0x80, 36, 64),
        SamplerRig.message(230_000, 0x80, 60, 64), SamplerRig.message(240_000, 0x80, 64, 64),
    ]

    private func sound(
        _ path: String, memory: SampleMemory, block: Int = 512, threads: Int = 1, values: [String: Float] = [:]
    ) throws -> (sound: [[Float]], streams: Bool) {
        let rig = try SamplerRig(path, values: values, threads: threads, memory: memory)
        rig.unit.companion?.attend()
        let sound = rig.play(Self.events, frames: 300_000, block: block)
        return (sound, rig.unit.companion is SampleFeed)
    }

    /// Compares streams with memory: for several blocks, and dealt out to three threads.
    private func expectEqual(
        _ path: String, limit: Int = little, blocks: [Int] = [64, 512, 4_096], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let whole = try sound(path, memory: SampleMemory(limit: 1 << 30))
        #expect(!whole.streams && whole.sound[0].contains { abs($0) > 0.01 }, sourceLocation: sourceLocation)
        for block in blocks {
            let memory = SampleMemory(limit: limit)
            let streamed = try sound(path, memory: memory, block: block)
            #expect(streamed.streams, sourceLocation: sourceLocation)
            #expect(firstDifference(streamed.sound, whole.sound) == nil, sourceLocation: sourceLocation)
            #expect(memory.used == 0, "what was streamed is free again", sourceLocation: sourceLocation)
        }
        let dealt = try sound(path, memory: SampleMemory(limit: 1 << 30), values: ["shares": 2])
        let threads = try sound(path, memory: SampleMemory(limit: limit), threads: 3, values: ["shares": 2])
        #expect(threads.streams && firstDifference(threads.sound, dealt.sound) == nil, sourceLocation: sourceLocation)
    }

    private static let kinds: [(String, AudioFileFormat.Encoding?)] = [
        ("a.wav", .int16), ("b.wav", .int24), ("c.flac", nil), ("d.ogg", nil), ("e.wav", .float32), ("f.flac", .int24),
    ]

    @Test(arguments: kinds) func audioFilesSoundAsInMemory(_ name: String, _ bits: AudioFileFormat.Encoding?) throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write(name, bits: bits, channels: 2)
        let path = samples.write("x.sfz", text: "<region> sample=\(name) pitch_keycenter=60 ampeg_release=0.5")
        try expectEqual(path)
    }

    @Test(arguments: [
        "loop_mode=loop_continuous loop_start=1000 loop_end=30000",
        "loop_mode=loop_sustain loop_start=60001 loop_end=150000",
        "loop_mode=loop_continuous loop_start=5000 loop_end=390000",
        "loop_mode=loop_continuous loop_start=100000 loop_end=100400 loop_crossfade=0.5",
        "loop_mode=loop_continuous loop_start=90000 loop_end=200000 loop_crossfade=1", "direction=reverse",
        "direction=reverse loop_mode=loop_continuous loop_start=40000 loop_end=95000", "offset=123456",
        "offset=20000 offset_random=300000", "end=200000", "count=2 end=70000", "pitch_keytrack=1200",
    ]) func waysToPlayThemSoundAsInMemory(_ opcodes: String) throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.flac", channels: 1)
        let path = samples.write("x.sfz", text: "<region> sample=a.flac pitch_keycenter=60 ampeg_release=0.5 \(opcodes)")
        try expectEqual(path, limit: 600_000, blocks: [512])
    }

    /// The render side takes denormal numbers for zero; decoders do not, wherever they run.
    @Test func denormalFramesSoundAsInMemory() throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.wav", bits: .float32, channels: 1, scale: 1e-38)
        let path = samples.write("x.sfz", text: "<region> sample=a.wav pitch_keycenter=60 volume=120")
        let whole = try sound(path, memory: SampleMemory(limit: 1 << 30))
        let streamed = try sound(path, memory: SampleMemory(limit: 1_000_000))
        #expect(whole.sound[0].contains { $0 != 0 } && streamed.streams)
        #expect(firstDifference(streamed.sound, whole.sound) == nil)
    }

    /// A stream whose last page names more frames than there are.
    @Test(arguments: [true, false]) func whatEndsTooSoonSoundsAsInMemory(_ isSoundFont: Bool) throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.ogg", channels: 1)
        var stream = samples.bytes("a.ogg")
        LongSamples.lengthen(&stream, by: 60_000)
        guard isSoundFont else {
            _ = samples.write("a.ogg", bytes: stream)
            let text = "<region> sample=a.ogg pitch_keycenter=60 loop_mode=loop_continuous loop_start=150000 loop_end=455000"
            return try expectEqual(samples.write("x.sfz", text: text), limit: 600_000)
        }
        var font = TinySoundFont()
        font.sample = [0, stream.count, 200_000, 455_000, 44_100, 60, 0x11]
        font.data = stream + (stream.count % 2 == 1 ? [0] : [])
        font.version = (3, 0)
        font.generators = [(54, 1), (38, -2_000)]
        try expectEqual(samples.write("x.sf3", bytes: font.bytes), limit: 600_000)
    }

    @Test func releasesAndTwoFilesSoundAsInMemory() throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.wav", bits: .int16, channels: 2)
        try samples.write("b.ogg", channels: 2)
        let path = samples.write(
            "x.sfz",
            text: """
                <group> pitch_keycenter=60
                <region> sample=a.wav ampeg_release=0.3
                <region> sample=b.ogg trigger=release rt_decay=3
                """)
        try expectEqual(path, limit: 3_000_000)
    }

    @Test(arguments: [0, 2]) func interpolationsSoundAsInMemory(_ choice: Int) throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.wav", bits: .int16, channels: 1)
        let path = samples.write("x.sfz", text: "<region> sample=a.wav pitch_keycenter=60 pitch_keytrack=300")
        let values: [String: Float] = ["interpolation": Float(choice + 2)]
        let whole = try sound(path, memory: SampleMemory(limit: 1 << 30), values: values)
        let streamed = try sound(path, memory: SampleMemory(limit: 500_000), values: values)
        #expect(streamed.streams && !whole.streams && firstDifference(streamed.sound, whole.sound) == nil)
    }

    @Test(arguments: [(0, 1_000, 390_000), (1, 300, 5_000), (1, 200_000, 330_000), (3, 90_000, 150_000)])
    func soundFontsSoundAsInMemory(_ mode: Int, _ loopStart: Int, _ loopEnd: Int) throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        var font = TinySoundFont()
        font.data = LongSamples.wave(channels: 1)[0].flatMap { value in
            let word = Int16(value * 32_768)
            return [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
        }
        font.sample = [0, LongSamples.frames - 50, loopStart, loopEnd, 44_100, 60, 1]
        font.generators = [(54, mode), (0, 700), (38, -2_000)]
        let path = samples.write("x.sf2", bytes: font.bytes)
        try expectEqual(path, limit: 600_000)
    }

    @Test(arguments: [(0, 1_000, 390_000), (1, 200_000, 330_000)])
    func compressedSoundFontsSoundAsInMemory(_ mode: Int, _ loopStart: Int, _ loopEnd: Int) throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.ogg", channels: 1)
        var font = TinySoundFont(), data = samples.bytes("a.ogg")
        font.sample = [0, data.count, loopStart, loopEnd, 44_100, 60, 0x11]
        if data.count % 2 == 1 { data.append(0) }
        font.data = data
        font.version = (3, 0)
        font.generators = [(54, mode), (38, -2_000)]
        let path = samples.write("x.sf3", bytes: font.bytes)
        try expectEqual(path, limit: 600_000)
    }
}
