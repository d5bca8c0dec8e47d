import CarillonTestKit
import Glibc
import MIDI
import Testing
import UnitAPI
import Units

/// What the polysynth's oscillators and filter make, against formulas.
@Suite struct PolySynthSpectrumTests {
    private static let shapes = ["sine", "triangle", "saw", "square"]

    /// The strongest line that is no partial, in decibels below the fundamental: see `SquareWaveSpectrumTests`.
    private func worstAlias(key: Int, _ settings: [String: Float], sampleRate: Double = 48_000) throws -> Double {
        let frames = 16_384, exact = hertz(Double(key) * 100) * Double(frames) / sampleRate, periods = Int(exact / 2) * 2 + 1
        var performance = Performance.polySynth(sampleRate: sampleRate, settings)
        performance.play(.masterTuning(cents: Float(1200 * log2(Double(periods) / exact)), port: 0), at: 0)
        performance.on(key, at: 0)
        let bins = Spectrum.magnitudes(try performance.render(frames + 6_000).left.suffix(frames).map(Double.init))
        return 20 * log10((bins.indices.filter { $0 % periods != 0 }.map { bins[$0] }.max() ?? 0) / bins[periods])
    }

    @Test(arguments: [0, 1, 2, 3]) func everyAliasIsNinetyDecibelsBelowTheFundamental(_ shape: Int) throws {
        for key in [24, 45, 69, 84, 96, 105] {
            let worst = try worstAlias(key: key, ["osc-1-shape": Float(shape), "osc-1-width": 30])
            #expect(worst < -90, "\(Self.shapes[shape]) on key \(key): \(worst) dB")
        }
        let second: [String: Float] = ["osc-2-shape": Float(shape), "osc-1-level": 0, "osc-2-level": 100, "osc-2-fine": 0]
        let other = try worstAlias(key: 90, second)
        #expect(other < -90, "\(other) dB of the second")
        let slow = try worstAlias(key: 90, ["osc-1-shape": Float(shape)], sampleRate: 44_100)
        #expect(slow < -90, "\(slow) dB at 44.1 kHz")
    }

    @Test func pitchIsRightToAHundredthOfACent() throws {
        for (settings, cents) in [
            ([:], 6900.0), (["osc-1-octave": -1, "osc-1-semitones": 7, "osc-1-fine": -20], 6380), (["tune": 50], 6950),
            (["osc-1-level": 0, "osc-2-level": 80, "osc-2-octave": 1, "osc-2-semitones": -5, "osc-2-fine": 3], 7603),
        ] as [([String: Float], Double)] {
            var performance = Performance.polySynth(settings)
            performance.on(69, at: 100)
            let heard = try performance.render(60_000)
            #expect(abs(heard.pitch(4_800..<60_000, near: cents) - cents) < 0.01, "\(settings)")
        }
    }

    /// The partials of a saw, each as loud as the filter's formula leaves it; `w` is the frequency as a part of the cutoff.
    @Test(arguments: [0, 1, 2], [0, 1]) func theFilterIsThatOfTheFormula(_ type: Int, _ slope: Int) throws {
        for (cutoff, resonance) in [(500, 0), (1_500, 60), (6_000, 100)] as [(Float, Float)] {
            var performance = Performance.polySynth([
                "filter": Float(type), "slope": Float(slope), "cutoff": cutoff, "resonance": resonance,
            ])
            performance.on(45, at: 0)
            performance.control(7, 127, at: 0)
            performance.control(10, 0, at: 0)
            let heard = try performance.render(48_000).left[16_000...].map(Double.init)
            let peak = exp2(4.5 * Double(resonance) / 100), first = slope == 1 ? 0.5411961 : 0.70710678 * peak
            for partial in [1, 2, 5, 14, 30, 55, 100] {
                let frequency = 110 * Double(partial)
                let w = tan(.pi * frequency / 48_000) / tan(.pi * Double(cutoff) / 48_000)
                func gain(_ quality: Double) -> Double {
                    let size = ((1 - w * w) * (1 - w * w) + w * w / quality / quality).squareRoot()
                    return (type == 0 ? 1 : type == 1 ? w / quality : w * w) / size
                }
                let wanted = 0.5 * 2 / (.pi * Double(partial)) * gain(first) * (slope == 1 ? gain(1.306563 * peak) : 1)
                let line = Spectrum.line(heard, frequency: frequency / 48_000)
                let found = (line.real * line.real + line.imaginary * line.imaginary).squareRoot()
                if wanted > 1e-6 {
                    #expect(abs(20 * log10(found / wanted)) < 0.1, "\(frequency) Hz, cutoff \(cutoff): \(found), not \(wanted)")
                }
            }
        }
    }

    @Test func noiseIsWhiteAndAnotherInEveryNote() throws {
        var performance = Performance.polySynth(["osc-1-level": 0, "noise-level": 100, "cutoff": 20_000])
        performance.on(60, at: 0)
        performance.off(60, at: 40_000)
        performance.on(60, at: 50_000)
        let heard = try performance.render(100_000)
        // A uniform number has its peak times one over the root of 3; half of full scale, through pan and volume of the part.
        let level = heard.level(10_000..<39_000), reference = 0.5 / 3.0.squareRoot()
        #expect(level > reference * 0.2 && level < reference)
        let same = (1_000..<30_000).filter { heard.left[$0] == heard.left[$0 + 50_000] }.count
        #expect(same < 100)
        // Two bands of equal width have as much.
        let bins = Spectrum.magnitudes(heard.left[6_000..<(6_000 + 32_768)].map(Double.init))
        func power(_ range: Range<Int>) -> Double { bins[range].reduce(0) { $0 + $1 * $1 } }
        #expect(abs(10 * log10(power(1_000..<3_000) / power(5_000..<7_000))) < 1)
    }

    @Test func theCutoffGoesWithTheKeysAndTheSoundControllers() throws {
        /// How loud the eighth partial is against the first, in decibels.
        func brightness(_ settings: [String: Float], key: Int, controller: Int = 64) throws -> Double {
            var performance = Performance.polySynth(settings.merging(["slope": 1, "cutoff": 300]) { $1 })
            performance.control(74, controller, at: 0)
            performance.on(key, at: 10)
            let heard = try performance.render(40_000)
            return 20 * log10(heard.fundamental(key + 36, 10_000..<40_000) / heard.fundamental(key, 10_000..<40_000))
        }
        let low = try brightness(["key-follow": 100], key: 48), high = try brightness(["key-follow": 100], key: 60)
        let fixed = try brightness([:], key: 48), higher = try brightness([:], key: 60)
        #expect(abs(low - high) < 0.2 && fixed - higher > 5, "\(low) \(high) \(fixed) \(higher)")
        // 64 steps are four octaves, so 16 are one.
        let opened = try brightness([:], key: 60, controller: 80)
        #expect(abs(opened - (try brightness([:], key: 48))) < 0.3)
    }
}
