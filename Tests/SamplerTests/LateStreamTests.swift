import AudioFiles
import Glibc
import Graphs
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// Streams of a live sampler, in simulated time: the disk takes as long as the test says.
@Suite struct LateStreamTests {
    private static let voices = 64
    /// Ten milliseconds.
    private static let block = 441

    /// A sampler whose 64 keys play a file each, 400 000 frames long.
    private func makeRig(_ samples: LongSamples, _ memory: SampleMemory) throws -> SamplerRig {
        try samples.write("a.wav", bits: .int16, channels: 1)
        var text = "<global> pitch_keytrack=0 pitch_keycenter=60\n"
        for key in 0..<Self.voices {
            let made = symlink("a.wav", samples.folder + "/\(key).wav")
            #expect(made == 0)
            text += "<region> key=\(key) sample=\(key).wav\n"
        }
        return try SamplerRig(samples.write("big.sfz", text: text), sampleRate: 44_100, memory: memory)
    }

    /// Plays all keys at once for five seconds, with one thread that reads, each time for `delay` blocks.
    private func play(delay: Int) throws -> (late: Float, complaint: String?) {
        let samples = LongSamples(), rig = try makeRig(samples, SampleMemory(limit: 45_000_000))
        defer { withExtendedLifetime(samples) {} }
        let feed = try #require(rig.unit.companion as? SampleFeed)
        feed.wait(false)
        rig.rig.renderer.play(Score((0..<Self.voices).map { SamplerRig.note(0, UInt8($0), 100) }))
        var reading: (request: SampleFeed.Request, left: Int)?
        for _ in 0..<500 {
            rig.rig.render(Self.block, block: Self.block)
            if let (request, left) = reading {
                reading = left > 1 ? (request, left - 1) : nil
                if left <= 1 { #expect(feed.load(request)) }
            }
            while reading == nil, let request = feed.next() {
                if delay > 0 { reading = (request, delay) } else { #expect(feed.load(request)) }
            }
        }
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
        #expect(rig.unit.readout("active-voices") == Float(Self.voices))
        return (rig.unit.readout("late-frames") ?? -1, feed.complaint)
    }

    @Test(arguments: [0, 1, 2]) func nothingIsLateFromADiskThatTakesAsLong(_ delay: Int) throws {
        let played = try play(delay: delay)
        #expect(played.late == 0 && played.complaint == nil)
    }

    @Test func whatIsLateIsCountedAndNamed() throws {
        let played = try play(delay: 8)
        #expect(played.late > 1_000)
        let complaint = try #require(played.complaint)
        #expect(complaint.contains(".wav of big.sfz") && complaint.contains("more samples"))
    }

    @Test func lookingReadsAheadAndAttendingReadsAtOnce() throws {
        let samples = LongSamples(), memory = SampleMemory(limit: 45_000_000), rig = try makeRig(samples, memory)
        defer { withExtendedLifetime(samples) {} }
        let feed = try #require(rig.unit.companion)
        rig.rig.renderer.play(Score((0..<Self.voices).map { SamplerRig.note(0, UInt8($0), 100) }))
        for _ in 0..<400 {
            feed.look()
            rig.rig.render(Self.block, block: Self.block)
        }
        #expect(rig.unit.readout("late-frames") == 0 && memory.used <= memory.limit)
        feed.attend()
        rig.rig.render(100_000, block: 4_096)
        #expect(rig.unit.readout("late-frames") == 0)
    }
}
