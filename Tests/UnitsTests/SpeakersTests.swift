import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

/// Trims and delays of an installation's loudspeakers, and the call that says which is which.
@Suite struct SpeakersTests {
    @Test func atRestItChangesNothing() throws {
        let left = noise(amplitude: 0.5, frames: 5_000), right = sine(440, amplitude: 0.5, frames: 5_000)
        let heard = try play(Speakers.self, left: left, right: right).recording
        #expect(firstDifference(heard, [left, right]) == nil)
    }

    @Test func eachSideHasItsOwnLevelAndDelayToTheFrame() throws {
        let sound = noise(amplitude: 0.5, frames: 30_000)
        let heard = try play(
            Speakers.self, left: sound, right: sound, frames: 60_000,
            values: ["left-trim": -6, "right-trim": 6, "left-delay": 0.0029, "right-delay": 0.5]
        ).recording
        for (channel, delay, decibels) in [(0, 139, -6), (1, 24_000, 6)] as [(Int, Int, Float)] {
            let gain = Decibels.amplitude(decibels)
            for frame in 0..<60_000 {
                let expected = frame >= delay && frame - delay < sound.count ? sound[frame - delay] * gain : 0
                if abs(heard[channel][frame] - expected) > 2e-6 {
                    Issue.record("channel \(channel), frame \(frame): \(heard[channel][frame]) instead of \(expected)")
                    break
                }
            }
        }
    }

    /// A delay that changes while a tone sounds makes no click, and the tone is where it should be in the end.
    @Test func aDelayChangesWithoutAClick() throws {
        let tone = sine(300, amplitude: 0.5, frames: 48_000), rig = OfflineRig()
        let node = try rig.graph.add(try UnitInstance.make(Speakers.self, rig.setup()))
        try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        for (time, value) in [(10_000, Float(0.1)), (20_011, 0.003), (20_500, 0.4), (21_000, 0.001)] {
            rig.set(Speakers.Parameter.leftDelay, value, of: node, at: time)
        }
        rig.render(48_000, block: 256)
        let heard = rig.recording[0], calm = steepestBend(rig.recording[1][100...])
        #expect(steepestBend(heard[100...]) < 3 * calm)
        for frame in 30_000..<48_000 where abs(heard[frame] - tone[frame - 48]) > 1e-6 {
            Issue.record("frame \(frame)")
            break
        }
    }

    // MARK: - The call

    /// What a call gives alone, with changes of it in time.
    private func call(_ changes: [(time: Int, value: Float)], frames: Int = 96_000, block: Int = 256) throws -> OfflineRig {
        let rig = OfflineRig(), setup = rig.setup(startValues: ["call": 0])
        let node = try rig.graph.add(try UnitInstance.make(SpeakerCall.self, setup))
        try rig.graph.setOutput(node)
        try rig.publish()
        for (time, value) in changes { rig.set(SpeakerCall.Parameter.call, value, of: node, at: time) }
        rig.render(frames, block: block)
        return rig
    }

    @Test(arguments: [(1, 0, [0]), (2, 1, [0, 14_400])] as [(Float, Int, [Int])])
    func aCallBeepsInOneSpeaker(_ value: Float, _ channel: Int, _ beeps: [Int]) throws {
        let heard = try call([(0, value)]).recording
        #expect(heard[1 - channel].allSatisfy { $0 == 0 })
        let beeping = heard[channel].indices.filter { abs(heard[channel][$0]) > 0.02 }
        var starts: [Int] = []
        for (index, frame) in beeping.enumerated() where index == 0 || frame - beeping[index - 1] > 2_000 {
            starts.append(frame)
        }
        let expected = beeps.flatMap { [$0, $0 + 48_000] }.sorted()
        #expect(zip(starts, expected).allSatisfy { abs($0 - $1) < 200 } && starts.count == expected.count, "\(starts)")
        #expect(abs(amplitude(heard[channel][1_000..<6_000], at: 880) - 0.1) < 0.005)
    }

    @Test func aCallComesAndGoesWithoutAClickAndThenItSleeps() throws {
        let rig = try call([(3_000, 1), (5_000, 0)], frames: 40_000), heard = rig.recording[0]
        #expect(steepestBend(heard[0...]) < 0.01 && heard[4_000..<5_000].contains { abs($0) > 0.05 })
        #expect(heard[5_300...].allSatisfy { $0 == 0 } && isAsleep(rig))
        // The other one takes over.
        let both = try call([(0, 1), (4_000, 2)]).recording
        #expect(steepestBend(both[0][0...]) < 0.01 && steepestBend(both[1][0...]) < 0.01)
    }

    @Test(arguments: [1, 7, 64, 4096]) func aCallIsTheSameHoweverTimeIsCut(_ block: Int) throws {
        let changes: [(time: Int, value: Float)] = [(100, 2), (20_000, 1), (30_000, 0)]
        let reference = try call(changes, frames: 50_000, block: 333).recording
        #expect(firstDifference(reference, try call(changes, frames: 50_000, block: block).recording) == nil)
    }

    @Test(arguments: [1, 7, 64, 100, 1024, 4096]) func blockSizesDoNotMatter(_ block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 30_000) + noise(frames: 2_000)
        let values: [String: Float] = ["left-delay": 0.02, "right-delay": 0.0111, "right-trim": -3]
        let reference = try play(Speakers.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(Speakers.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
