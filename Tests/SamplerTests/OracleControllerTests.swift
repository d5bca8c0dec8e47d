import Glibc
import MIDI
import RealtimeCore
import Testing

@testable import Samplers

/// What GM2, GS and MPE say of a channel: sound controllers, drums, master, zones.
@Suite struct OracleControllerTests {
    private func step(_ generators: [(Int, Int)]) -> OracleSoundFont { OracleSoundFont(Oracle.step, [(54, 1)] + generators) }

    /// Every sound controller at 64 is no controller at all.
    @Test func soundControllersAreNeutralAt64() throws {
        let font = OracleSoundFont(
            Oracle.sine(48),
            [(54, 1), (8, 8_400), (9, 100), (34, -4_000), (36, -2_000), (37, 300), (38, -1_000), (6, 30), (24, -200)])
        let plain = try Oracle.play(font, off: 6_000, frames: 9_000)
        let neutral = try Oracle.play(
            font, off: 6_000, frames: 9_000,
            (71...78).map { (-10, .change($0, 64)) } + (71...78).map { (999, .change($0, 64)) })
        #expect(plain.left == neutral.left && plain.left.contains { abs($0) > 0.05 })
    }

    @Test(arguments: [0, 127]) func attackDecayAndRelease(value: UInt8) throws {
        let place = 2 * Double(value) / 128 - 1
        let attack = 0.02 * pow(2, 6_000 * place / 1_200), decay = 0.2 * pow(2, 3_600 * place / 1_200)
        let rising = try Oracle.play(step([(34, Oracle.timecents(0.02))]), frames: 4_800, [(-9, .change(73, value))])
        rising.expectGain(64..<4_700) { min($0 / attack, 1) }
        let falling = try Oracle.play(
            step([(36, Oracle.timecents(0.2)), (37, 1_000)]), frames: 4_800, [(-9, .change(75, value))])
        falling.expectGain(256..<min(4_700, Int(decay * 0.9 * 48_000)), slack: 3) { pow(10, -96 * $0 / decay / 20) }
        let released = try Oracle.play(
            step([(38, Oracle.timecents(0.2))]), off: 1_000, frames: 4_800, [(-9, .change(72, value))])
        let release = 0.2 * pow(2, 3_600 * place / 1_200)
        released.expectGain(1_200..<min(4_700, 1_000 + Int(release * 0.9 * 48_000)), slack: 2) {
            pow(10, -96 * max($0 - 1_000.0 / 48_000, 0) / release / 20)
        }
    }

    /// Non-registered parameters of GS are other names of them.
    private func nonRegistered(_ upper: UInt8, _ lower: UInt8, _ value: UInt8, on channel: UInt8 = 0) -> [(Int, MusicEvent)] {
        [(-20, .change(99, upper, on: channel)), (-20, .change(98, lower, on: channel)), (-20, .change(6, value, on: channel))]
    }

    @Test func brightnessAndResonance() throws {
        let font = OracleSoundFont(Oracle.clicks(4_000), [(8, 8_400), (9, 100)])
        let cases: [([(Int, MusicEvent)], Double, Double)] = [
            ([(-9, .change(74, 0))], 2_400, 100), ([(-9, .change(74, 127))], 8_400 + 6_000 * 127 / 128.0, 100),
            ([(-9, .change(71, 127))], 8_400, 100 + 200 * 127 / 128.0), ([(-9, .change(71, 0))], 8_400, 0),
            (nonRegistered(1, 0x20, 96), 11_400, 100), (nonRegistered(1, 0x21, 32), 8_400, 0),
        ]
        for (events, cutoff, resonance) in cases where cutoff > 3_000 {
            let sound = try Oracle.play(font, frames: 4_000, events)
            for hertz in [500.0, 1_046, 3_000] {
                let part = sound.part(of: hertz, 500..<3_900, window: false)
                let heard =
                    10 * log10(part.real * part.real + part.imaginary * part.imaginary)
                    - 20 * log10(30_000.0 / 32_768 * Oracle.middle)
                let law = OracleFilterTests.law(hertz, cutoff: min(cutoff, 13_500), resonance: resonance, own: 100)
                #expect(abs(heard - law) < 0.1, "\(hertz) Hz: \(heard) dB, not \(law)")
            }
        }
    }

    /// Non-registered parameters 127 0 ... 127 26, data entry with both bytes.
    private func soundBlaster(_ effect: UInt8, _ data: Int, at time: Int = -20) -> [(Int, MusicEvent)] {
        [(99, 127), (98, effect), (38, UInt8(data & 127)), (6, UInt8(data >> 7))].map { (time, .change($0.0, $0.1)) }
    }

    @Test func soundBlastersFilterPitchAndEnvelope() throws {
        // Before the note, and while it sounds; and with the lower byte alone.
        let open = OracleSoundFont(Oracle.clicks(4_000), [(8, 13_500), (9, 0)])
        for events in [soundBlaster(21, 40), [(-20, .change(99, 127)), (-20, .change(98, 21)), (-20, .change(38, 40))]] {
            let sound = try Oracle.play(open, frames: 4_000, events)
            let part = sound.part(of: 1_046, 500..<3_900, window: false)
            let heard =
                10 * log10(part.real * part.real + part.imaginary * part.imaginary)
                - 20 * log10(30_000.0 / 32_768 * Oracle.middle)
            #expect(abs(heard - OracleFilterTests.law(1_046, cutoff: 4_500 + 40 * 59, resonance: 0)) < 0.1)
        }
        let pitch = try Oracle.play(
            OracleSoundFont(Oracle.ramp, [(52, 7)]), frames: 4_000, soundBlaster(16, 8_192 + 150, at: 1_000))
        #expect(abs(pitch.cents(200, 900) - 7) < 0.1 && abs(pitch.cents(1_200, 3_900) - 157) < 0.1)
        let attack = try Oracle.play(
            OracleSoundFont(Oracle.step, [(54, 1), (34, -12_000)]), frames: 6_000, soundBlaster(11, 8_192 + 100))
        attack.expectGain(128..<5_900) { min($0 / 0.1, 1) }
    }

    @Test func vibratosRateDepthAndDelay() throws {
        let font = OracleSoundFont(Oracle.ramp, [(6, 20), (24, Int(-1_200 * log2(8.175798915643707 / 8)))])
        let sound = try Oracle.play(
            font, frames: 24_000, [(-9, .change(76, 32)), (-9, .change(77, 127)), (-9, .change(78, 64))])
        let hertz = Oracle.hertz(Double(Int(-1_200 * log2(8.175798915643707 / 8))) - 600)
        let depth = 20 + 50 * 63 / 64.0
        for age in stride(from: 256, to: 23_900, by: 64) {
            let laws = stride(from: -128, through: 192, by: 16).map {
                depth * OracleLFOTests.triangle(hertz * Double(age + $0) / 48_000 - hertz * 0.001)
            }
            let heard = sound.cents(age, age + 64)
            if (laws.min()! - 0.5...laws.max()! + 0.5).contains(heard) { continue }
            Issue.record("frame \(age): \(heard) cents, not \(laws[8])")
            break
        }
    }

    // MARK: Drums

    @Test func drumsHavePitchLevelAndPan() throws {
        let pitch = nonRegistered(0x18, 60, 67), others = nonRegistered(0x1A, 60, 64) + nonRegistered(0x1C, 60, 127)
        func drum(_ sample: OracleSoundFont.Sample, _ key: UInt8, _ events: [(Int, MusicEvent)]) throws -> Oracle {
            let drums = events.map { ($0.0, MusicEvent.onDrums($0.1)) }
            var all = drums.map { TimedMusicEvent(time: SampleTime(Int64(Oracle.start + $0.0)), event: $0.1) }
            all.append(TimedMusicEvent(time: SampleTime(Int64(Oracle.start)), event: .key(key, on: 9)))
            var font = OracleSoundFont(sample, [(54, 1), (56, 0)])
            font.presets.append([.init()])
            font.hasKit = true
            return try Oracle(font, events: all, frames: Oracle.start + 3_000, bus: 9)
        }
        let level = try drum(Oracle.step, 60, others), other = try drum(Oracle.step, 61, others)
        #expect(abs(level.right[Oracle.start + 2_900] / (0.5 * Oracle.filterGain) - 0.25) < 0.01)
        // The pitch of a ramp: three semitones up, and only this key.
        #expect(abs(try drum(Oracle.ramp, 60, pitch).cents(512, 2_900) - 300) < 0.1)
        #expect(abs(try drum(Oracle.ramp, 61, pitch).cents(512, 2_900)) < 0.1)
        #expect(abs(level.left[Oracle.start + 2_900]) < 0.001 && abs(other.gain(2_900) - 1) < 0.01)
    }

    // MARK: Master

    @Test func masterVolumeBalanceAndTuning() throws {
        let font = step([])
        let quiet = try Oracle.play(font, frames: 9_600, [(1_000, .masterVolume(0.25, port: 0))])
        #expect(abs(quiet.gain(900) - 1) < 0.001 && abs(quiet.gain(9_500) - 0.25) < 0.002)
        let steps = (900..<9_000).map { abs(quiet.gain($0 + 1) - quiet.gain($0)) }
        #expect(steps.max()! < 0.005)
        let right = try Oracle.play(font, frames: 9_600, [(1_000, .masterBalance(0.5, port: 0))])
        #expect(abs(right.gain(9_500) - 0.5) < 0.002)
        let tuned = try Oracle.play(
            OracleSoundFont(Oracle.ramp), frames: 4_000, [(1_000, .masterTuning(cents: -150, port: 0))])
        #expect(abs(tuned.cents(300, 960)) < 0.1 && abs(tuned.cents(1_200, 3_900) + 150) < 0.1)
    }

    // MARK: MPE

    /// A zone of three members under channel 1; a note on channel 2.
    private func member(_ font: OracleSoundFont, _ events: [(Int, MusicEvent)], frames: Int = 4_000) throws -> Oracle {
        let zone: [MusicEvent] = [.change(101, 0), .change(100, 6), .change(6, 3)]
        var all = zone.map { TimedMusicEvent(time: .zero, event: $0) }
        all += events.map { TimedMusicEvent(time: SampleTime(Int64(Oracle.start + $0.0)), event: $0.1) }
        all.append(TimedMusicEvent(time: SampleTime(Int64(Oracle.start)), event: .key(60, on: 1)))
        return try Oracle(font, events: all, frames: Oracle.start + frames)
    }

    @Test func bendsOfMemberAndManagerAddUp() throws {
        let sound = try member(
            OracleSoundFont(Oracle.ramp),
            [(1_000, .bend(1_024, on: 1)), (2_000, .bend(4_096)), (3_000, .bend(8_191, on: 2))], frames: 4_000)
        // Members bend by 48 semitones, managers by two.
        for (range, wanted) in [(300..<960, 0.0), (1_200..<1_960, 600), (2_200..<2_960, 700), (3_200..<3_960, 700)] {
            let heard = sound.cents(range.lowerBound, range.upperBound)
            #expect(abs(heard - wanted) < 0.5, "\(heard), not \(wanted)")
        }
    }

    @Test func pressureAndBrightnessAreTheMembersOwnOrTheZones() throws {
        let line = OracleSoundFont.Line(source: OracleSoundFont.source(13), destination: 52, amount: 128)
        let still = OracleSoundFont.Line(source: OracleSoundFont.source(13), destination: 6, amount: 0)
        let sound = try member(
            OracleSoundFont(Oracle.ramp, [], [line, still]),
            [(1_000, .channelPressure(50, on: 1)), (2_000, .channelPressure(90)), (3_000, .channelPressure(120, on: 2))])
        for (range, wanted) in [(300..<960, 0.0), (1_200..<1_960, 50), (2_200..<2_960, 90), (3_200..<3_960, 90)] {
            #expect(abs(sound.cents(range.lowerBound, range.upperBound) - wanted) < 0.1)
        }
        let bright = OracleSoundFont.Line(
            source: OracleSoundFont.controller(74, isBipolar: true), destination: 52, amount: 64)
        let shining = try member(
            OracleSoundFont(Oracle.ramp, [], [bright]), [(1_000, .change(74, 80, on: 1)), (2_000, .change(74, 74))])
        for (range, wanted) in [(300..<960, 0.0), (1_200..<1_960, 16), (2_200..<2_960, 26)] {
            #expect(abs(shining.cents(range.lowerBound, range.upperBound) - wanted) < 0.1)
        }
    }
}
