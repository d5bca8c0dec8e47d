import CarillonTestKit
import DSP
import Graphs
import Testing
import UnitAPI
import Units

@Suite struct FoldDownTests {
    @Test func itIsHalfTheSumOfBothSides() throws {
        let left = noise(frames: 4_000, seed: 1), right = noise(frames: 4_000, seed: 2)
        let heard = try play(FoldDown.self, left: left, right: right, block: 333).recording
        let wanted = zip(left, right).map { ($0 + $1) * 0.5 }
        #expect(heard == [wanted, wanted], "one channel, heard on both")
    }

    @Test func theMiddleIsAsLoudOneSideSofterAndTheDifferenceGone() throws {
        let tone = sine(440, amplitude: 0.5, frames: 4_800), none = [Float](repeating: 0, count: 4_800)
        func change(_ left: [Float], _ right: [Float]) throws -> Double {
            decibels(max(level(try play(FoldDown.self, left: left, right: right).recording[0]) / level(tone), 1e-9))
        }
        #expect(try abs(change(tone, tone)) < 0.001)
        #expect(try abs(change(none, tone) + 6.02) < 0.01)
        #expect(try change(tone, tone.map { -$0 }) < -120)
    }

    @Test func stereoReachesABusOfOneChannelThroughIt() throws {
        let rig = OfflineRig(), tone = sine(440, amplitude: 0.5, frames: 4_800)
        let stereo = try rig.add(left: tone, right: tone), fold = try rig.add(FoldDown.self)
        let mono = try rig.graph.add(
            UnitInstance.make(OneChannel.self, rig.setup()), name: "vocoder")
        let refused = #expect(throws: Fault.self) { try rig.graph.connect(stereo, to: mono) }
        let text = refused?.description ?? ""
        #expect(text.hasPrefix("signal -> vocoder: ") && text.contains("fold-down") && !text.contains("("), "\(text)")
        try rig.graph.chain(stereo, fold, mono)
        try rig.graph.setOutput(mono)
        try rig.publish()
        rig.render(4_800)
        #expect(rig.recording == [tone, tone])
    }

    /// Passes its one channel on.
    private struct OneChannel: AudioUnit, ~Copyable {
        static let descriptor = UnitDescriptor(
            component: ComponentDescription(type: .effect, subtype: "onec", manufacturer: "Test"), name: "one-channel",
            summary: "Has one channel.", inputs: [.init("main", channels: 1)], outputs: [.init("main", channels: 1)])

        init(_ setup: UnitSetup) {}
        @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
            for frame in 0..<io.frames { io.output(0, 0)[frame] = io.input(0, 0)[frame] }
            return .sounding
        }
        @_noLocks mutating func reset() {}
    }
}
