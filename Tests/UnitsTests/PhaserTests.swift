import CarillonTestKit
import Glibc
import RealtimeCore
import Testing
import UnitAPI
import Units

@Suite struct PhaserTests {
    /// Where the notches of a chain lie whose all-passes turn by a quarter at `frequency`: each turns by twice the angle whose
    /// tangent is the ratio of the tangents, and together they turn by half a circle, one and a half, and so on.
    private static func notches(_ frequency: Double, stages: Int) -> [Double] {
        (0..<(stages / 2)).map { k in
            let ratio: Double = tan(.pi * (2 * Double(k) + 1) / Double(2 * stages))
            return atan(tan(.pi * frequency / 48_000) * ratio) * 48_000 / .pi
        }
    }

    /// How loud a tone comes out of a phaser that stands still, in decibels.
    private func gain(_ frequency: Double, _ values: [String: Float]) throws -> Double {
        let tone = sine(frequency, amplitude: 0.25, frames: 48_000)
        let still: [String: Float] = ["depth": 0, "feedback": 0, "mix": 50, "frequency": 700]
        let heard = try play(Phaser.self, left: tone, right: tone, values: still.merging(values) { $1 }).recording
        return decibels(max(amplitude(heard[1][24_000...], at: frequency), 1e-9) / 0.25)
    }

    @Test(arguments: [(0, 700), (1, 400), (2, 1_500), (3, 250), (4, 3_000)] as [(Float, Float)])
    func theNotchesAreWhereTheChainTurnsHalfAround(choice: Float, frequency: Float) throws {
        let stages = 4 + 2 * Int(choice), notches = Self.notches(Double(frequency), stages: stages)
        for feedback in [0, 70, -70] as [Float] {
            for notch in notches {
                let values = ["stages": choice, "frequency": frequency, "feedback": feedback]
                #expect(try gain(notch, values) < -60, "\(stages) stages, feedback \(feedback): \(notch) Hz")
            }
        }
        // There is no other: beyond the outermost, sound and chain agree again.
        let values = ["stages": choice, "frequency": frequency]
        #expect(try gain(Double(frequency) / 40, values) > -0.5)
        #expect(try gain(23_000, values) > -3)
    }

    /// Whether it may sleep is looked at on the same frames however time is cut.
    @Test func blocksDoNotMatterForFallingAsleep() throws {
        for frames in stride(from: 1_000, to: 4_000, by: 61) {
            let burst = sine(100, frames: frames)
            func heard(_ block: Int) throws -> [[Float]] {
                try play(
                    Phaser.self, left: burst, right: burst, frames: 16_384, block: block,
                    values: ["frequency": 100, "depth": 0, "feedback": -60]
                ).recording
            }
            #expect(firstDifference(try heard(512), try heard(9)) == nil, "\(frames) frames")
        }
    }

    @Test(arguments: [-90, -40, 40, 90] as [Float]) func feedbackShapesThePeaksAndRaisesNone(feedback: Float) throws {
        for frequency in [60, 200, 450, 720, 1_100, 2_500, 9_000] as [Double] {
            for mix in [50, 100] as [Float] {
                // The chain of six: A turns by 12 angles; then (1 - m) + m (A - f) / (1 - f A).
                let angle = -12 * atan(tan(.pi * frequency / 48_000) / tan(.pi * 700 / 48_000))
                let f = Double(feedback) / 100, m = Double(mix) / 100, c = cos(angle), s = sin(angle)
                let re = 1 - f * c, im = 0 - f * s, size = re * re + im * im
                let x = 1 - m + m * ((c - f) * re + s * im) / size, y = m * (s * re - (c - f) * im) / size
                let wanted = decibels((x * x + y * y).squareRoot())
                let measured = try gain(frequency, ["feedback": feedback, "mix": mix])
                #expect(abs(measured - wanted) < 0.05, "\(frequency) Hz, mix \(mix): \(measured) dB, not \(wanted)")
                #expect(measured < 0.01)
            }
        }
    }

    @Test func theNotchSwingsByOctavesAndBySampleTime() throws {
        // A tone where the lower of two notches stands at the upper end of its swing: it vanishes once in each period, on time.
        let rate = 0.5, ends = Self.notches(700 * 2, stages: 4)
        let tone = sine(ends[0], amplitude: 0.25, frames: 240_000)
        let heard = try play(
            Phaser.self, left: tone, right: tone,
            values: ["stages": 0, "frequency": 700, "depth": 1, "rate": Float(rate), "feedback": 0, "stereo-phase": 180]
        ).recording
        func loudness(_ channel: Int, _ seconds: Double) -> Double {
            let middle = Int(seconds * 48_000)
            return decibels(amplitude(heard[channel][(middle - 1_000)..<(middle + 1_000)], at: ends[0]) / 0.25)
        }
        // The crest of the sine: a quarter of 2 s on the left, three quarters on the right.
        for (channel, crest) in [(0, 0.5), (0, 2.5), (0, 4.5), (1, 1.5), (1, 3.5)] {
            #expect(loudness(channel, crest) < -40, "\(channel), \(crest): \(loudness(channel, crest))")
            #expect(loudness(channel, crest - 0.25) > -20 && loudness(channel, crest + 0.25) > -20)
        }
    }

    @Test func anotherNumberOfStagesDoesNotClick() throws {
        func bend(_ values: [(time: Int, value: Float)]) throws -> Float {
            let tone = sine(440, amplitude: 0.25, frames: 48_000)
            let rig = OfflineRig()
            let node = try rig.add(Phaser.self, startValues: ["mix": 100, "feedback": 60])
            try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for (time, value) in values { rig.set(Phaser.Parameter.stages, value, of: node, at: time) }
            rig.render(48_000, block: 256)
            return steepestBend(rig.recording[0][9_600...])
        }
        let calm = try (0...4).map { try bend([(0, Float($0))]) }.max()!
        let changes = (1..<8).map { (step: Int) -> (time: Int, value: Float) in (9_600 + step * 4_801, Float(step * 3 % 5)) }
        #expect(try bend(changes) < 2 * calm + 0.001)
    }

    @Test func itRingsForAsLongAsItIsHeardAndEndsWithinTheTail() throws {
        // The slowest that can be set: the chain down at its lowest, all the way around.
        let values: [String: Float] = ["stages": 4, "frequency": 100, "depth": 3, "rate": 0.01, "feedback": 90, "mix": 100]
        // The sine stands at its lowest at 75 s: the rig begins there.
        let hum = [Float](repeating: 0.5, count: 24_000)
        let rig = OfflineRig(start: SampleTime(75 * 48_000))
        let node = try rig.add(Phaser.self, startValues: values)
        let silence = [Float](repeating: 0, count: 75 * 48_000)
        try rig.graph.connect(try rig.add(left: silence + hum, right: silence + hum), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(24_000 + 48_000 * 5, block: 1024)
        let sleepsEarly = isAsleep(rig)
        #expect(!sleepsEarly && rig.violations.total == 0)
        rig.render(48_000 * (Int(Phaser.descriptor.tail) - 5), block: 1024)
        let sleepsInTime = isAsleep(rig)
        #expect(sleepsInTime)
        let last = try #require(rig.recording[0].lastIndex { $0 != 0 })
        #expect(abs(rig.recording[0][last]) < 2e-6, "it was cut off at \(rig.recording[0][last])")
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let values: [String: Float] = ["rate": 10, "depth": 3, "stages": 4, "feedback": -80]
        let reference = try play(Phaser.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(Phaser.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
