import CarillonTestKit
import DSP
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct VibratoTests {
    /// The pitch of a tone of `frequency` over time, in cents from it: how the phase advances from one window of 256 frames to
    /// the next, 32 frames later. Element n is the pitch at frame 144 + 32 n.
    private func pitch(_ x: [Float], of frequency: Double) -> [Double] {
        let window = (0..<256).map { 0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / 256) }
        let phases = stride(from: 0, to: x.count - 256, by: 32).map { start in
            var re = 0.0, im = 0.0
            for k in 0..<256 {
                let angle = 2 * Double.pi * (frequency * Double(start + k) / 48_000).truncatingRemainder(dividingBy: 1)
                re += Double(x[start + k]) * window[k] * cos(angle)
                im -= Double(x[start + k]) * window[k] * sin(angle)
            }
            return atan2(im, re) / (2 * .pi)
        }
        return zip(phases, phases.dropFirst()).map { a, b in
            let turns = (b - a) - (b - a).rounded(), deviation = turns * 48_000 / 32
            return 1_200 * log2(1 + deviation / frequency)
        }
    }

    private func heard(_ values: [String: Float], frames: Int = 96_000) throws -> [Float] {
        let tone = sine(3_000, amplitude: 0.5, frames: frames)
        return try play(Vibrato.self, left: tone, right: tone, values: values).recording[0]
    }

    @Test(arguments: [(5.5, 30), (0.5, 100), (6, 50), (14, 100), (14, 5), (2, 10)] as [(Float, Float)])
    func thePitchSwingsByTheDepthToEitherSide(rate: Float, depth: Float) throws {
        let cents = pitch(Array(try heard(["rate": rate, "depth": depth], frames: 144_000)[4_800...]), of: 3_000)
        let high = cents.max() ?? 0, low = cents.min() ?? 0
        #expect(abs(high - Double(depth)) < 1, "up by \(high) cents")
        #expect(abs(low + Double(depth)) < 1, "down by \(low) cents")
    }

    @Test func thePitchIsAFunctionOfTheSampleTime() throws {
        // At 4 Hz a swing takes 12000 frames: the pitch passes its middle upwards at its beginning and stands highest after
        // a quarter of it. In a pause in which the unit sleeps it goes on.
        let tone = sine(3_000, amplitude: 0.5, frames: 24_000), gap = [Float](repeating: 0, count: 25_003)
        let sound = tone + gap + sine(3_000, amplitude: 0.5, frames: 48_000)
        let heard = try play(Vibrato.self, left: sound, right: sound, values: ["rate": 4, "depth": 60]).recording[1]
        let cents = pitch(heard, of: 3_000)
        for swing in [0, 1, 5, 6] {
            for (part, wanted) in [(0.25, 60.0), (0.5, 0), (0.75, -60)] {
                let frame = Int((Double(swing) + part) * 12_000)
                #expect(abs(cents[(frame - 144) / 32] - wanted) < 2, "swing \(swing), \(part) of it")
            }
        }
    }

    @Test func withoutDepthItIsALatencyOfTwoFramesAndNothingElse() throws {
        let sound = noise(amplitude: 0.5, frames: 4_800)
        let heard = try play(Vibrato.self, left: sound, right: sound, values: ["depth": 0]).recording[0]
        for i in 2..<4_800 { #expect(abs(heard[i] - sound[i - 2]) < 1e-6) }
    }

    @Test(arguments: [440, 3_000, 9_600] as [Double]) func loudnessStays(frequency: Double) throws {
        let tone = sine(frequency, amplitude: 0.5, frames: 48_000)
        let heard = try play(Vibrato.self, left: tone, right: tone, values: ["rate": 6, "depth": 50]).recording[0]
        let levels = stride(from: 4_800, to: 43_200, by: 480).map { decibels(level(heard[$0..<($0 + 480)]) / level(tone)) }
        #expect(levels.allSatisfy { abs($0) < 0.15 }, "\(levels.min() ?? 0) ... \(levels.max() ?? 0) dB")
    }

    @Test(
        arguments: [
            ("rate", 0.5, 14), ("rate", 14, 0.5), ("rate", 5, 6), ("depth", 0, 100), ("depth", 100, 0),
        ] as [(String, Float, Float)])
    func whereParametersMoveThePitchGoesHardlyBeyondTheDepth(name: String, from: Float, to: Float) throws {
        let parameter = try #require(Vibrato.Parameter.allCases.first { $0.spec.name == name })
        let tone = sine(3_000, amplitude: 0.5, frames: 144_000)
        let rig = OfflineRig()
        let node = try rig.add(Vibrato.self, startValues: ["rate": 0.5, "depth": 100].merging([name: from]) { $1 })
        try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.set(parameter, to, of: node, at: 48_055)
        rig.set(parameter, from, of: node, at: 100_003)
        rig.render(144_000, block: 300)
        let cents = pitch(Array(rig.recording[0][4_800...]), of: 3_000)
        let far = max(cents.max() ?? 0, -(cents.min() ?? 0))
        #expect(far < 100 + 9 + 1, "\(far) cents")
        // A tone of 3 kHz bends by (2 pi 3 / 48)^2 / 2 = 0.077, a little more where the pitch is high.
        #expect(steepestBend(rig.recording[0][4_800...]) < 0.09)
        #expect(rig.violations.total == 0)
    }

    @Test func itSleepsSoonAfterTheSound() throws {
        let burst = noise(frames: 500)
        let rig = try play(
            Vibrato.self, left: burst, right: burst, frames: 8_192, values: ["rate": 0.5, "depth": 100])
        let sleeps = isAsleep(rig)
        #expect(sleeps)
        let last = try #require(rig.recording[0].lastIndex { abs($0) > 1e-6 })
        #expect(last > 500 + 1_000 && last < 500 + Int(Vibrato.descriptor.tail * 48_000))
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        func heard(_ block: Int) throws -> [[Float]] {
            let rig = OfflineRig()
            let node = try rig.add(Vibrato.self, startValues: ["rate": 9, "depth": 80])
            try rig.graph.connect(try rig.add(left: sound, right: sound.reversed()), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            rig.set(Vibrato.Parameter.depth, 10, of: node, at: 777)
            rig.set(Vibrato.Parameter.rate, 1, of: node, at: 1_555)
            rig.render(14_000, block: block)
            return rig.recording
        }
        #expect(firstDifference(try heard(333), try heard(block)) == nil)
    }
}
