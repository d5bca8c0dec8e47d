import Glibc
import MIDI
import Testing

@testable import Samplers

/// The filter, measured by its answer to a click, against the analytic low-pass of libfluidsynth: two poles, resonance in
/// centibels above 3.01 dB less, of which half is taken from the whole; open at its highest cutoff without resonance.
@Suite struct OracleFilterTests {
    /// Decibels at `hertz` of a low-pass at so many absolute cents with `resonance` centibels, of which the file asks for `own`.
    static func law(
        _ hertz: Double, cutoff: Double, resonance: Double, own: Double? = nil, rate: Double = 48_000
    ) -> Double {
        func q(_ resonance: Double) -> Double { pow(10, (max(resonance, 0) / 10 - 3.01) / 20) }
        let level = -10 * log10(q(own ?? resonance)), q = q(resonance)
        if cutoff >= 13_500 && resonance <= 0 { return level }
        let omega = 2 * Double.pi * min(Oracle.hertz(cutoff), 0.45 * rate) / rate, alpha = sin(omega) / (2 * q)
        let a = [1 + alpha, -2 * cos(omega), 1 - alpha]
        let b = [(1 - cos(omega)) / 2, 1 - cos(omega), (1 - cos(omega)) / 2]
        func magnitude(_ weights: [Double]) -> Double {
            let w = 2 * Double.pi * hertz / rate
            let real = weights[0] + weights[1] * cos(w) + weights[2] * cos(2 * w)
            let imaginary = weights[1] * sin(w) + weights[2] * sin(2 * w)
            return sqrt(real * real + imaginary * imaginary)
        }
        return 20 * log10(magnitude(b) / magnitude(a)) + level
    }

    /// Decibels at `hertz` of what follows the click at frame `click`.
    private func heard(_ sound: Oracle, _ hertz: Double, click: Int = 512, frames: Int) -> Double {
        let part = sound.part(of: hertz, click - 8..<click + frames, window: false)
        let amplitude = sqrt(part.real * part.real + part.imaginary * part.imaginary)
        return 20 * log10(amplitude / (30_000.0 / 32_768 * Oracle.middle))
    }

    @Test(arguments: [6_000, 8_400, 12_000, 13_500], [0, 60, 240])
    func magnitudesAreThoseOfTheLowPass(cutoff: Int, resonance: Int) throws {
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.clicks(8_000), [(8, cutoff), (9, resonance)]), frames: 8_000)
        for octaves in [-2.0, -0.5, 0, 0.25, 1] {
            let hertz = Oracle.hertz(Double(cutoff)) * pow(2, octaves)
            if hertz > 22_000 { continue }
            let law = Self.law(hertz, cutoff: Double(cutoff), resonance: Double(resonance))
            let heard = heard(sound, hertz, frames: 7_400)
            #expect(abs(heard - law) < 0.1, "\(hertz) Hz: \(heard) dB, not \(law)")
        }
    }

    @Test func noCutoffLiesAbove45PercentOfTheRate() throws {
        var sample = Oracle.clicks(4_000)
        sample.rate = 22_050
        let sound = try Oracle.play(OracleSoundFont(sample, [(8, 13_500), (9, 100)]), frames: 4_000, rate: 22_050)
        for hertz in [1_000.0, 5_000, 9_000, 9_922, 10_500] {
            let law = Self.law(hertz, cutoff: 13_500, resonance: 100, rate: 22_050)
            #expect(abs(heard(sound, hertz, frames: 3_000) - law) < 0.1)
        }
    }

    /// Up to the end of hearing, and beyond.
    @Test(arguments: [48_000.0, 96_000]) func theFilterIsOpenWhereTheFileSaysSo(rate: Double) throws {
        var sample = Oracle.clicks(8_000)
        sample.rate = Int(rate)
        for generators in [[], [(8, 13_500)], [(8, 13_500), (9, 0)]] {
            let sound = try Oracle.play(OracleSoundFont(sample, generators), frames: 8_000, rate: rate)
            for hertz in [20.0, 1_000, 10_000, 18_000, 20_000, 22_000] {
                #expect(abs(heard(sound, hertz, frames: 7_400) - Self.law(hertz, cutoff: 13_500, resonance: 0)) < 0.01)
            }
        }
    }

    /// An oscillator takes the cutoff over its highest place and back: a low sine hears nothing of it.
    @Test(arguments: [0, -2_000, 1_200]) func whoOpensAndClosesOnItsWayDoesNotClick(cents: Int) throws {
        let still = try Oracle.play(OracleSoundFont(Oracle.sine(400), [(54, 1)]), frames: 19_200)
        let moved = try Oracle.play(
            OracleSoundFont(Oracle.sine(400), [(54, 1), (8, 13_000), (10, 1_200), (22, cents)]), frames: 19_200)
        let low = try Oracle.play(OracleSoundFont(Oracle.sine(400), [(54, 1), (8, 11_800)]), frames: 19_200)
        // Nothing but the filter's own delay and its loss at 120 Hz is heard, as where it stays at its lowest.
        func worst(_ sound: Oracle) -> Double {
            (200..<19_000).map { abs(sound.left[Oracle.start + $0] - still.left[Oracle.start + $0]) }.max()!
        }
        #expect(worst(moved) < 1.5 * worst(low) && worst(low) > 0, "\(worst(moved)), \(worst(low))")
    }

    /// A player's resonance adds to the sound, and takes nothing away from the rest of it.
    @Test(arguments: [0, 120]) func resonanceFromAControllerLeavesTheLevelAlone(resonance: Int) throws {
        let font = OracleSoundFont(Oracle.step, [(54, 1), (8, 8_400), (9, resonance)])
        func level(_ value: UInt8, _ values: [String: Float] = [:]) throws -> Double {
            let sound = try Oracle.play(font, frames: 9_600, [(-10, .controller(71, value))], values: values)
            return sound.level(9_000)
        }
        let middle = try level(64)
        for value in [UInt8(0), 100, 127] { #expect(abs(try level(value) - middle) < 0.01) }
        // As libfluidsynth has it, it costs half its height: 20 dB times 63 / 64.
        #expect(abs(try level(127, SamplerRig.rounded) - (try level(64, SamplerRig.rounded)) + 9.84) < 0.05)
    }

    /// Clicks while the cutoff is on its way: the answer of each is that of the cutoff at its time.
    private func expectCutoff(_ generators: [(Int, Int)], _ law: (Double) -> Double) throws {
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.clicks(1_024, count: 20), [(8, 8_400)] + generators), frames: 20_000)
        for number in 0..<18 {
            let click = 512 + number * 1_024
            let laws = stride(from: -128, through: 256, by: 32).map {
                Self.law(2_000, cutoff: law(Double(click + $0) / 48_000), resonance: 0)
            }
            let heard = heard(sound, 2_000, click: click, frames: 900)
            if (laws.min()! - 0.3...laws.max()! + 0.3).contains(heard) { continue }
            Issue.record("click \(number): \(heard) dB, not \(laws[4])")
        }
    }

    @Test(arguments: [1_200, -1_200]) func theOscillatorMovesTheCutoff(cents: Int) throws {
        let hertz = Oracle.hertz(-900)
        try expectCutoff([(10, cents), (22, -900)]) { 8_400 + Double(cents) * OracleLFOTests.triangle(hertz * $0) }
    }

    @Test(arguments: [2_400, -1_200]) func theModulationEnvelopeMovesTheCutoff(cents: Int) throws {
        try expectCutoff([(11, cents), (27, Oracle.timecents(0.1)), (28, Oracle.timecents(0.2)), (29, 1_000)]) {
            8_400 + Double(cents) * min(max(1 - ($0 - 0.1) / 0.2, 0), 1)
        }
    }

    /// What the filter remembers of a low cutoff would burst out at a high one.
    @Test(arguments: [0, 300]) func aJumpOfTheCutoffDoesNotBurst(resonance: Int) throws {
        let line = OracleSoundFont.Line(source: OracleSoundFont.controller(20), destination: 8, amount: 10_000)
        let font = OracleSoundFont(Oracle.sine(400), [(54, 1), (8, 3_000), (9, resonance)], [line])
        let sound = try Oracle.play(
            font, frames: 19_200,
            [
                (0, .controller(20, 127)), (4_800, .controller(20, 0)), (9_600, .controller(20, 127)),
                (14_400, .controller(20, 0)),
            ])
        func peak(_ frames: Range<Int>) -> Double { frames.map { abs(sound.left[Oracle.start + $0]) }.max()! }
        let open = peak(2_000..<4_800)
        #expect(open > 0.09)
        #expect(peak(4_800..<14_400) < 1.5 * open, "\(peak(4_800..<14_400) / open) times the open filter's level")
    }
}
