import CarillonTestKit
import DSP
import RealtimeCore
import Testing
import UnitAPI
import Units

@Suite struct RingModulatorTests {
    @Test(arguments: [(1_000, 300), (440, 5_000), (3_000, 12.5), (200, 10_000)] as [(Double, Float)])
    func aToneBecomesItsSumAndItsDifferenceAlone(tone: Double, carrier: Float) throws {
        let heard = try play(
            RingModulator.self, left: sine(tone, amplitude: 0.5, frames: 96_000),
            right: sine(tone, amplitude: 0.5, frames: 96_000, phase: 0.25), values: ["frequency": carrier, "mix": 100]
        ).recording
        let sum = tone + Double(carrier), difference = abs(tone - Double(carrier))
        for channel in heard {
            for side in [sum, difference] { #expect(abs(amplitude(channel, at: side) - 0.25) < 1e-5, "\(side) Hz") }
            // Carrier, tone and what a carrier that is no sine would add: 100 dB down.
            for other in [tone, Double(carrier), tone + 2 * Double(carrier), 2 * tone + Double(carrier), 7_777] {
                #expect(amplitude(channel, at: other) < 0.5e-5, "\(other) Hz")
            }
        }
    }

    @Test func mixLeavesTheToneItsShare() throws {
        let tone = sine(1_000, amplitude: 0.5, frames: 48_000)
        let heard = try play(RingModulator.self, left: tone, right: tone, values: ["frequency": 300, "mix": 40]).recording[0]
        for (frequency, wanted) in [(1_000.0, 0.3), (1_300, 0.1), (700, 0.1)] {
            #expect(abs(amplitude(heard, at: frequency) - wanted) < 1e-5)
        }
        let dry = try play(RingModulator.self, left: tone, right: tone, values: ["mix": 0]).recording
        #expect(firstDifference(dry, [tone, tone]) == nil)
    }

    @Test(arguments: [0, 4_800 * 123_457] as [Int64]) func theCarrierIsAFunctionOfTheSampleTime(start: Int64) throws {
        // Steady input, so that what comes out is the carrier itself: after half an hour, and after a sleep, to the bit.
        let rig = OfflineRig(start: SampleTime(start))
        let node = try rig.add(RingModulator.self, startValues: ["frequency": 441.5, "mix": 100])
        let source = try rig.graph.add(
            UnitInstance.boxing(Steady(pauseFrom: start + 2_000, to: start + 30_011), rig.setup()), name: "steady")
        try rig.graph.connect(source, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(40_000)
        for n in [0, 1, 777, 1_999, 30_011, 30_012, 39_999] {
            // In a tenth of a second the carrier makes 44.15 turns.
            let frame = Int64(n) + start, turns = Double(frame % 4_800) * 441.5 / 48_000 + Double(frame / 4_800 % 20) * 0.15
            #expect(abs(Double(rig.recording[0][n]) - DeterministicMath.sine(turns: turns)) < 1e-5, "frame \(n)")
        }
        #expect(rig.recording[0][2_000..<30_011].allSatisfy { $0 == 0 })
    }

    @Test func thePhaseGoesOnWhereTheFrequencyMoves() throws {
        let rig = OfflineRig()
        let node = try rig.add(RingModulator.self, startValues: ["frequency": 100, "mix": 100])
        let ones = [Float](repeating: 1, count: 48_000)
        try rig.graph.connect(try rig.add(left: ones, right: ones), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.set(RingModulator.Parameter.frequency, 400, of: node, at: 10_055)
        rig.set(RingModulator.Parameter.frequency, 0.1, of: node, at: 20_011)
        rig.set(RingModulator.Parameter.frequency, 300, of: node, at: 30_007)
        rig.render(48_000)
        // A sine of 400 Hz bends by (2 pi 400 / 48000)^2 = 0.0027; a corner where the frequency steps by its turn at most.
        #expect(steepestBend(rig.recording[0][...]) < 0.006)
        #expect(abs(amplitude(rig.recording[0][15_000..<19_800], at: 400) - 1) < 1e-3)
        #expect(abs(amplitude(rig.recording[0][38_400..<48_000], at: 300) - 1) < 1e-3)
    }

    @Test func itSleepsWhenNothingComesIn() throws {
        let rig = try play(RingModulator.self, left: noise(frames: 500), right: noise(frames: 500), frames: 4_096)
        let sleeps = isAsleep(rig)
        #expect(sleeps && rig.recording[0].lastIndex { $0 != 0 } == 499)
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let values: [String: Float] = ["frequency": 6_543, "mix": 80]
        let reference = try play(RingModulator.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(RingModulator.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}

/// Ones, but for a pause.
private struct Steady: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "ones", manufacturer: "Test"), name: "steady",
        summary: "Ones, but for a pause.", outputs: [.init("main")])
    typealias Parameter = NoParameter
    private let pause: Range<Int64>

    init(_ setup: UnitSetup) { pause = 0..<0 }
    init(pauseFrom start: Int64, to end: Int64) { pause = start..<end }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for i in 0..<io.frames {
            let time = (io.sampleTime + i).rawValue
            let sample: Float = time >= pause.lowerBound && time < pause.upperBound ? 0 : 1
            io.output(0, 0)[i] = sample
            io.output(0, 1)[i] = sample
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}
