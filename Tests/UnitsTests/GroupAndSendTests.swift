import CarillonTestKit
import Graphs
import Testing
import UnitAPI
import Units

/// Group buses and sends are mixers: a group hears strips, an aux bus hears what is before or behind their faders.
@Suite struct GroupAndSendTests {
    private static let frames = 9_600
    private static let tones = [500.0, 1_000]

    /// Two tones through a strip each into a group and from there to the output; the first is sent to an aux bus before
    /// its fader at -6 dB, the second behind it at -12 dB.
    private struct Desk {
        let rig = OfflineRig()
        let strips: [NodeID]
        let group: NodeID, aux: NodeID, output: NodeID

        init() throws {
            var strips: [NodeID] = []
            group = try rig.add(MultichannelMixer.self, name: "group", inputs: 2)
            aux = try rig.graph.add(
                UnitInstance.make(
                    MultichannelMixer.self, rig.setup(inputs: 2, elementValues: ["gain": [-6, -12]])), name: "aux")
            output = try rig.add(MultichannelMixer.self, name: "output", inputs: 2)
            for (n, tone) in tones.enumerated() {
                let x = sine(tone, amplitude: 0.25, frames: frames)
                let source = try rig.add(left: x, right: x, name: "tone-\(n)")
                let strip = try rig.add(ChannelStrip.self, name: "strip-\(n)")
                try rig.graph.connect(source, to: strip)
                try rig.graph.connect(strip, to: group, input: n)
                try rig.graph.connect(n == 0 ? source : strip, to: aux, input: n)
                strips.append(strip)
            }
            try rig.graph.connect(group, to: output)
            self.strips = strips
        }

        /// Renders what is heard at `bus`, and says how loud each tone is: in decibels above what it is at its source.
        func levels(at bus: NodeID) throws -> [Double] {
            try rig.graph.setOutput(bus)
            try rig.publish()
            rig.render(frames, block: 128)
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return tones.map { decibels(max(amplitude(rig.recording[0][4_800...], at: $0) / 0.25, 1e-9)) }
        }
    }

    private static func expect(_ seen: [Double], _ wanted: [Double]) {
        for (seen, wanted) in zip(seen, wanted) { #expect(wanted < -100 ? seen < -90 : abs(seen - wanted) < 0.01) }
    }

    @Test func aGroupsFaderMovesAllThatIsInItAndNoSend() throws {
        let desk = try Desk(), again = try Desk()
        for desk in [desk, again] { desk.rig.set(MultichannelMixer.Parameter.volume, -9, of: desk.group, at: 0) }
        Self.expect(try desk.levels(at: desk.output), [-9, -9])
        Self.expect(try again.levels(at: again.aux), [-6, -12])
    }

    @Test func aSendBeforeTheFaderStaysWhereItIsAndOneBehindItFollows() throws {
        let desk = try Desk(), again = try Desk()
        for desk in [desk, again] {
            for strip in desk.strips { desk.rig.set(ChannelStrip.Parameter.gain, -10, of: strip, at: 0) }
        }
        Self.expect(try desk.levels(at: desk.output), [-10, -10])
        Self.expect(try again.levels(at: again.aux), [-6, -22])
    }

    @Test func muteSilencesTheSendBehindTheFaderAlone() throws {
        let desk = try Desk()
        for strip in desk.strips { desk.rig.set(ChannelStrip.Parameter.mute, 1, of: strip, at: 0) }
        Self.expect(try desk.levels(at: desk.aux), [-6, -200])
    }

    @Test func aSendIsMovedWithoutAClickAndSwitchedOff() throws {
        let desk = try Desk()
        desk.rig.set(MultichannelMixer.Parameter.gain, 0, element: 0, of: desk.aux, at: 1_000)
        desk.rig.set(MultichannelMixer.Parameter.enable, 0, element: 1, of: desk.aux, at: 3_000)
        Self.expect(try desk.levels(at: desk.aux), [0, -200])
        let heard = desk.rig.recording[0]
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 0.03 })
    }
}
