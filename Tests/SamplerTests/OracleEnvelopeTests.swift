import Glibc
import MIDI
import Testing

@testable import Samplers

/// Envelopes, measured on a step and a ramp, against the formulas of the SoundFont Technical Specification 2.04, section
/// 8.1.3, with libfluidsynth's reading of 100 % as 96 dB.
@Suite struct OracleEnvelopeTests {
    private func step(_ generators: [(Int, Int)]) -> OracleSoundFont { OracleSoundFont(Oracle.step, [(54, 1)] + generators) }
    private func decibels(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    @Test(arguments: [0.02, 0.05, 0.11]) func delayIsSilenceThatLong(seconds: Double) throws {
        let sound = try Oracle.play(step([(33, Oracle.timecents(seconds))]))
        let frames = Int(seconds * 48_000)
        #expect(sound.left[0..<Oracle.start + frames - 64].allSatisfy { $0 == 0 })
        // The shortest attack there is takes a period.
        #expect(sound.gain(frames + 128) > 0.99)
    }

    @Test(arguments: [0.01, 0.04, 0.15]) func attackIsStraightInAmplitude(seconds: Double) throws {
        let sound = try Oracle.play(step([(34, Oracle.timecents(seconds))]))
        sound.expectGain(64..<9_000) { min(max($0 / seconds, 0), 1) }
        #expect(abs(sound.gain(9_000) - 1) < 0.001)
    }

    @Test func attackFollowsDelay() throws {
        let sound = try Oracle.play(step([(33, Oracle.timecents(0.03)), (34, Oracle.timecents(0.08))]))
        sound.expectGain(0..<9_000, slack: 2) { min(max(($0 - 0.03) / 0.08, 0), 1) }
    }

    @Test func holdStaysAtThePeakThatLong() throws {
        let sound = try Oracle.play(step([(35, Oracle.timecents(0.06)), (36, Oracle.timecents(0.5)), (37, 1_000)]))
        sound.expectGain(128..<9_000, slack: 2) { self.decibels(-96 * max($0 - 0.06, 0) / 0.5) }
    }

    @Test(arguments: [0.1, 0.4]) func decayFalls96DecibelsInItsTime(seconds: Double) throws {
        let sound = try Oracle.play(step([(36, Oracle.timecents(seconds)), (37, 1_000)]))
        sound.expectGain(128..<min(9_000, Int(seconds * 0.9 * 48_000)), slack: 3) { self.decibels(-96 * $0 / seconds) }
    }

    @Test(arguments: [50, 200, 500]) func decayEndsAtSustain(permille: Int) throws {
        let sound = try Oracle.play(step([(36, Oracle.timecents(0.1)), (37, permille)]))
        let sustain = -96.0 * Double(permille) / 1_000
        sound.expectGain(128..<9_000, slack: 3) { self.decibels(max(-96 * $0 / 0.1, sustain)) }
        #expect(abs(sound.level(9_000) - sustain) < 0.01)
    }

    @Test func sustainBeyond100PercentIsSilence() throws {
        let sound = try Oracle.play(step([(36, Oracle.timecents(0.05)), (37, 1_440)]))
        #expect(sound.gain(4_000) == 0)
    }

    @Test(arguments: [0.1, 0.5]) func releaseFalls96DecibelsInItsTime(seconds: Double) throws {
        let sound = try Oracle.play(step([(38, Oracle.timecents(seconds))]), off: 2_000)
        sound.expectGain(128..<min(9_000, 2_000 + Int(seconds * 0.9 * 48_000)), slack: 2) {
            self.decibels(-96 * max($0 - 2_000.0 / 48_000, 0) / seconds)
        }
    }

    @Test func releaseGoesOnFromSustain() throws {
        let sound = try Oracle.play(
            step([(36, Oracle.timecents(0.02)), (37, 250), (38, Oracle.timecents(0.3))]), off: 4_000)
        sound.expectGain(2_000..<9_000, slack: 2) { self.decibels(-24 - 96 * max($0 - 4_000.0 / 48_000, 0) / 0.3) }
    }

    /// An attack is straight in amplitude, a release in decibels: the change keeps the level.
    @Test func releaseOfAnAttackGoesOnAtItsLevel() throws {
        let sound = try Oracle.play(step([(34, Oracle.timecents(0.2)), (38, Oracle.timecents(0.3))]), off: 2_400)
        sound.expectGain(128..<2_300) { $0 / 0.2 }
        sound.expectGain(2_600..<9_000, slack: 2) { 0.25 * self.decibels(-96 * ($0 - 0.05) / 0.3) }
    }

    /// A spike of a key, as drum machines send it, is heard for 10 ms.
    @Test func noReleaseBeginsBefore10Milliseconds() throws {
        let sound = try Oracle.play(step([(38, Oracle.timecents(0.1))]), off: 1)
        sound.expectGain(128..<2_000, slack: 2) { self.decibels(-96 * max($0 - 0.01, 0) / 0.1) }
    }

    @Test(arguments: [36, 60, 84]) func holdAndDecayScaleWithTheKey(key: UInt8) throws {
        let factor = pow(2, 50 * (60 - Double(key)) / 1_200)
        let held = try Oracle.play(
            step([(35, Oracle.timecents(0.04)), (39, 50), (36, Oracle.timecents(0.3)), (37, 1_000)]), key: key)
        held.expectGain(128..<9_000, slack: 3) { self.decibels(-96 * max($0 - 0.04 * factor, 0) / 0.3) }
        let fallen = try Oracle.play(step([(36, Oracle.timecents(0.3)), (40, 50), (37, 1_000)]), key: key)
        fallen.expectGain(128..<6_000, slack: 3) { self.decibels(-96 * $0 / (0.3 * factor)) }
    }

    // MARK: Modulation envelope

    /// Pitch in periods of 64 frames lies where the law has it within two periods, and 1 cent.
    private func expectPitch(_ generators: [(Int, Int)], off: Int? = nil, key: UInt8 = 60, _ law: (Double) -> Double) throws {
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.ramp, [(56, 0), (38, 1_200)] + generators), key: key, off: off, frames: 9_000)
        let last = off.map { $0 - 64 } ?? 8_800
        for age in stride(from: 256, to: last, by: 64) {
            let laws = stride(from: -192, through: 128, by: 32).map { law(Double(age + $0) / 48_000) }
            let cents = sound.cents(age, age + 64)
            if (laws.min()! - 1...laws.max()! + 1).contains(cents) { continue }
            Issue.record("frame \(age): \(cents) cents instead of \(law(Double(age) / 48_000))")
            return
        }
    }

    /// The convex curve of the standard, 0...1: its attack.
    private func convex(_ value: Double) -> Double { 1 + 200.0 * 2 / 960 * log10(min(max(value, 1.0 / 127), 1)) }

    @Test func modulationEnvelopeMovesPitch() throws {
        let (attack, hold, decay) = (0.05, 0.03, 0.2)
        try expectPitch([
            (7, 1_000), (25, Oracle.timecents(0.02)), (26, Oracle.timecents(attack)), (27, Oracle.timecents(hold)),
            (28, Oracle.timecents(decay)), (29, 400),
        ]) { seconds in
            let time = seconds - 0.02
            if time <= 0 { return 0 }
            if time < attack { return 1_000 * max(self.convex(time / attack), 0) }
            return 1_000 * max(1 - max(time - attack - hold, 0) / decay, 0.6)
        }
    }

    @Test(arguments: [48, 72]) func modulationHoldAndDecayScaleWithTheKey(key: UInt8) throws {
        let factor = pow(2, 100 * (60 - Double(key)) / 1_200)
        try expectPitch(
            [(7, -700), (27, Oracle.timecents(0.03)), (31, 100), (28, Oracle.timecents(0.1)), (32, 100), (29, 1_000)], key: key
        ) { -700 * max(1 - max($0 - 0.03 * factor, 0) / (0.1 * factor), 0) }
    }

    @Test func modulationEnvelopeIsReleased() throws {
        let font = OracleSoundFont(Oracle.ramp, [(7, 1_200), (30, Oracle.timecents(0.1)), (38, 6_000)])
        let sound = try Oracle.play(font, off: 2_000, frames: 9_000)
        for age in stride(from: 2_304, to: 8_000, by: 64) {
            // The volume falls 3 dB a second: what is read is that much quieter.
            let places = [age, age + 64].map { (age: Int) -> Double in
                let level: Double = -96 * Double(age - 2_000) / 48_000 / Oracle.seconds(6_000)
                return (sound.place(age) - 30_000) / self.decibels(level)
            }
            let cents = 1_200 * log2((places[1] - places[0]) / 64)
            let law = 1_200 * max(1 - Double(age - 2_000) / 4_800, 0)
            let tolerance = 1_200.0 * 128 / 4_800 + 3
            #expect(abs(cents - law) < tolerance, "frame \(age): \(cents), not \(law)")
        }
    }
}
