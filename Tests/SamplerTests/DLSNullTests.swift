import Glibc
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// DLS files in the sampler, beside libfluidsynth where it can read them: libinstpatch 1.1 gives it wave, loop, root key,
/// ranges and bank, and leaves out gain and articulation. Those are measured against what the numbers mean.
@Suite(.serialized) struct DLSNullTests {
    /// A note of a second from frame 6 400 on, let go for another.
    private func sound(
        _ dls: TinyDLS, key: UInt8 = 69, velocity: UInt8 = 127, bank: UInt8 = 0, program: UInt8 = 0,
        controllers: [(UInt8, UInt8)] = []
    ) throws -> [Float] {
        try dls.write { path in
            try SamplerRig(path).play(
                Self.score(key, velocity, bank, program, controllers), frames: 102_400, block: 4_096)[0]
        }
    }

    private static func score(
        _ key: UInt8, _ velocity: UInt8, _ bank: UInt8, _ program: UInt8, _ controllers: [(UInt8, UInt8)] = []
    ) -> [TimedMusicEvent] {
        [SamplerRig.message(0, 0xB0, 0, bank), SamplerRig.message(0, 0xC0, program)]
            + controllers.map { SamplerRig.message(64, 0xB0, $0.0, $0.1) }
            + [SamplerRig.note(6_400, key, velocity), SamplerRig.message(6_400 + 48_000, 0x80, key)]
    }

    private func peak(_ sound: [Float], _ frames: Range<Int>) -> Double {
        Double(frames.map { abs(sound[$0]) }.max() ?? 0)
    }

    private func decibels(_ a: Double, _ b: Double) -> Double { 20 * log10(a / b) }

    /// Hertz by upward crossings of zero, each found between its frames.
    private func pitch(_ sound: [Float], _ frames: Range<Int>) -> Double {
        let ups = frames.filter { sound[$0] <= 0 && sound[$0 + 1] > 0 }.map {
            Double($0) + Double(sound[$0] / (sound[$0] - sound[$0 + 1]))
        }
        guard let first = ups.first, let last = ups.last, ups.count > 1 else { return 0 }
        return Double(ups.count - 1) * 48_000 / (last - first)
    }

    private func cents(_ a: Double, _ b: Double) -> Double { 1_200 * log2(a / b) }

    @Test func plainRegionsSoundAsInFluidSynth() throws {
        var tuned = TinyDLS()
        tuned.regionTuning = (57, 30, 0, (200, 600), 0)
        var short = TinyDLS()
        (short.waveTuning, short.frames) = ((60, 0, 0, nil, 0), 30_000)
        // A sample that ends within a period of 64 libfluidsynth cuts there, and ours lets the filter ring to its end.
        for (dls, end) in [(TinyDLS(), 64_000), (tuned, 64_000), (short, 16_000)] {
            try dls.write { path in
                for (key, velocity) in [(69, 127), (48, 64), (81, 100)] as [(UInt8, UInt8)] {
                    let events = Self.score(key, velocity, 0, 0)
                    let ours = try SamplerRig(path, values: SamplerRig.rounded).play(events, frames: 64_000, block: 4_096)
                    let theirs = BareFluidSynth(path).play(events, frames: 64_000)
                    #expect(peak(ours[0], 6_464..<end) > 0.01)
                    #expect(Difference.decibels(ours, theirs, 6_464..<end) < -90, "\(dls.frames) frames, key \(key)")
                }
            }
        }
    }

    @Test func aNoteIsTunedLevelledAndLoopedByItsRegion() throws {
        let plain = try sound(TinyDLS())
        #expect(abs(cents(pitch(plain, 10_000..<50_000), 440)) < 1)
        var dls = TinyDLS()
        dls.regionTuning = (69, 50, -12, (0, 1_000), 0)
        let tuned = try sound(dls)
        #expect(abs(cents(pitch(tuned, 10_000..<50_000), 440) - 50) < 1)
        #expect(abs(decibels(peak(tuned, 20_000..<40_000), peak(plain, 20_000..<40_000)) + 12) < 0.1)
    }

    @Test func envelopesTakeTheTimesOfTheFile() throws {
        var dls = TinyDLS()
        // A second to fall by 96 dB to half of it, 48 dB; 200 ms of delay; a release of half a second.
        dls.regionConnections = [
            (0, 0, 0x20B, 0, 1_200 * log2(0.2)), (0, 0, 0x207, 0, 0), (0, 0, 0x20A, 0, 500),
            (0, 0, 0x209, 0, 1_200 * log2(0.5)),
        ]
        let sound = try sound(dls)
        let start = sound.firstIndex { $0 != 0 } ?? 0
        #expect(abs(start - 6_400 - 9_600) <= 64)
        let top = peak(sound, start..<start + 500)
        #expect(abs(decibels(peak(sound, start + 11_900..<start + 12_100), top) + 24) < 1)
        #expect(abs(decibels(peak(sound, 53_000..<54_000), top) + 48 * 0.8) < 10)
        #expect(abs(decibels(peak(sound, start + 24_000..<start + 24_200), top) + 48) < 1)
        // 0.1 s after the key is up it is another fifth of 96 dB quieter.
        #expect(abs(decibels(peak(sound, 59_100..<59_300), top) + 48 + 19.2) < 1)
    }

    @Test func theWheelReachesTheVibratoThatTheFileGivesIt() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(9, 0x81, 3, 0, 100), (0, 0, 0x114, 0, 1_200 * log2(2 / 8.175798915643707))]
        let still = try sound(dls), moved = try sound(dls, controllers: [(1, 127)])
        // Two turns a second: a quarter of one after its start the pitch is highest.
        #expect(abs(cents(pitch(still, 6_400 + 5_500..<6_400 + 7_500), 440)) < 2)
        #expect(cents(pitch(moved, 6_400 + 5_500..<6_400 + 7_500), 440) > 80)
        let plain = try sound(TinyDLS(), controllers: [(1, 127)])
        #expect(abs(cents(pitch(plain, 6_400 + 5_500..<6_400 + 7_500), 440)) < 2)
    }

    @Test func eightBitsAndSixteenSoundAlike() throws {
        var dls = TinyDLS()
        (dls.bits, dls.channels) = (8, 2)
        let eight = try sound(dls), sixteen = try sound(TinyDLS())
        #expect(abs(decibels(peak(eight, 10_000..<50_000), peak(sixteen, 10_000..<50_000))) < 0.2)
        #expect(abs(cents(pitch(eight, 10_000..<50_000), 440)) < 1)
    }
}
