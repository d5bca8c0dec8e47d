import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

/// The gain of a tremolo, frame by frame, against what a page of mathematics says.
@Suite struct TremoloTests {
    private static let steady = [Float](repeating: 1, count: 48_000)

    /// What comes out where 1 goes in: the gains of both sides.
    private func gains(_ values: [String: Float], block: Int = 512, rate: Double = 48_000) throws -> [[Float]] {
        try play(Tremolo.self, left: Self.steady, right: Self.steady, block: block, rate: rate, values: values).recording
    }

    @Test(arguments: [0, 1] as [Float], [0.3, 5, 17.7] as [Float])
    func theGainFollowsTheShapeOfTheSampleTime(_ shape: Float, _ rate: Float) throws {
        for (depth, angle) in [(100, 0), (40, 90), (75, 180)] as [(Float, Float)] {
            let values = ["rate": rate, "shape": shape, "depth": depth, "stereo-phase": angle]
            let heard = try gains(values)
            for (channel, ahead) in [(0, 0.0), (1, Double(angle) / 360)] {
                for frame in stride(from: 0, to: 48_000, by: 97) {
                    let turns = Double(frame) * Double(rate) / 48_000 + ahead
                    let swing = shape == 0 ? sin(2 * .pi * turns) : 2 / Double.pi * asin(sin(2 * .pi * turns))
                    let wanted = 1 - Double(depth) / 200 * (1 - swing)
                    if abs(Double(heard[channel][frame]) - wanted) < 1e-5 { continue }
                    Issue.record("frame \(frame), \(values): \(heard[channel][frame]), not \(wanted)")
                    break
                }
            }
        }
    }

    @Test func aSineHasTwoSideTonesAndNothingElse() throws {
        let tone = sine(1_000, amplitude: 0.5, frames: 96_000)
        let values: [String: Float] = ["rate": 5, "depth": 80]
        let heard = try play(Tremolo.self, left: tone, right: tone, values: values).recording[0].suffix(48_000)
        let bins = Spectrum.magnitudes(heard.suffix(32_768).map(Double.init))
        #expect(!bins.isEmpty)
        for (frequency, wanted) in [(1_000, 0.3), (995, 0.1), (1_005, 0.1)] as [(Double, Double)] {
            #expect(abs(amplitude(heard, at: frequency) - wanted) < 1e-4, "\(frequency) Hz")
        }
        for frequency in [990, 1_010, 500, 2_000] as [Double] {
            #expect(amplitude(heard, at: frequency) < 1e-5, "\(frequency) Hz")
        }
    }

    @Test(arguments: [0, 1, 2] as [Float]) func oppositeSidesLeaveTheSumSteady(_ shape: Float) throws {
        let heard = try gains(["shape": shape, "depth": 100, "stereo-phase": 180, "rate": 3])
        for frame in 0..<48_000 where abs(heard[0][frame] + heard[1][frame] - 1) > 1e-5 {
            Issue.record("frame \(frame): \(heard[0][frame]) and \(heard[1][frame])")
            break
        }
        #expect(heard[0].max()! > 0.999 && heard[0].min()! < 0.001)
    }

    @Test func theSquareRestsBetweenEdgesOfFiveMilliseconds() throws {
        let heard = try gains(["shape": 2, "depth": 90, "rate": 4])[0]
        // The middle of an edge is where the sine would pass the middle: frames 0, 6000, 12000 and so on.
        let places: [(Int, Float)] = [(3_000, 1), (130, 1), (5_870, 1), (6_130, 0.1), (9_000, 0.1), (12_000, 0.55)]
        for (frame, wanted) in places {
            #expect(abs(heard[frame] - wanted) < 1e-5, "frame \(frame): \(heard[frame])")
        }
        let edge = heard[5_000..<7_000].filter { $0 < 0.9999 && $0 > 0.1001 }.count
        #expect((232...241).contains(edge), "\(edge) frames")
        // Half a cosine of 240 frames is nowhere steeper than this.
        let steepest: Float = 0.9 / 2 * .pi / 240 * 1.01
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < steepest })
    }

    @Test func anUntouchedSoundComesOutBitForBit() throws {
        let sound = noise(frames: 9_600)
        let heard = try play(Tremolo.self, left: sound, right: sound, values: ["depth": 0]).recording
        #expect(heard[0] == sound && heard[1] == sound)
    }

    @Test func anotherRateOrShapeGoesOnWhereItIs() throws {
        let rig = OfflineRig()
        let node = try rig.add(Tremolo.self, startValues: ["depth": 100, "rate": 2])
        try rig.graph.connect(try rig.add(left: Self.steady, right: Self.steady), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        for (time, rate) in [(7_001, 9), (13_777, 0.5), (20_000, 20)] as [(Int, Float)] {
            rig.set(Tremolo.Parameter.rate, rate, of: node, at: time)
        }
        for (time, shape) in [(10_001, 2), (17_000, 1), (30_000, 2), (40_000, 0)] as [(Int, Float)] {
            rig.set(Tremolo.Parameter.shape, shape, of: node, at: time)
        }
        rig.render(48_000)
        let steepest = zip(rig.recording[0], rig.recording[0].dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        #expect(steepest < 0.008, "\(steepest)")
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func theSwingGoesOnWhileItSleeps() throws {
        var sound = [Float](repeating: 0, count: 120_000)
        for frame in sound.indices where frame < 3_000 || frame >= 100_000 { sound[frame] = 1 }
        let values: [String: Float] = ["rate": 0.7, "depth": 100, "shape": 1, "stereo-phase": 60]
        let slept = try play(Tremolo.self, left: sound, right: sound, values: values).recording
        let always = [Float](repeating: 1, count: 120_000)
        let awake = try play(Tremolo.self, left: always, right: always, values: values).recording
        for channel in 0...1 { #expect(slept[channel][100_000...] == awake[channel][100_000...]) }
        #expect(slept[0][5_000..<100_000].allSatisfy { $0 == 0 })
        #expect(isAsleep(try play(Tremolo.self, left: [1], right: [1], frames: 9_600)))
    }

    @Test(arguments: [1, 7, 64, 1_024]) func blockSizesDoNotMatter(_ block: Int) throws {
        let values: [String: Float] = ["rate": 19, "depth": 90, "shape": 2, "stereo-phase": 33]
        #expect(firstDifference(try gains(values, block: 333), try gains(values, block: block)) == nil)
    }
}
