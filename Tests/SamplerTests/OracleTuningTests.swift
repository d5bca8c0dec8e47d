import Glibc
import MIDI
import Testing

@testable import Samplers

/// Pitch in cents, measured on a ramp: how fast the sample is read. Generators 51, 52, 56 and 58 and the sample's own
/// numbers, section 8.1.3 of the SoundFont Technical Specification 2.04.
@Suite struct OracleTuningTests {
    /// What is heard of `key`, in cents above the sample as it was recorded, its rate left aside.
    private func cents(
        _ generators: [(Int, Int)], key: UInt8 = 60, root: Int = 60, correction: Int = 0, rate: Int = 48_000,
        output: Double = 48_000
    ) throws -> Double {
        var sample = Oracle.ramp
        (sample.key, sample.correction, sample.rate) = (root, correction, rate)
        let sound = try Oracle.play(OracleSoundFont(sample, generators), key: key, frames: 6_400, rate: output)
        return sound.cents(512, 6_000) + 1_200 * log2(output / Double(rate))
    }

    private func expect(_ heard: Double, _ wanted: Double, at location: SourceLocation = #_sourceLocation) {
        #expect(abs(heard - wanted) < 0.1, "\(heard) cents instead of \(wanted)", sourceLocation: location)
    }

    @Test(arguments: [36, 59, 60, 61, 72, 84]) func keysAreSemitones(key: UInt8) throws {
        expect(try cents([], key: key), 100 * (Double(key) - 60))
    }

    @Test(arguments: [-24, -1, 7, 24]) func coarseTuneIsInSemitones(semitones: Int) throws {
        expect(try cents([(51, semitones)]), 100 * Double(semitones))
    }

    @Test(arguments: [-99, -1, 1, 50, 99]) func fineTuneIsInCents(fine: Int) throws {
        expect(try cents([(52, fine)]), Double(fine))
    }

    @Test(arguments: [0, 25, 50, 100, 200]) func scaleTuningIsCentsAKey(scale: Int) throws {
        expect(try cents([(56, scale)], key: 67), 7 * Double(scale))
        expect(try cents([(56, scale)], key: 55), -5 * Double(scale))
    }

    @Test func theRootIsTheSamplesOwnOrTheZones() throws {
        expect(try cents([], key: 60, root: 72), -1_200)
        expect(try cents([(58, 55)], key: 60, root: 72), 500)
        expect(try cents([(58, 0), (56, 25)], key: 40, root: 72), 1_000)
    }

    @Test(arguments: [-50, 17, 99]) func theSamplesCorrectionIsAdded(correction: Int) throws {
        expect(try cents([], correction: correction), Double(correction))
        expect(try cents([(58, 62)], correction: correction), -200 + Double(correction))
    }

    @Test(arguments: [0, 50, 100, 200]) func theKeyDoesNotScaleTheCorrection(scale: Int) throws {
        expect(try cents([(56, scale), (52, 10)], key: 63, correction: 40), 3 * Double(scale) + 50)
        expect(try cents([(56, scale), (58, 69)], key: 69, correction: 40), 40)
    }

    @Test(arguments: [22_050, 32_000, 96_000]) func theRateOfTheSampleCounts(rate: Int) throws {
        expect(try cents([], key: 62, rate: rate), 200)
    }

    @Test(arguments: [22_050.0, 44_100, 96_000]) func theRateOfTheOutputCounts(rate: Double) throws {
        expect(try cents([], key: 62, output: rate), 200)
    }

    @Test func everythingAddsUp() throws {
        let heard = try cents([(51, 3), (52, -20), (56, 50), (58, 58)], key: 64, root: 30)
        expect(heard, 300 - 20 + 50 * 6)
    }

    /// The same by ear: a sine of 480 Hz.
    @Test(arguments: [(60, 0, 480.0), (69, 0, 480 * 1.681792830507429), (60, -37, 480 * 0.9788549)])
    func aSineHasItsFrequency(key: UInt8, fine: Int, hertz: Double) throws {
        let sound = try Oracle.play(OracleSoundFont(Oracle.sine(100), [(54, 1), (52, fine)]), key: key, frames: 22_000)
        let heard = sound.frequency(near: hertz, 1_000, 21_000)
        #expect(abs(1_200 * log2(heard / hertz)) < 0.1, "\(heard) Hz instead of \(hertz)")
        // All of its level is there, and so no other one was found.
        let part = sound.part(of: hertz, 1_000..<21_000)
        let amplitude = 2 * sqrt(part.real * part.real + part.imaginary * part.imaginary)
        #expect(abs(amplitude / (20_000.0 / 32_768 * Oracle.filterGain * Oracle.middle) - 1) < 0.02)
    }
}
