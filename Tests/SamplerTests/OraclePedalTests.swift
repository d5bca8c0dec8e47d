import Glibc
import MIDI
import Testing

@testable import Samplers

/// Pedals and channel modes: who goes on, who is released, and when; a step with a release of 0.1 s tells.
@Suite struct OraclePedalTests {
    /// 96 dB in 0.2 s: 4 800 frames after its release a step is 48 dB down.
    private static let font = OracleSoundFont(Oracle.step, [(54, 1), (38, Oracle.timecents(0.2))])

    /// Gain at some frames of key 60, which goes down at 0.
    private func gains(_ ages: [Int], off: Int?, _ events: [(Int, MusicEvent)]) throws -> [Double] {
        let sound = try Oracle.play(Self.font, off: off, frames: 19_200, events)
        return ages.map { sound.gain($0) }
    }

    private func isHeld(_ gain: Double) -> Bool { gain > 0.99 }
    /// 0.1 s after its release.
    private func isFallen(_ gain: Double, by decibels: Double = 48) -> Bool { abs(20 * log10(gain) + decibels) < 3 }

    @Test func theDamperPedalHoldsUntilItIsUp() throws {
        let gains = try gains([8_000, 14_400], off: 2_000, [(1_000, .change(64, 64)), (9_600, .change(64, 63))])
        // Half-pedal is still down at 63: 2 362 timecents longer.
        #expect(isHeld(gains[0]) && gains[1] > 0.05)
        let up = try self.gains([8_000, 14_400], off: 2_000, [(1_000, .change(64, 127)), (9_600, .change(64, 0))])
        #expect(isHeld(up[0]) && isFallen(up[1]))
    }

    @Test func aPedalThatComesTooLateHoldsNothing() throws {
        #expect(isFallen(try gains([6_800], off: 2_000, [(2_200, .change(64, 127))])[0]))
    }

    /// Half down it damps by half: at 32, releases take twice as long.
    @Test(arguments: [0, 16, 32, 48]) func theDamperHalfDownLengthensReleases(value: UInt8) throws {
        let sound = try Oracle.play(Self.font, off: 2_000, frames: 9_600, [(1_000, .change(64, value))])
        let seconds = 0.2 * pow(2, Double(value) * 2_400 / 64 / 1_200)
        sound.expectGain(2_200..<9_500, slack: 2) { pow(10, -96 * max($0 - 2_000.0 / 48_000, 0) / seconds / 20) }
    }

    @Test func sostenutoHoldsWhatIsDownWithIt() throws {
        let caught = try gains([8_000, 14_400], off: 2_000, [(1_000, .change(66, 127)), (9_600, .change(66, 0))])
        #expect(isHeld(caught[0]) && isFallen(caught[1]))
        // Keys that come later are not caught.
        #expect(isFallen(try gains([6_800], off: 2_000, [(-500, .change(66, 127))])[0]))
        // Both pedals: the last one up lets go.
        let both = try gains(
            [9_000, 17_000], off: 2_000,
            [(1_000, .change(66, 127)), (1_500, .change(64, 127)), (4_000, .change(66, 0)), (12_200, .change(64, 0))])
        #expect(isHeld(both[0]) && isFallen(both[1]))
    }

    @Test func softPedalIsSofterByThreeDecibels() throws {
        let gains = try gains([2_000], off: nil, [(-500, .change(67, 127))])
        #expect(abs(20 * log10(gains[0]) + 3) < 0.02)
        // What sounds already stays.
        #expect(isHeld(try self.gains([4_000], off: nil, [(2_000, .change(67, 127))])[0]))
    }

    /// 600 cents less of cutoff: what a sine at the cutoff loses by it.
    @Test func softPedalIsDullerByHalfAnOctave() throws {
        let font = OracleSoundFont(Oracle.sine(48), [(54, 1), (8, 8_300)])
        let parts = try [[], [(-500, MusicEvent.change(67, 127))]].map { events in
            let part = try Oracle.play(font, frames: 9_600, events).part(of: 1_000, 2_000..<9_000)
            return 10 * log10(part.real * part.real + part.imaginary * part.imaginary)
        }
        let law =
            OracleFilterTests.law(1_000, cutoff: 7_700, resonance: 0)
            - OracleFilterTests.law(1_000, cutoff: 8_300, resonance: 0)
        #expect(abs(parts[1] - parts[0] - (law - 3)) < 0.05)
    }

    // MARK: Channel modes

    @Test func resetAllControllersLiftsThePedals() throws {
        let gains = try gains([8_000, 14_400], off: 2_000, [(1_000, .change(64, 127)), (9_600, .change(121, 0))])
        #expect(isHeld(gains[0]) && isFallen(gains[1]))
        // Bend and pressure are back, volume and pan stay.
        let ramp = try Oracle.play(
            OracleSoundFont(Oracle.ramp, [(56, 0)]), frames: 6_000, [(500, .bend(8_191)), (3_000, .change(121, 0))])
        #expect(ramp.cents(1_000, 2_900) > 199 && abs(ramp.cents(3_200, 5_900)) < 0.1)
    }

    @Test func allNotesOffObeysThePedal() throws {
        #expect(isFallen(try gains([6_800], off: nil, [(2_000, .change(123, 0))])[0]))
        let held = try gains(
            [8_000, 14_400], off: nil, [(1_000, .change(64, 127)), (2_000, .change(123, 0)), (9_600, .change(64, 0))])
        #expect(isHeld(held[0]) && isFallen(held[1]))
    }

    @Test func allSoundOffFadesWithin64Frames() throws {
        let sound = try Oracle.play(Self.font, frames: 4_000, [(1_000, .change(64, 127)), (2_000, .change(120, 0))])
        #expect(isHeld(sound.gain(1_990)))
        // The period that has begun ends, and the next one fades.
        #expect(sound.left[(Oracle.start + 2_000 + 192)...].allSatisfy { abs($0) < 1e-6 })
        let steps = (1_900..<2_300).map { abs(sound.gain($0 + 1) - sound.gain($0)) }
        #expect(steps.max()! < 1.5 / 64, "\(steps.max()!)")
    }

    // MARK: Mono

    private static let mono: [(Int, MusicEvent)] = [(-500, .change(126, 1))]

    /// The pitch of a ramp tells which key sounds.
    private func cents(_ events: [(Int, MusicEvent)], _ ranges: [Range<Int>], off: Int? = nil) throws -> [Double] {
        var sample = Oracle.ramp
        sample.loop = 0..<60_000
        let font = OracleSoundFont(sample, [(54, 1), (38, -12_000)])
        let sound = try Oracle.play(font, off: off, frames: (ranges.last?.upperBound ?? 0) + 64, events)
        return ranges.map { sound.cents($0.lowerBound, $0.upperBound) }
    }

    @Test func monoPlaysOneKeyAndGoesBackToTheOneBefore() throws {
        let heard = try cents(
            Self.mono + [(2_400, .key(67)), (6_000, .up(67))], [1_000..<2_300, 3_600..<5_900, 6_300..<9_000])
        for (heard, wanted) in zip(heard, [0.0, 700, 0]) { #expect(abs(heard - wanted) < 0.1) }
        // One at a time: the step's gain is never two.
        let sound = try Oracle.play(Self.font, frames: 9_600, Self.mono + [(2_400, .key(67))])
        #expect(abs(sound.gain(9_000) - 1) < 0.01)
    }

    @Test func theLegatoPedalLetsTheVoiceGoOn() throws {
        let legato = Self.mono + [(-400, .change(68, 127)), (2_400, .key(67))]
        let heard = try cents(legato, [1_000..<2_300, 2_700..<5_900])
        for (heard, wanted) in zip(heard, [0.0, 700]) { #expect(abs(heard - wanted) < 0.1) }
        // No new attack: the gain of a slow one goes on from where it was.
        let font = OracleSoundFont(Oracle.step, [(54, 1), (34, Oracle.timecents(0.1))])
        let sound = try Oracle.play(font, frames: 6_000, legato)
        sound.expectGain(128..<5_900) { min($0 / 0.1, 1) }
    }

    /// Without controller 37, controller 5 is a pace: three octaves in as many seconds as a Roland SC-55 takes.
    @Test(
        arguments: [(1, 0.006), (2, 0.023), (4, 0.050), (8, 0.110), (16, 0.250), (32, 0.500), (64, 2.06), (96, 8.4)],
        [2, 12, 36])
    func portamentoHasTheModulesPace(time: (value: UInt8, seconds: Double), keys: UInt8) throws {
        let seconds = time.seconds * Double(keys) / 36, rate = seconds > 0.1 ? 8_000.0 : 48_000
        // Controller 84 names the key, so that no other note sounds; a long glide reads the ramp slowly, so that it lasts.
        var sample = Oracle.ramp
        if seconds > 0.1 { sample.key = 108 }
        let frames = Int(seconds * rate * 1.1) + 1_200
        func play(_ events: [(Int, MusicEvent)]) throws -> Oracle {
            try Oracle.play(OracleSoundFont(sample, [(38, -12_000)]), frames: frames, events, rate: rate)
        }
        let sound = try play([(-1_000, .change(5, time.value)), (-300, .change(84, 60 - keys))])
        // Nine tenths of the way after nine tenths of the time: within 15 %, and what the grid of 64 frames hides.
        let wanted = 0.9 * seconds * rate, slack = max(0.15 * wanted, 80)
        if seconds < 0.01 {
            // Over before a window is: it has read so many frames less.
            let octaves = Double(keys) / 12, share = 1 - (1 - exp2(-octaves)) / (octaves * log(2))
            let missing = try play([]).place(frames - 100) - sound.place(frames - 100)
            #expect(abs(0.9 * missing / share - wanted) < slack)
            return
        }
        let end = sound.cents(frames - 800, frames - 100)
        func way(_ frame: Double) -> Double {
            1 + (sound.cents(Int(frame) - 32, Int(frame) + 32) - end) / 100 / Double(keys)
        }
        #expect(way(wanted - slack) < 0.9 && way(wanted + slack) > 0.9)
    }

    /// Controller 65, and the key struck before.
    @Test func portamentoComesFromTheKeyBefore() throws {
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.ramp, [(38, -12_000)]), frames: 24_000,
            [(-1_000, .change(5, 32)), (-1_000, .change(65, 127)), (-900, .key(48)), (-800, .up(48))])
        #expect(abs(sound.cents(3_968, 4_032) + 600) < 20 && abs(sound.cents(9_000, 23_000)) < 0.1)
    }

    @Test func thePaceLiesOnAStraightLineOfLogarithms() {
        for (value, seconds) in [(0, 0), (1, 0.006), (2, 0.023), (4, 0.05), (48, 1.01489), (64, 2.06), (96, 8.4), (127, 480)] {
            let heard = GlideTime.threeOctaves(UInt8(value))
            #expect(abs(heard - seconds) <= seconds * 1e-4, "controller 5 at \(value): \(heard) s")
        }
    }

    @Test func portamentoGlidesStraightInCents() throws {
        // 5 and 37: milliseconds.
        let glide: [(Int, MusicEvent)] = [(-400, .change(5, 0)), (-400, .change(37, 100)), (-400, .change(65, 127))]
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.ramp, [(38, -12_000)]), key: 72, frames: 9_000,
            glide + [(-300, .key(60)), (-200, .up(60))])
        // The key before has gone by then: 10 ms, and the shortest release.
        for age in stride(from: 1_024, to: 8_900, by: 64) {
            let laws = [-128, 0, 128].map { min(1_200 * Double(age + $0) / 4_800, 1_200) }
            let heard = sound.cents(age, age + 64)
            if (laws[0] - 1...laws[2] + 1).contains(heard) { continue }
            Issue.record("frame \(age): \(heard) cents, not \(laws[1])")
            break
        }
        // Controller 84 names a key to glide from, once.
        let named = try Oracle.play(
            OracleSoundFont(Oracle.ramp), frames: 9_000, [(-400, .change(37, 100)), (-300, .change(84, 48))])
        #expect(abs(named.cents(2_400, 2_464) + 600) < 40 && abs(named.cents(5_200, 8_900)) < 0.1)
    }
}
