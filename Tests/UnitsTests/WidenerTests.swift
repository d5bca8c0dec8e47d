import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

/// Mid stays, side grows: measured on noise, on impulses and on tones.
@Suite struct WidenerTests {
    private let left = noise(amplitude: 0.5, frames: 9_600), right = noise(amplitude: 0.5, frames: 9_600, seed: 2)

    private func middle(_ x: [[Float]]) -> [Double] { zip(x[0], x[1]).map { (Double($0) + Double($1)) / 2 } }
    private func side(_ x: [[Float]]) -> [Double] { zip(x[0], x[1]).map { (Double($0) - Double($1)) / 2 } }

    private func farthest(_ a: [Double], _ b: [Double]) -> Double {
        zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// Whether it may sleep is looked at on the same frames however time is cut.
    @Test func blocksDoNotMatterForFallingAsleep() throws {
        for frames in stride(from: 1_000, to: 4_000, by: 61) {
            let burst = sine(80, frames: frames)
            func heard(_ block: Int) throws -> [[Float]] {
                try play(
                    Widener.self, left: burst, right: burst.map { -$0 }, frames: 16_384, block: block,
                    values: ["mono-below": 60]
                ).recording
            }
            #expect(firstDifference(try heard(512), try heard(9)) == nil, "\(frames) frames")
        }
    }

    @Test func aNewOneLetsSoundThroughBitForBit() throws {
        #expect(firstDifference(try play(Widener.self, left: left, right: right).recording, [left, right]) == nil)
    }

    @Test(arguments: [0, 30, 100, 150, 200] as [Float]) func theSideHasItsGainAndTheMiddleNone(_ width: Float) throws {
        let heard = try play(Widener.self, left: left, right: right, values: ["width": width]).recording
        #expect(farthest(middle(heard), middle([left, right])) < 1.5e-7)
        #expect(farthest(side(heard), side([left, right]).map { $0 * Double(width) / 100 }) < 1.5e-7)
        if width == 0 { #expect(heard[0] == heard[1]) }
        if width == 100 { #expect(heard == [left, right]) }
        // One of the sides alone: 1.5 of it stays there, and half of it comes out of the other one, upside down.
        let alone = try play(Widener.self, left: [0.5], right: [0], frames: 1, values: ["width": width]).recording
        if width == 200 { #expect(alone == [[0.75], [-0.25]]) }
    }

    @Test(arguments: [60, 120, 500] as [Float]) func belowTheFrequencyItIsMonoByTwelveDecibelsAnOctave(
        _ corner: Float
    ) throws {
        let impulse = click(frames: 48_000)
        let values: [String: Float] = ["mono-below": corner, "width": 200]
        let heard = try play(Widener.self, left: impulse, right: impulse.map { -$0 }, values: values).recording
        let response = side(heard)
        // Butterworth's high-pass under the bilinear transform, as designed.
        let at = DeterministicMath.tangent(turns: 0.5 * Double(corner) / 48_000)
        for step in 0..<50 {
            let frequency = 20 * DeterministicMath.exp2(Double(step) / 5)
            var real = 0.0, imaginary = 0.0
            for (i, sample) in response.prefix(24_000).enumerated() {
                real += sample * DeterministicMath.cosine(turns: Double(i) * frequency / 48_000)
                imaginary += sample * DeterministicMath.sine(turns: Double(i) * frequency / 48_000)
            }
            let ratio = DeterministicMath.tangent(turns: 0.5 * frequency / 48_000) / at, square = ratio * ratio
            let wanted = 2 * square / (1 + square * square).squareRoot()
            let error = decibels((real * real + imaginary * imaginary).squareRoot() / wanted)
            #expect(abs(error) < 0.01, "\(frequency) Hz: \(error) dB off")
        }
        // An octave below the corner, and three.
        for (octaves, wanted) in [(0.0, -3.01), (1, -12.3), (3, -36.1)] {
            let frequency = Double(corner) / DeterministicMath.exp2(octaves)
            let tone = sine(frequency, amplitude: 0.25, frames: 96_000)
            let low = try play(Widener.self, left: tone, right: tone.map { -$0 }, values: ["mono-below": corner]).recording
            let gain = decibels(amplitude(low[0][48_000...], at: frequency) / 0.25)
            #expect(abs(gain - wanted) < 0.2, "\(octaves) octaves below: \(gain) dB")
        }
    }

    @Test func theFoldDownIsTheSameAtEveryWidth() throws {
        for corner in [20, 200] as [Float] {
            for width in [0, 50, 100, 200] as [Float] {
                let values = ["width": width, "mono-below": corner]
                let heard = try play(Widener.self, left: left, right: right, values: values).recording
                #expect(farthest(middle(heard), middle([left, right])) < 2e-7, "\(width) %, \(corner) Hz")
            }
        }
    }

    @Test func theMonoCheckPlaysTheFoldDownOfWhatItWouldPlay() throws {
        let values: [String: Float] = ["width": 170, "balance": 40, "mono-below": 100]
        let stereo = try play(Widener.self, left: left, right: right, values: values).recording
        let mono = try play(
            Widener.self, left: left, right: right, values: values.merging(["mono": 1]) { $1 }
        ).recording
        #expect(mono[0] == mono[1])
        #expect(farthest(mono[0].map(Double.init), middle(stereo)) < 1e-7)
    }

    @Test func theBalanceTakesFromOneSideOnly() throws {
        let heard = try play(Widener.self, left: left, right: right, values: ["balance": 25]).recording
        #expect(heard[1] == right)
        #expect(farthest(heard[0].map(Double.init), left.map { Double($0) * 0.75 }) < 1e-7)
        let far = try play(Widener.self, left: left, right: right, values: ["balance": -100]).recording
        #expect(far[0] == left && far[1].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 7, 64, 1000]) func blocksDoNotMatterWhileEverythingMoves(_ block: Int) throws {
        func heard(_ block: Int) throws -> OfflineRig {
            let rig = OfflineRig(), node = try rig.add(Widener.self)
            let pause = [Float](repeating: 0, count: 20_000)
            try rig.graph.connect(try rig.add(left: left + pause + right, right: right + pause + left), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for n in 0..<40 {
                rig.set(Widener.Parameter.width, Float(n * 61 % 201), of: node, at: n * 211)
                rig.set(Widener.Parameter.monoBelow, Float(20 + n % 4 * 100), of: node, at: n * 211 + 100)
                rig.set(Widener.Parameter.mono, n % 8 == 5 ? 1 : 0, of: node, at: n * 211 + 107)
            }
            rig.render(60_000, block: block)
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return rig
        }
        let rig = try heard(block)
        #expect(isAsleep(rig))
        #expect(firstDifference(try heard(333).recording, rig.recording) == nil)
    }
}
