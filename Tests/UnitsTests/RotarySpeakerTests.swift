import CarillonTestKit
import Glibc
import RealtimeCore
import Testing
import UnitAPI
import Units

/// A cabinet whose rotors are watched by tones: one far above the crossover, one far below it.
@Suite struct RotarySpeakerTests {
    private static let hornTone = 3_000.0, drumTone = 150.0

    private func cabinet(
        _ tone: Double, seconds: Int = 4, block: Int = 512, _ values: [String: Float]
    ) throws -> [[Float]] {
        let sound = sine(tone, amplitude: 0.5, frames: seconds * 48_000)
        return try play(RotarySpeaker.self, left: sound, right: sound, block: block, values: values).recording
    }

    /// The levels of a tone in windows of `frames`.
    private func levels(_ sound: some Collection<Float>, _ tone: Double, window frames: Int = 96) -> [Double] {
        let sound = Array(sound)
        return stride(from: 0, to: sound.count - frames, by: frames).map {
            amplitude(sound[$0..<($0 + frames)], at: tone)
        }
    }

    /// The frequency at which levels swing, from crossings of their mean upwards. Unit: hertz.
    private func swings(_ levels: [Double], window frames: Int = 96) -> Double {
        let mean = levels.reduce(0, +) / Double(levels.count)
        let crossings = levels.indices.dropFirst().filter { levels[$0 - 1] < mean && levels[$0] >= mean }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * 48_000 / Double((last - first) * frames)
    }

    @Test(arguments: [(1, 0.8, 0.7), (2, 6.7, 5.7)] as [(Float, Double, Double)])
    func hornAndDrumSwingTheLevelEachAtItsOwnRate(speed: Float, horn: Double, drum: Double) throws {
        let values = ["speed": speed]
        let high = try cabinet(Self.hornTone, seconds: 10, values)[0].suffix(9 * 48_000)
        let low = try cabinet(Self.drumTone, seconds: 10, values)[0].suffix(9 * 48_000)
        #expect(abs(swings(levels(high, Self.hornTone)) / horn - 1) < 0.02)
        let window = 960
        #expect(abs(swings(levels(low, Self.drumTone, window: window), window: window) / drum - 1) < 0.02)
        // What the depth leaves where the rotor faces away: 0.3 and 0.5.
        let highest = levels(high, Self.hornTone), lowest = levels(low, Self.drumTone, window: window)
        #expect(abs(highest.min()! / highest.max()! - 0.3) < 0.03)
        #expect(abs(lowest.min()! / lowest.max()! - 0.5) < 0.04)
    }

    /// The pitch of a tone in cents, from the phases of windows that follow one another.
    private func cents(_ sound: ArraySlice<Float>, _ tone: Double) -> [Double] {
        let frames = 96
        let phases = stride(from: sound.startIndex, to: sound.endIndex - frames, by: frames).map { start -> Double in
            var re = 0.0, im = 0.0
            for i in start..<(start + frames) {
                let angle = 2 * Double.pi * tone * Double(i) / 48_000
                re += Double(sound[i]) * cos(angle)
                im -= Double(sound[i]) * sin(angle)
            }
            return atan2(im, re)
        }
        return zip(phases, phases.dropFirst()).map { before, after in
            let turned = remainder(after - before, 2 * .pi)
            return 1_200 * log2(1 + turned * 48_000 / (2 * .pi * tone * Double(frames)))
        }
    }

    @Test(arguments: [100, 50] as [Float]) func theHornBendsThePitchAsFarAsItsWayAndRateSay(depth: Float) throws {
        let values = ["speed": 2, "horn-fast": 6, "horn-depth": depth] as [String: Float]
        let bends = cents(try cabinet(Self.hornTone, values)[0].suffix(96_000), Self.hornTone)
        // The path swings by 19 cm at 6 Hz: 2 pi 6 * 0.19 / 343 of the speed of sound.
        let wanted = 1_200 * log2(1 + 2 * .pi * 6 * 0.19 / 343 * Double(depth) / 100)
        #expect(abs(bends.max()! - wanted) < 0.08 * wanted, "\(bends.max()!), not \(wanted)")
        #expect(abs(bends.min()! + wanted) < 0.08 * wanted, "\(bends.min()!), not \(-wanted)")
    }

    @Test func atABrakeAndWithoutDepthNothingSwings() throws {
        for values in [["speed": 0], ["speed": 2, "horn-depth": 0, "drum-depth": 0]] as [[String: Float]] {
            let heard = levels(try cabinet(Self.hornTone, values)[0].suffix(96_000), Self.hornTone)
            #expect(heard.max()! - heard.min()! < 1e-3)
        }
    }

    @Test func theWaysAddUpToALevelSpectrum() throws {
        let still: [String: Float] = ["speed": 0, "horn-depth": 0, "drum-depth": 0]
        // Both are as late then but for the reach, 0.26 ms; the lows are compared far below that.
        for tone in [40, 150, 6_000, 12_000] as [Double] {
            let level = decibels(amplitude(try cabinet(tone, still)[0].suffix(48_000), at: tone) / 0.5)
            #expect(abs(level) < 0.6, "\(tone) Hz: \(level) dB")
        }
    }

    @Test func rotorsSpeedUpAndStopEachInItsOwnTime() throws {
        // From slow to fast at 1 s: the horn in 1 * (6.7 - 0.8) / 6.7 s, the drum in 4.5 * (5.7 - 0.7) / 5.7 s.
        for (tone, name, slow, fast, ramp) in [
            (Self.hornTone, "horn", 0.8, 6.7, 1.0), (Self.drumTone, "drum", 0.7, 5.7, 4.5),
        ] {
            let rig = OfflineRig()
            let sound = sine(tone, amplitude: 0.5, frames: 12 * 48_000)
            let node = try rig.add(RotarySpeaker.self)
            try rig.graph.connect(try rig.add(left: sound, right: sound), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            rig.set(RotarySpeaker.Parameter.speed, 2, of: node, at: 48_000)
            rig.render(12 * 48_000)
            let length = ramp * (fast - slow) / fast, window = 480    // 10 ms
            let heard = levels(rig.recording[0], tone, window: window)
            // Turns until the end of the ramp are the mean speed by its length; the level's maxima are counted.
            let from = 100, to = 100 + Int(length * 100)
            func turns(_ range: Range<Int>) -> Int {
                let part = heard[range], mean = (heard.max()! + heard.min()!) / 2
                return part.indices.dropFirst().filter { heard[$0 - 1] < mean && heard[$0] >= mean }.count
            }
            #expect(abs(Double(turns(from..<to)) - (slow + fast) / 2 * length) <= 1.2, "\(name)")
            #expect(abs(Double(turns(to..<to + 300)) - fast * 3) <= 1.2, "\(name)")
            #expect(rig.violations.total == 0)
        }
    }

    @Test(arguments: [100, 250, 3_000, 5_000, 9_000, 13_000] as [Double])
    func aSumOfBothSidesHasNoNotch(tone: Double) throws {
        let heard = try cabinet(tone, ["speed": 2, "angle": 180])
        let samples = Array(zip(heard[0], heard[1]).map { ($0 + $1) / 2 }.suffix(96_000))
        let peaks = stride(from: 0, to: 96_000 - 480, by: 480).map { start in
            samples[start..<(start + 480)].reduce(0) { max($0, abs($1)) }
        }
        #expect(decibels(Double(peaks.min()! / peaks.max()!)) > -3)
    }

    @Test func anAngleOfZeroGivesBothSidesTheSame() throws {
        let heard = try cabinet(Self.hornTone, ["speed": 2, "angle": 0])
        #expect(heard[0] == heard[1])
    }

    @Test func silenceStaysSilentAndItFallsAsleep() throws {
        let rig = try play(RotarySpeaker.self, left: [1, 0, -1], right: [1, 0, -1], frames: 96_000)
        #expect(isAsleep(rig))
        #expect(rig.recording[0].suffix(48_000).allSatisfy { $0 == 0 })
        let still = try play(RotarySpeaker.self, left: [0], right: [0], frames: 4_800)
        #expect(still.recording[0].allSatisfy { $0 == 0 } && isAsleep(still))
    }

    @Test(arguments: [1, 7, 64, 100, 1_024]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let values: [String: Float] = ["speed": 2, "angle": 90]
        let reference = try play(RotarySpeaker.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(RotarySpeaker.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
