import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

/// Levels, slopes, what the sides have to do with each other, and that the noise is a function of time.
@Suite struct NoiseTests {
    private static let colours = ["white", "pink", "brown"]

    private static func run(
        _ values: [String: Float], _ changes: [(time: Int, parameter: Noise.Parameter, value: Float)] = [],
        frames: Int, block: Int = 512, rate: Double = 48_000
    ) throws -> OfflineRig {
        let rig = OfflineRig(sampleRate: rate), node = try rig.add(Noise.self, startValues: values)
        try rig.graph.setOutput(node)
        try rig.publish()
        for change in changes { rig.set(change.parameter, change.value, of: node, at: change.time) }
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig
    }

    /// The coefficient of correlation.
    private static func correlation(_ a: some Sequence<Float>, _ b: some Sequence<Float>) -> Double {
        var aa = 0.0, bb = 0.0, ab = 0.0
        for (x, y) in zip(a, b) {
            aa += Double(x) * Double(x)
            bb += Double(y) * Double(y)
            ab += Double(x) * Double(y)
        }
        return ab / (aa * bb).squareRoot()
    }

    /// Mean power of a bin in the octaves around 31.5 Hz ... 16 kHz, in decibels.
    private static func octaves(_ channels: [[Float]], rate: Double) -> [Double] {
        let count = 65_536, window = Spectrum.window(count)
        var power = [Double](repeating: 0, count: count / 2 + 1)
        for channel in channels {
            for start in stride(from: 4_800, through: channel.count - count, by: count / 2) {
                let part = (0..<count).map { Double(channel[start + $0]) * window[$0] }
                for (bin, magnitude) in Spectrum.magnitudes(part).enumerated() { power[bin] += magnitude * magnitude }
            }
        }
        return (0..<10).map { n in
            let centre = 1_000 * DeterministicMath.exp2(Double(n - 5)) * Double(count) / rate
            let bins = Int(centre / 2.0.squareRoot())..<min(Int(centre * 2.0.squareRoot()), count / 2)
            // The mean of the power by the frequency's share, which is flat where the slope is what it should be.
            return decibels((power[bins].reduce(0, +) / Double(bins.count)).squareRoot())
        }
    }

    @Test(
        arguments: [(0, 48_000, 0), (1, 48_000, -3.0103), (1, 44_100, -3.0103), (2, 48_000, -6.0206)]
            as [(Int, Double, Double)])
    func everyOctaveHasItsSlope(_ colour: Int, _ rate: Double, _ slope: Double) throws {
        let heard = try Self.run(["colour": Float(colour)], frames: 4_800 + 16 * 65_536, block: 4_096, rate: rate).recording
        let octaves = Self.octaves(heard, rate: rate)
        for (n, (low, high)) in zip(octaves, octaves.dropFirst()).enumerated() {
            #expect(abs(high - low - slope) < 0.5, "\(Self.colours[colour]), octave \(n): \(high - low) dB")
        }
        #expect(abs((octaves[9] - octaves[0]) / 9 - slope) < 0.05)
    }

    @Test(arguments: [(0, 0.02), (1, 0.3), (2, 1)] as [(Int, Double)])
    func theLevelIsTheRootOfTheMeanSquareOnBothSides(_ colour: Int, _ tolerance: Double) throws {
        let values: [String: Float] = ["colour": Float(colour), "level": -20]
        for channel in try Self.run(values, frames: 1_000_000, block: 4_096).recording {
            let measured = decibels(level(channel.dropFirst(48_000)))
            #expect(abs(measured + 20) < tolerance, "\(measured) dB")
        }
    }

    @Test func whiteNoiseIsUniformAndEverySampleIndependent() throws {
        let frames = 128_000, peak = 1.7320508 * 0.1
        let heard = try Self.run(["colour": 0, "level": -20, "fade": 0.005], frames: frames + 480, block: 4_096).recording
        for channel in heard.map({ Array($0.dropFirst(480)) }) {
            var counts = [Int](repeating: 0, count: 64)
            for sample in channel { counts[Int((Double(sample) / peak * 0.999999 + 1) * 32)] += 1 }
            let expected = Double(frames) / 64
            let chiSquare = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
            // 63 degrees of freedom: below 30 and above 107 are one in ten thousand each.
            #expect(chiSquare > 30 && chiSquare < 107, "chi square \(chiSquare)")
            for lag in [1, 2, 63, 64, 1_024] {
                let part = Self.correlation(channel, channel.dropFirst(lag))
                #expect(abs(part) < 0.0125, "\(part) with what was \(lag) frames before")
            }
        }
    }

    @Test(arguments: [(0, 0.005), (1, 0.06), (2, 0.2)] as [(Int, Double)])
    func theSidesAreAsAlikeAsTheCorrelationSays(_ colour: Int, _ tolerance: Double) throws {
        for wanted in [0, 50, 100] as [Float] {
            let values: [String: Float] = ["colour": Float(colour), "correlation": wanted]
            let heard = try Self.run(values, frames: 1_000_000, block: 4_096).recording
            let measured = Self.correlation(heard[0], heard[1])
            #expect(abs(measured - Double(wanted) / 100) < tolerance, "\(measured) instead of \(wanted) %")
            if wanted == 100 { #expect(heard[0] == heard[1]) }
        }
    }

    @Test func itGoesOnWhereItWouldBeHadItNotSlept() throws {
        let always = try Self.run(["colour": 0], frames: 60_000).recording
        let rig = try Self.run(["colour": 0], [(10_001, .running, 0), (30_003, .running, 1)], frames: 60_000)
        for channel in 0..<2 {
            let heard = rig.recording[channel]
            #expect(heard[12_402..<30_003].allSatisfy { $0 == 0 })
            // 50 ms are 2400 frames: half of them later it has half of its height.
            #expect(abs(heard[11_201] - 0.5 * always[channel][11_201]) < 1e-4)
            #expect(Array(heard[33_000...]) == Array(always[channel][33_000...]))
        }
        let off = try Self.run(["running": 0], frames: 5_000)
        #expect(isAsleep(off) && off.recording[0].allSatisfy { $0 == 0 })
    }

    @Test func generatorsOfOneSeedMakeTheSameNoiseAndOfTwoAnother() throws {
        func noise(_ seed: Float) throws -> [Float] {
            try Self.run(["colour": 0, "seed": seed], frames: 200_000, block: 4_096).recording[0]
        }
        let first = try noise(0), second = try noise(1), far = try noise(9_999)
        #expect(try noise(1) == second)
        #expect(abs(Self.correlation(first, second)) < 0.01 && abs(Self.correlation(second, far)) < 0.01)
    }

    @Test func anotherColourComesWithoutAClick() throws {
        func steepest(_ changes: [(time: Int, parameter: Noise.Parameter, value: Float)], _ colour: Float) throws -> Float {
            let heard = try Self.run(["colour": colour, "fade": 0.005], changes, frames: 96_000).recording[0].dropFirst(4_800)
            return zip(heard, heard.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        }
        let calm = try steepest([], 1)
        var changes: [(time: Int, parameter: Noise.Parameter, value: Float)] = []
        for n in 1..<18 { changes.append((n * 5_003, .colour, n % 2 == 0 ? 1 : 2)) }
        let moving = try steepest(changes, 1)
        #expect(moving < 1.1 * calm, "a step of \(moving), \(calm) at rest")
    }

    @Test(arguments: [1, 7, 64, 1_000]) func blocksDoNotMatterWhileEverythingMoves(_ block: Int) throws {
        var changes: [(time: Int, parameter: Noise.Parameter, value: Float)] = []
        for n in 0..<30 {
            changes.append((n * 911, .colour, Float(n % 3)))
            changes.append((n * 911 + 50, .correlation, Float(n * 37 % 101)))
            changes.append((n * 911 + 100, .running, n % 7 == 3 ? 0 : 1))
            changes.append((n * 911 + 150, .level, Float(0 - n * 13 % 40)))
        }
        let reference = try Self.run([:], changes, frames: 30_000, block: 333).recording
        #expect(firstDifference(reference, try Self.run([:], changes, frames: 30_000, block: block).recording) == nil)
    }
}
