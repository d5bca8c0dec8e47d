import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI
import Units

@Suite struct ReverbTests {
    /// The energy still to come at each frame (Schroeder 1965), in decibels.
    static func decay(_ x: [Float]) -> [Double] {
        var sum = 0.0
        var curve = [Double](repeating: 0, count: x.count)
        for i in x.indices.reversed() {
            sum += Double(x[i]) * Double(x[i])
            curve[i] = sum
        }
        return curve.map { decibels(($0 / max(sum, 1e-30)).squareRoot() + 1e-30) }
    }

    /// Seconds for 60 dB, from the slope between -5 and -35 dB.
    static func reverberationTime(_ x: [Float]) -> Double {
        let curve = decay(x)
        guard let a = curve.firstIndex(where: { $0 < -5 }), let b = curve.firstIndex(where: { $0 < -35 }) else {
            return 0
        }
        return Double(b - a) / 48_000 * 2
    }

    /// A two-pole band-pass.
    static func band(_ x: [Float], _ frequency: Double, q: Double = 1) -> [Float] {
        let w = frequency / 48_000, alpha = DeterministicMath.sine(turns: w) / (2 * q)
        let c = DeterministicMath.cosine(turns: w)
        var x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0
        return x.map {
            let y = (alpha * (Double($0) - x2) + 2 * c * y1 - (1 - alpha) * y2) / (1 + alpha)
            x2 = x1
            x1 = Double($0)
            y2 = y1
            y1 = y
            return Float(y)
        }
    }

    static func response(seconds: Double, values: [String: Float]) throws -> [[Float]] {
        try play(Reverb.self, left: [1], right: [0], frames: Int(seconds * 48_000), values: values).recording
    }

    @Test(arguments: [1, 1.8, 4, 10])
    func decayTakesAsLongAsTheParameterSays(seconds: Double) throws {
        let heard = try Self.response(
            seconds: seconds * 0.75 + 0.3, values: ["decay": Float(seconds), "damping": 0, "low-cut": 10])
        for channel in heard {
            let measured = Self.reverberationTime(Self.band(channel, 1000, q: 0.5))
            #expect(abs(measured / seconds - 1) < 0.05, "\(measured) s instead of \(seconds) s")
        }
    }

    @Test func theDecayIsTheSameInEveryOctaveWithoutDamping() throws {
        let heard = try Self.response(seconds: 2.5, values: ["decay": 2, "damping": 0, "low-cut": 10])
        for frequency in [250.0, 500, 1000, 2000, 4000] {
            let measured = Self.reverberationTime(Self.band(heard[0], frequency))
            #expect(abs(measured / 2 - 1) < 0.12, "\(frequency) Hz: \(measured) s instead of 2 s")
        }
    }

    @Test func dampingMakesTheTrebleDieSooner() throws {
        let heard = try Self.response(seconds: 2.5, values: ["decay": 2, "damping": 80])
        let bass = Self.reverberationTime(Self.band(heard[0], 500))
        let treble = Self.reverberationTime(Self.band(heard[0], 12_000, q: 3))
        #expect(treble < 0.5 * bass, "\(treble) s against \(bass) s")
        #expect(abs(bass / 2 - 1) < 0.1)
    }

    @Test func energyDecreasesSteadily() throws {
        let heard = try Self.response(seconds: 3, values: ["decay": 2])
        let levels = stride(from: 9_600, to: 139_200, by: 4_800).map { level(heard[0][$0..<($0 + 4_800)]) }
        for (before, after) in zip(levels, levels.dropFirst()) { #expect(decibels(after / before) < 1.5) }
        #expect(decibels(levels[20] / levels[0]) < -45)
    }

    @Test func theTailHasNoResonanceThatStandsOut() throws {
        let heard = try Self.response(seconds: 2.4, values: ["decay": 3, "damping": 0, "low-cut": 10])
        // Power at four lines in a sixth of an octave: noise wanders by a few decibels, a ring by many.
        let tail = Array(heard[0][48_000..<96_000])
        var bands: [Double] = []
        var frequency = 200.0
        while frequency < 6_000 {
            var power = 0.0
            for step in 0..<4 {
                let part = amplitude(tail, at: frequency * (1 + Double(step) * 0.015))
                power += part * part
            }
            bands.append(decibels((power / 4).squareRoot() * 1e3))
            frequency *= 1.122
        }
        let mean = bands.reduce(0, +) / Double(bands.count)
        #expect(bands.max()! - mean < 7, "a band is \(bands.max()! - mean) dB above the mean")
        #expect(mean - bands.min()! < 9, "a band is \(mean - bands.min()!) dB below the mean")
    }

    @Test func aClickBecomesDense() throws {
        // Of noise 32 % lies outside one standard deviation; of single echoes far less (Abel and Huang 2006).
        let heard = try Self.response(seconds: 1, values: ["decay": 2, "damping": 0])
        for start in [7_200, 14_400, 24_000] {
            let part = heard[0][start..<(start + 960)]
            let deviation = level(part)
            let outside = Double(part.filter { abs(Double($0)) > deviation }.count) / 960
            #expect(outside > 0.24, "at frame \(start): \(outside)")
        }
    }

    @Test func leftAndRightAreIndependentAtFullWidthAndEqualAtNone() throws {
        let sound = noise(amplitude: 0.3, frames: 48_000)
        let wide = try play(Reverb.self, left: sound, right: sound).recording.map { Array($0[9_600...]) }
        let product = zip(wide[0], wide[1]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } / Double(wide[0].count)
        #expect(abs(product / (level(wide[0]) * level(wide[1]))) < 0.2)
        #expect(abs(decibels(level(wide[0]) / level(wide[1]))) < 1.5)
        let mono = try play(Reverb.self, left: sound, right: sound, values: ["width": 0]).recording
        #expect(mono[0] == mono[1])
    }

    @Test func steadyNoiseIsAsLoudForEveryDecay() throws {
        var levels: [Double] = []
        for seconds in [0.4, 1.8, 6] as [Float] {
            let sound = noise(amplitude: 0.5, frames: 48_000 * 5)
            let heard = try play(
                Reverb.self, left: sound, right: noise(amplitude: 0.5, frames: sound.count, seed: 2),
                values: ["decay": seconds, "damping": 0, "level": 0])
            levels.append(decibels(level(heard.recording[0][192_000...]) / level(sound)))
        }
        #expect(levels.max()! - levels.min()! < 3, "\(levels) dB")
        #expect(levels.allSatisfy { abs($0) < 3 }, "\(levels) dB")
    }

    @Test func preDelayHoldsTheSoundBack() throws {
        func onset(_ seconds: Float) throws -> Int {
            try Self.response(seconds: 0.4, values: ["pre-delay": seconds])[0].firstIndex { abs($0) > 1e-5 }!
        }
        let first = try onset(0), second = try onset(0.1)
        #expect(second - first == 4_800)
    }

    @Test func aDryMixIsTheInput() throws {
        let sound = noise(amplitude: 0.5, frames: 4_800)
        let heard = try play(Reverb.self, left: sound, right: sound, values: ["mix": 0]).recording
        #expect(heard[0] == sound)
    }

    @Test func itSleepsAfterTheTailAndSoundsTheSameWhenWoken() throws {
        let burst = noise(amplitude: 0.5, frames: 2_000)
        let gap = 48_000 * 2
        let sound = burst + [Float](repeating: 0, count: gap) + burst + [Float](repeating: 0, count: 20_000)
        let values: [String: Float] = ["decay": 0.4]
        let first = try play(Reverb.self, left: sound, right: sound, frames: burst.count + gap - 1_000, values: values)
        #expect(isAsleep(first))
        #expect(first.recording[0].suffix(4_800).allSatisfy { $0 == 0 })
        let reference = try play(Reverb.self, left: sound, right: sound, block: 4096, values: values).recording
        for block in [7, 64, 1000] {
            let other = try play(Reverb.self, left: sound, right: sound, block: block, values: values).recording
            #expect(firstDifference(reference, other) == nil, "block \(block)")
        }
    }

    @Test func aResetOnTheWayToAnotherPreDelayForgetsTheWay() throws {
        /// A click at 9000, behind a reset at 7500; `moves` are pre-delays at their frames.
        func heard(_ preDelay: Float, _ moves: [(frame: Int, value: Float)]) throws -> [Float] {
            var clicks = [Float](repeating: 0, count: 9_001)
            clicks[0] = 1
            clicks[9_000] = 1
            let rig = OfflineRig()
            let source = try rig.add(left: clicks, right: clicks)
            let node = try rig.add(Reverb.self, startValues: ["pre-delay": preDelay])
            try rig.graph.connect(source, to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for move in moves { rig.set(Reverb.Parameter.preDelay, move.value, of: node, at: move.frame) }
            rig.render(7_500)
            #expect(rig.renderer.send(RenderCommand(time: SampleTime(7_500), node: node, event: .reset)))
            rig.forget()
            rig.render(24_000)
            return rig.recording[0]
        }
        #expect(try heard(0.1, [(7_000, 0.05), (7_200, 0.15)]) == heard(0.15, []))
    }
}
