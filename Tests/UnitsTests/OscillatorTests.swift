import CarillonTestKit
import DSP
import Glibc
import Testing
import UnitAPI
import Units

/// Frequencies, levels, partials and aliases, and where the phase is.
@Suite struct OscillatorTests {
    private static let shapes = ["sine", "triangle", "saw", "square"]

    private typealias Change = (time: Int, parameter: Oscillator.Parameter, value: Float)

    private static func run(
        _ values: [String: Float], _ changes: [Change] = [], frames: Int, block: Int = 512, rate: Double = 48_000
    ) throws -> OfflineRig {
        let rig = OfflineRig(sampleRate: rate), node = try rig.add(Oscillator.self, startValues: values)
        try rig.graph.setOutput(node)
        try rig.publish()
        for change in changes { rig.set(change.parameter, change.value, of: node, at: change.time) }
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig
    }

    @Test(arguments: [0, 1, 2, 3], [44_100, 48_000, 192_000] as [Double])
    func theFrequencyIsExact(_ shape: Int, _ rate: Double) throws {
        for frequency in [20, 440, 997, 9_999] as [Float] {
            let values: [String: Float] = ["shape": Float(shape), "frequency": frequency]
            let heard = try Self.run(values, frames: Int(rate), block: 4_096, rate: rate).recording[0]
            let measured = Spectrum.frequency(heard.dropFirst(2_000).map(Double.init), near: Double(frequency) / rate) * rate
            #expect(abs(measured / Double(frequency) - 1) < 1e-6, "\(frequency) Hz: \(measured)")
        }
    }

    /// The strongest line that is no partial, and direct current, in decibels below the fundamental. The frequency has a whole
    /// odd number of periods in the analysed frames, exactly, so that no window blurs anything.
    private func worstAlias(_ shape: Int, near frequency: Double, width: Float = 50, rate: Double = 48_000) throws -> Double {
        let frames = 16_384, periods = Int(frequency * Double(frames) / rate / 2) * 2 + 1
        let exact = Float(Double(periods) * rate / Double(frames))
        let values: [String: Float] = ["shape": Float(shape), "frequency": exact, "pulse-width": width, "level": 0]
        let heard = try Self.run(values, frames: frames + 2_000, block: 4_096, rate: rate).recording[0]
        let bins = Spectrum.magnitudes(heard.suffix(frames).map(Double.init))
        return decibels((bins.indices.filter { $0 % periods != 0 }.map { bins[$0] } + [bins[0]]).max()! / bins[periods])
    }

    @Test(arguments: [0, 1, 2, 3]) func everyAliasIsNinetyDecibelsBelowTheFundamental(_ shape: Int) throws {
        for frequency in [55, 440, 1_234, 2_500, 5_000, 7_000, 11_000, 18_000] as [Double] {
            let worst = try worstAlias(shape, near: frequency)
            #expect(worst < -90, "\(Self.shapes[shape]) of \(frequency) Hz: \(worst) dB")
        }
        let slow = try worstAlias(shape, near: 5_000, rate: 96_000)
        #expect(slow < -90, "\(slow) dB at 96 kHz")
    }

    @Test(arguments: [5, 25, 90] as [Float]) func narrowPulsesHaveNoAliasesAndNoDirectCurrent(_ width: Float) throws {
        for frequency in [100, 5_000] as [Double] {
            let worst = try worstAlias(3, near: frequency, width: width)
            #expect(worst < -90, "\(width) % of \(frequency) Hz: \(worst) dB")
        }
    }

    /// The partials up to 0.4 of the sample rate are those of the plain shape, in magnitude and in phase.
    @Test(arguments: [0, 1, 2, 3]) func thePartialsAreThoseOfTheShape(_ shape: Int) throws {
        let heard = try Self.run(["shape": Float(shape), "frequency": 500, "level": -6], frames: 52_800).recording[0]
        for partial in [1, 2, 3, 5, 8, 9, 20, 37] {
            let n = Double(partial), isOdd = partial % 2 == 1
            var real = 0.0, imaginary = 0.0
            for i in 4_800..<52_800 {
                real += Double(heard[i]) * DeterministicMath.cosine(turns: Double(i) * 500 * n / 48_000) / 24_000
                imaginary += Double(heard[i]) * DeterministicMath.sine(turns: Double(i) * 500 * n / 48_000) / 24_000
            }
            // Fourier: sines only, and which sign they have.
            let wanted: Double =
                switch shape {
                case 1: isOdd ? 8 / (.pi * .pi * n * n) * (partial % 4 == 1 ? 1 : -1) : 0
                case 2: 2 / (.pi * n) * (isOdd ? 1 : -1)
                case 3: isOdd ? 4 / (.pi * n) : 0
                default: partial == 1 ? 1 : 0
                }
            let level = Double(Decibels.amplitude(-6))
            #expect(abs(imaginary - wanted * level) < 3e-5 && abs(real) < 3e-5, "partial \(n): \(imaginary), \(real)")
        }
    }

    @Test(arguments: [0, -6, -60, -120] as [Float]) func theLevelIsThePeakOfASine(_ level: Float) throws {
        let heard = try Self.run(["level": level, "frequency": 1_000], frames: 9_600).recording
        let peak = heard[1][4_800...].reduce(0) { max($0, abs($1)) }
        #expect(abs(peak - Decibels.amplitude(level)) <= 1e-6 && heard[0] == heard[1])
    }

    @Test(arguments: [90, -60, 180] as [Float]) func theRightSideIsAheadByThePhase(_ degrees: Float) throws {
        // Once from the start on, once when it moves there.
        for changes in [[], [(time: 5_000, parameter: Oscillator.Parameter.phase, value: degrees)]] {
            let values: [String: Float] = ["frequency": 500, "level": 0, "phase": changes.isEmpty ? degrees : 0]
            let heard = try Self.run(values, changes, frames: 30_000).recording
            for i in 20_000..<20_200 {
                let turns = Double(i) * 500 / 48_000
                let wanted = DeterministicMath.sine(turns: turns + Double(degrees) / 360)
                #expect(abs(Double(heard[0][i]) - DeterministicMath.sine(turns: turns)) < 1e-5)
                #expect(abs(Double(heard[1][i]) - wanted) < 1e-5)
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3]) func itGoesOnWhereItWouldBeHadItNotSlept(_ shape: Int) throws {
        let values: [String: Float] = ["shape": Float(shape), "frequency": 1_234.5, "pulse-width": 30]
        let always = try Self.run(values, frames: 60_000).recording[0]
        let rig = try Self.run(values, [(10_001, .running, 0), (30_003, .running, 1)], frames: 60_000)
        let heard = rig.recording[0]
        #expect(heard[11_000..<30_003].allSatisfy { $0 == 0 })
        // 20 ms are 960 frames; half of them later it has half of its height.
        #expect(abs(heard[10_481] - 0.5 * always[10_481]) < 1e-4)
        for i in 31_000..<60_000 where abs(heard[i] - always[i]) > 1e-6 {
            Issue.record("frame \(i): \(heard[i]) and \(always[i])")
            break
        }
        #expect(isAsleep(try Self.run(["running": 0], frames: 5_000)))
    }

    @Test func itFadesOutBelowHalfOfTheSampleRate() throws {
        let heard = try Self.run(["frequency": 20_000, "level": 0], frames: 4_800, rate: 22_050).recording[0]
        #expect(heard.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [0, 1, 2, 3]) func anotherShapeComesWithoutAClick(_ shape: Int) throws {
        // An eighth of a period after the beginning of one, where the shapes are far from each other.
        for other in 0..<4 where other != shape {
            let changes: [Change] = [(9_660, .shape, Float(other)), (19_260, .shape, Float(shape))]
            func bend(_ shape: Int, _ changes: [Change]) throws -> Float {
                let values: [String: Float] = ["shape": Float(shape), "frequency": 100, "level": -20]
                return steepestBend(try Self.run(values, changes, frames: 28_800).recording[0][4_800...])
            }
            let calm = max(try bend(shape, []), try bend(other, []))
            #expect(try bend(shape, changes) < 1.2 * calm + 0.001)
        }
    }

    @Test(arguments: [1, 7, 64, 1_000]) func blocksDoNotMatterWhileEverythingMoves(_ block: Int) throws {
        var changes: [Change] = []
        for n in 0..<30 {
            changes.append((n * 911, .shape, Float(n % 4)))
            changes.append((n * 911 + 50, .frequency, Float(20 + n * 2_711 % 19_000)))
            changes.append((n * 911 + 90, .phase, Float(n * 77 % 361 - 180)))
            changes.append((n * 911 + 100, .running, n % 7 == 3 ? 0 : 1))
            changes.append((n * 911 + 150, .width, Float(1 + n * 29 % 99)))
        }
        let reference = try Self.run([:], changes, frames: 30_000, block: 333).recording
        #expect(firstDifference(reference, try Self.run([:], changes, frames: 30_000, block: block).recording) == nil)
    }
}
