import CarillonTestKit
import Glibc
import MIDI
import Testing
import Units

/// Aliases, direct current and pitch.
@Suite struct SquareWaveSpectrumTests {
    /// The strongest product that is no harmonic, in decibels relative to the fundamental.
    ///
    /// Master tuning moves the key to a frequency with an odd whole number of periods in the analysed frames, so the
    /// wave repeats exactly: harmonics fall on multiples of that number, aliases anywhere else, and no window blurs them.
    private func worstAlias(
        key: Int, width: Float, sampleRate: Double = 48_000, frames: Int = 16_384
    ) throws -> Double {
        let exact = hertz(Double(key) * 100) * Double(frames) / sampleRate
        let periods = Int(exact / 2) * 2 + 1
        let cents = 1200 * log2(Double(periods) / exact)
        var performance = Performance(sampleRate: sampleRate, ["pulse-width": width, "attack": 0.0005])
        performance.play(.masterTuning(cents: Float(cents), port: 0), at: 0)
        performance.on(key, at: 0)
        let recording = try performance.render(frames + 4_096)
        let bins = Spectrum.magnitudes(recording.left.suffix(frames).map(Double.init))
        #expect(bins[0] / 2 < bins[periods] * 3e-6, "key \(key) at \(width) %: direct current")
        let worst = bins.indices.filter { $0 % periods != 0 }.map { bins[$0] }.max() ?? 0
        return 20 * log10(worst / bins[periods])
    }

    @Test(arguments: [50, 25, 5] as [Float])
    func everyAliasIsNinetyDecibelsBelowTheFundamental(width: Float) throws {
        for key in 21...108 {
            let worst = try worstAlias(key: key, width: width)
            #expect(worst < -90, "key \(key) at \(width) %: \(worst) dB")
        }
    }

    @Test(arguments: [44_100, 96_000] as [Double])
    func aliasesAreAsLowAtOtherRates(sampleRate: Double) throws {
        for key in stride(from: 21, through: 108, by: 3) {
            for width in [50, 33, 12, 95] as [Float] {
                let worst = try worstAlias(key: key, width: width, sampleRate: sampleRate)
                #expect(worst < -90, "key \(key) at \(width) %, \(sampleRate) Hz: \(worst) dB")
            }
        }
    }

    @Test func harmonicsHaveTheStrengthsOfAPulse() throws {
        // Key 69 in 48 000 Hz: the harmonics up to 0.4 of the sample rate are the Fourier series of a pulse.
        for width in [50, 25, 10] as [Float] {
            var performance = Performance(["pulse-width": width])
            performance.on(69, at: 0)
            performance.control(7, 127, at: 0)
            performance.control(10, 0, at: 0)
            let recording = try performance.render(24_000)
            for harmonic in [1, 2, 3, 5, 9, 20, 43] {
                let line = Spectrum.line(
                    recording.left[8_000...].map(Double.init), frequency: 440 * Double(harmonic) / 48_000)
                let heard = (line.real * line.real + line.imaginary * line.imaginary).squareRoot()
                let wanted = abs(4 / (Double.pi * Double(harmonic)) * sin(.pi * Double(harmonic) * Double(width) / 100))
                #expect(abs(heard - wanted) < 0.0005, "harmonic \(harmonic) at \(width) %: \(heard), wanted \(wanted)")
            }
        }
    }

    @Test(arguments: [44_100, 48_000, 192_000] as [Double])
    func pitchIsRightToAHundredthOfACent(sampleRate: Double) throws {
        for key in [21, 33, 48, 60, 69, 70, 84, 97, 108] {
            var performance = Performance(sampleRate: sampleRate)
            performance.on(key, at: 100)
            let recording = try performance.render(Int(sampleRate * 2))
            let cents = recording.pitch(4_800..<recording.left.count, near: Double(key) * 100)
            #expect(abs(cents - Double(key) * 100) < 0.001, "key \(key): \(cents - Double(key) * 100) cents off")
        }
    }

    @Test func widthsBetweenFiveAndNinetyFivePercentHaveNoDirectCurrent() throws {
        for width in [5, 20, 50, 77, 95] as [Float] {
            var performance = Performance(["pulse-width": width])
            performance.play(.masterTuning(cents: -Float(1200 * log2(440 / 400.0)), port: 0), at: 0)    // 400 Hz
            performance.on(69, at: 0)
            let recording = try performance.render(48_000)
            let mean = recording.left[24_000...].reduce(0.0) { $0 + Double($1) } / 24_000
            #expect(abs(mean) < 1e-6, "\(width) %: \(mean)")
        }
    }
}
