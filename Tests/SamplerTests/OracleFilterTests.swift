import Glibc
import MIDI
import Testing

@testable import Sampler

/// The filter, measured by its answer to a click, against the analytic low-pass of libfluidsynth: two poles, resonance in
/// centibels above 3.01 dB less, of which half is taken from the whole.
@Suite struct OracleFilterTests {
    /// Decibels at `hertz` of a low-pass at so many absolute cents with `resonance` centibels.
    static func law(_ hertz: Double, cutoff: Double, resonance: Double, rate: Double = 48_000) -> Double {
        let q = pow(10, (resonance / 10 - 3.01) / 20)
        let omega = 2 * Double.pi * min(Oracle.hertz(cutoff), 0.45 * rate) / rate, alpha = sin(omega) / (2 * q)
        let a = [1 + alpha, -2 * cos(omega), 1 - alpha]
        let b = [(1 - cos(omega)) / 2, 1 - cos(omega), (1 - cos(omega)) / 2]
        func magnitude(_ weights: [Double]) -> Double {
            let w = 2 * Double.pi * hertz / rate
            let real = weights[0] + weights[1] * cos(w) + weights[2] * cos(2 * w)
            let imaginary = weights[1] * sin(w) + weights[2] * sin(2 * w)
            return sqrt(real * real + imaginary * imaginary)
        }
        return 20 * log10(magnitude(b) / magnitude(a) / sqrt(q))
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
