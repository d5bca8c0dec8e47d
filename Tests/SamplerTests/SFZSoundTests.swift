import Glibc
import SoundFonts
import Testing

@testable import Samplers

/// SFZ files as they are heard.
@Suite(.serialized) struct SFZSoundTests {
    private func sound(_ text: String, key: UInt8 = 69, velocity: UInt8 = 127) throws -> [[Float]] {
        try TinySFZ(text: text).write { path in
            try SamplerRig(path).play(
                [SamplerRig.note(6_400, key, velocity), SamplerRig.message(54_400, 0x80, key)], frames: 102_400, block: 4_096)
        }
    }

    private func peak(_ sound: [Float], _ frames: Range<Int>) -> Double { Double(frames.map { abs(sound[$0]) }.max() ?? 0) }
    private func decibels(_ a: Double, _ b: Double) -> Double { 20 * log10(a / b) }
    private func turns(_ sound: [Float], _ frames: Range<Int>) -> Int {
        frames.count { sound[$0] <= 0 && sound[$0 + 1] > 0 }
    }

    private static let looped = "loop_mode=loop_continuous pitch_keycenter=69"

    @Test func aRegionSoundsAtItsPitchAndLevel() throws {
        let plain = try sound("<region> sample=mono.wav \(Self.looped)")
        let tuned = try sound("<region> sample=mono.wav \(Self.looped) volume=-12 transpose=12")
        #expect(abs(turns(plain[0], 10_000..<34_000) - 220) <= 1)
        #expect(abs(turns(tuned[0], 10_000..<34_000) - 440) <= 1)
        #expect(abs(decibels(peak(tuned[0], 10_000..<34_000), peak(plain[0], 10_000..<34_000)) + 12) < 0.5)
        #expect(plain[0].firstIndex { $0 != 0 }.map { $0 - 6_400 } ?? 999 <= 2)
    }

    @Test func channelsOfASampleKeepTheirSides() throws {
        let sound = try sound("<region> sample=a b/stereo.wav \(Self.looped)")
        #expect(peak(sound[0], 10_000..<34_000) > 0.01 && peak(sound[1], 10_000..<34_000) < 1e-6)
    }

    @Test func envelopesTakeTheirSeconds() throws {
        let sound = try sound(
            "<region> sample=mono.wav \(Self.looped) ampeg_attack=0.5 ampeg_decay=2 ampeg_sustain=25 ampeg_release=2")
        let top = peak(sound[0], 29_800..<30_800)
        #expect(abs(peak(sound[0], 18_300..<18_500) / top - 0.5) < 0.03)
        // A fall has 78 dB in its time: 6 dB take 0.154 of two seconds.
        #expect(abs(decibels(peak(sound[0], 37_700..<37_900), top) + 6) < 0.6)
        #expect(abs(decibels(peak(sound[0], 45_000..<54_000), top) + 12.04) < 0.3)
        #expect(abs(decibels(peak(sound[0], 63_900..<64_100), top) + 12.04 + 7.8) < 0.6)
    }

    @Test func aOneShotPlaysToItsEnd() throws {
        // Ten thousand frames of one loop would be heard for ever; a thousand frames four octaves lower last 16 000.
        let short = try sound("<region> sample=mono.wav pitch_keycenter=127 loop_mode=one_shot", key: 127)
        #expect(peak(short[0], 8_000..<20_000) == 0)
        let long = try sound("<region> sample=mono.wav pitch_keycenter=127 loop_mode=one_shot", key: 57)
        let cut = try sound("<region> sample=mono.wav pitch_keycenter=127", key: 57)
        #expect(peak(long[0], 55_000..<65_000) > 0.01 && peak(cut[0], 55_000..<65_000) < 1e-4)
    }
}
