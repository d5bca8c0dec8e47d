import CarillonTestKit
import DSP
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct DelayTests {
    /// A loop that loses next to nothing: no high-cut, a low-cut at 10 Hz, and only the repeats are heard.
    private static let plain: [String: Float] = ["mix": 100, "high-cut": 20_000, "low-cut": 10]

    private static func with(_ values: [String: Float]) -> [String: Float] { plain.merging(values) { $1 } }

    @Test(arguments: [0.01, 0.1234, 0.35, 2] as [Float]) func repeatsComeOnTheirFrame(time: Float) throws {
        let frames = Int((Double(time) * 48_000).rounded()), at = 777
        let sound = [Float](repeating: 0, count: at) + click(frames: 1)
        let heard = try play(
            Delay.self, left: sound, right: sound, frames: at + 3 * frames + 400,
            values: Self.with(["time": time, "feedback": 80])
        ).recording
        // The trapezoidal low-cut leaves 1 / (1 + g) of a click, each time around.
        let left = 0.8 / (1 + tan(.pi * 10 / 48_000))
        for channel in heard {
            #expect(channel[..<(at + frames)].allSatisfy { $0 == 0 })
            #expect(channel[at + frames] == 1)
            for n in 2...3 {
                let wanted = pow(left, Double(n - 1))
                #expect(abs(Double(channel[at + n * frames]) - wanted) < 1e-3, "repeat \(n): \(channel[at + n * frames])")
                #expect(abs(channel[at + n * frames - 1]) < 0.01 && abs(channel[at + n * frames + 1]) < 0.01)
            }
        }
    }

    /// How much softer the second repeat of a tone is than the first, in decibels.
    private func loss(_ frequency: Double, _ values: [String: Float]) throws -> Double {
        let tone = sine(frequency, amplitude: 0.5, frames: 19_200)
        let heard = try play(
            Delay.self, left: tone, right: tone, frames: 72_000,
            values: Self.with(["time": 0.5, "feedback": 50]).merging(values) { $1 }
        ).recording[1]
        let first = amplitude(heard[(24_000 + 4_800)..<(24_000 + 19_200)], at: frequency)
        return decibels(amplitude(heard[(48_000 + 4_800)..<(48_000 + 19_200)], at: frequency) / first)
    }

    @Test(arguments: [50, 200, 500, 1_000, 4_000, 12_000]) func theLoopLosesWhatItsCornersSay(frequency: Double) throws {
        // A high-cut of first order at 2 kHz and a low-cut at 200 Hz, both digital: 3.01 dB at the corner.
        let turn = 2 * Double.pi / 48_000, w = turn * frequency
        let u = 1 - cos(turn * 2_000), share: Double = (u * u + 2 * u).squareRoot() - u, pole: Double = 1 - share
        let size: Double = 1 - 2 * pole * cos(w) + pole * pole
        let ratio: Double = tan(w / 2) / tan(turn * 100), low: Double = ratio / (1 + ratio * ratio).squareRoot()
        let high: Double = share / size.squareRoot()
        let wanted = decibels(0.5 * high * low)
        let measured = try loss(frequency, ["high-cut": 2_000, "low-cut": 200])
        #expect(abs(measured - wanted) < 0.1, "\(frequency) Hz: \(measured) dB, not \(wanted)")
    }

    @Test func aCornerLies3DecibelsDownAndAnOpenLoopLosesNothingElse() throws {
        let half = decibels(0.5)
        #expect(abs(try loss(1_000, [:]) - half) < 0.02)
        #expect(abs(try loss(15_000, [:]) - half) < 0.02)
        #expect(abs(try loss(3_000, ["high-cut": 3_000]) - half + 3.01) < 0.03)
        #expect(abs(try loss(12_000, ["high-cut": 12_000]) - half + 3.01) < 0.03)
        #expect(abs(try loss(400, ["low-cut": 400]) - half + 3.01) < 0.03)
    }

    @Test func repeatsThatPingPongChangeSides() throws {
        let values = Self.with(["time": 0.1, "feedback": 50, "ping-pong": 1])
        for (left, right) in [(1, 1), (1, 0), (0, 1)] as [(Float, Float)] {
            let heard = try play(Delay.self, left: [left], right: [right], frames: 20_000, values: values).recording
            let middle = (left + right) / 2
            #expect(heard[0][4_800] == middle)
            #expect(abs(heard[1][9_600] - 0.5 * middle) < 1e-3)
            #expect(abs(heard[0][14_400] - 0.25 * middle) < 1e-3)
            // The other side says nothing at these times.
            for (channel, at) in [(1, 4_800), (0, 9_600), (1, 14_400)] {
                #expect(heard[channel][(at - 50)..<(at + 50)].allSatisfy { abs($0) < 1e-5 })
            }
        }
        // Without it each side keeps what is its own.
        let apart = try play(Delay.self, left: [1], right: [0], frames: 20_000, values: Self.with(["time": 0.1])).recording
        #expect(apart[0][4_800] == 1 && apart[1].allSatisfy { $0 == 0 })
    }

    @Test(
        arguments: [
            (120, "dotted-eighth", 18_000), (120, "quarter", 24_000), (90, "eighth-triplet", 10_667), (100, "sixteenth", 7_200),
            (400, "thirty-second", 900), (60, "half", 96_000), (20, "half", 72_000), (20, "quarter", 72_000),
        ] as [(Float, String, Int)])
    func aRepeatTakesANoteWhereSyncIsOn(tempo: Float, division: String, frames: Int) throws {
        let number = try Delay.Parameter.division.spec.value(division)
        let heard = try play(
            Delay.self, left: [1], right: [1], frames: frames + 10,
            values: Self.with(["sync": 1, "tempo": tempo, "division": number])
        ).recording[0]
        #expect(heard.firstIndex { $0 != 0 } == frames)
    }

    /// What is heard of a tone while a parameter jumps, in the middle of the 1.5 s.
    private func heard(_ parameter: Delay.Parameter, from: Float, to: Float, _ values: [String: Float]) throws -> [Float] {
        let tone = sine(220, amplitude: 0.25, frames: 72_000)
        let rig = OfflineRig()
        var all = Self.with(values)
        all[parameter.spec.name] = from
        let node = try rig.graph.add(try UnitInstance.make(Delay.self, rig.setup(startValues: all)))
        try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.set(parameter, to, of: node, at: 36_055)
        rig.render(72_000, block: 256)
        return rig.recording[0]
    }

    @Test func anotherTimeIsReachedWithoutAClickAndWithoutAGlide() throws {
        let calm = steepestBend(try heard(.mix, from: 100, to: 100, ["time": 0.1, "feedback": 0])[14_400...])
        for (from, to) in [(0.1, 0.1513), (0.1513, 0.01), (0.01, 0.11)] as [(Float, Float)] {
            let sound = try heard(.time, from: from, to: to, ["feedback": 0])
            // The fade adds a corner of the difference, half a tone's height, over 1024 frames at its ends.
            #expect(steepestBend(sound[14_400...]) < calm + 0.001, "from \(from) to \(to)")
            // After 1024 frames, and up to 64 until it begins, it is the new time to the bit: nothing glides.
            let frames = Int((Double(to) * 48_000).rounded()), tone = sine(220, amplitude: 0.25, frames: 72_000)
            for i in 37_200..<72_000 where sound[i] != tone[i - frames] {
                Issue.record("frame \(i): \(sound[i]), not \(tone[i - frames])")
                break
            }
        }
        let sudden = steepestBend(try heard(.sync, from: 0, to: 1, ["time": 0.1, "feedback": 0])[14_400...])
        #expect(sudden < calm + 0.001)
    }

    @Test func sidesAreChangedWithoutAClick() throws {
        let calm = steepestBend(try heard(.pingPong, from: 1, to: 1, ["time": 0.1, "feedback": 80])[30_000...])
        let sound = try heard(.pingPong, from: 0, to: 1, ["time": 0.1, "feedback": 80])
        #expect(steepestBend(sound[30_000...]) < 4 * calm + 0.005)
    }

    @Test func theLongestRepeatsEndWithinTheTailAndNotBeforeTheyCannotBeHeard() throws {
        // The worst that can be set, fed until the loop is full: it is 20 dB louder than what comes in. The rate of 8 kHz
        // makes it cheap; seconds are seconds.
        let rate = 8_000.0, burst = sine(440, frames: 8_000 * 40, rate: rate)
        let values = Self.with(["time": 2, "feedback": 90])
        let rig = try play(Delay.self, left: burst, right: burst, block: 4096, rate: rate, values: values)
        #expect(level(rig.recording[0].suffix(8_000)) > 5)
        rig.forget()
        rig.render(8_000 * 200, block: 4096)
        let sleepsEarly = isAsleep(rig)
        #expect(!sleepsEarly)
        rig.render(Int(rate * (Delay.descriptor.tail - 200)), block: 4096)
        let sleepsInTime = isAsleep(rig)
        #expect(sleepsInTime)
        let last = try #require(rig.recording[0].lastIndex { $0 != 0 })
        #expect(rig.recording[0][max(last - 16_000, 0)...].allSatisfy { abs($0) < 2e-6 }, "it was cut off")
    }

    @Test func whatIsNotFedBackIsOverAfterOneRepeat() throws {
        let burst = noise(frames: 500)
        let rig = try play(
            Delay.self, left: burst, right: burst, frames: 500 + 2 * 96_000 + 4_096, values: Self.with(["feedback": 0]))
        let sleeps = isAsleep(rig)
        #expect(sleeps)
        #expect(rig.recording[0].firstIndex { $0 != 0 } == 16_800)
        #expect(rig.recording[0].lastIndex { $0 != 0 } == 16_800 + 499)
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 7_000) + noise(frames: 2_000)
        func heard(_ block: Int) throws -> [[Float]] {
            let rig = OfflineRig()
            let node = try rig.add(Delay.self, startValues: ["time": 0.02, "feedback": 70])
            try rig.graph.connect(try rig.add(left: sound, right: sound.reversed()), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            rig.set(Delay.Parameter.time, 0.05, of: node, at: 2_000)
            rig.set(Delay.Parameter.highCut, 900, of: node, at: 2_500)
            rig.set(Delay.Parameter.time, 0.013, of: node, at: 2_777)
            rig.set(Delay.Parameter.pingPong, 1, of: node, at: 3_333)
            rig.render(14_000, block: block)
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return rig.recording
        }
        #expect(firstDifference(try heard(333), try heard(block)) == nil)
    }
}
