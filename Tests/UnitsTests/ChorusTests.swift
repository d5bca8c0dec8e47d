import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

@Suite struct ChorusTests {
    @Test func aClickComesBackThreeTimesWithinDelayAndDepth() throws {
        let padding = [Float](repeating: 0, count: 10_000)
        let sound = padding + click(frames: 100)
        let heard = try play(
            Chorus.self, left: sound, right: sound, frames: 14_000,
            values: ["delay": 0.02, "depth": 0.005, "level": 0]
        ).recording
        for channel in heard {
            let sounding = channel.indices.filter { abs(channel[$0]) > 1e-3 }
            #expect(sounding.first! >= 10_000 + 720 - 2 && sounding.last! <= 10_000 + 1_200 + 2)
            var groups = 1
            for (a, b) in zip(sounding, sounding.dropFirst()) where b - a > 8 { groups += 1 }
            #expect(groups == 3, "\(groups) voices")
        }
        #expect(heard[0] != heard[1])
    }

    @Test func withoutDepthItIsAPureDelay() throws {
        let sound = noise(amplitude: 0.5, frames: 4_800)
        let heard = try play(
            Chorus.self, left: sound, right: sound, values: ["delay": 0.01, "depth": 0, "level": 0]
        ).recording[0]
        let gain = Float(3.0.squareRoot())
        for i in 480..<4_800 { #expect(abs(heard[i] - sound[i - 480] * gain) < 2e-5) }
    }

    @Test func aSineIsDetunedByNoMoreThanTheSwing() throws {
        // The frequency moves by 2 pi rate depth, here 1 %: all energy is within a few side lines around the tone.
        let heard = try play(
            Chorus.self, left: sine(1_000, amplitude: 0.5, frames: 96_000), right: [Float](repeating: 0, count: 96_000),
            values: ["rate": 1, "depth": 0.0016, "level": 0]
        ).recording[0][9_600...]
        var near = 0.0
        var far = 0.0
        for step in -60...60 {
            let part = amplitude(heard, at: 1_000 + Double(step))
            if abs(step) <= 20 { near += part * part } else { far += part * part }
        }
        #expect(decibels((far / near).squareRoot()) < -30)
        #expect(amplitude(heard, at: 1_000) < 0.9 * near.squareRoot())
    }

    @Test func itSleepsWithinTheTail() throws {
        let rig = try play(Chorus.self, left: noise(frames: 500), right: noise(frames: 500), frames: 500 + 7_200)
        #expect(isAsleep(rig))
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096])
    func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let values: [String: Float] = ["rate": 5, "depth": 0.01, "delay": 0.004]
        let reference = try play(Chorus.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(Chorus.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
