import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// A unit that sounds and plays for others too leaves nobody with its notes when it has to start afresh.
@Suite struct MusicRestartTests {
    /// Passes sound and music on; key 127 breaks its sound.
    private struct Singer: AudioUnit, ~Copyable {
        static let descriptor = UnitDescriptor(
            component: ComponentDescription(type: .effect, subtype: "sngr", manufacturer: "Test"), name: "singer",
            summary: "Passes sound and music on.", inputs: [.init("main")], outputs: [.music(), .init("main")],
            acceptsMusic: true)

        private var sample: Float = 0.5

        init(_ setup: UnitSetup) {}

        @_noLocks mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
            outlet.send(event)
            if case .message(let message) = event, message.data1 == 127 { sample = .nan }
        }

        @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
            for channel in 0..<2 { for i in 0..<io.frames { io.output(1, channel)[i] = sample } }
            return .sounding
        }

        @_noLocks mutating func reset() { sample = 0.5 }
    }

    /// The unit, one that hears it, and both in the output.
    private func stage() throws -> (rig: OfflineRig, singer: NodeID, heard: MusicRecording) {
        let rig = OfflineRig(), singer = try rig.add(Singer.self), sum = try rig.add(CountingUnit.self)
        let (listener, heard) = try rig.listen(to: singer)
        try rig.graph.connect(singer, output: 1, to: sum)
        try rig.graph.connect(listener, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        return (rig, singer, heard)
    }

    @Test func notesOfAUnitThatIsMutedEndWithTheSlice() throws {
        let (rig, singer, heard) = try stage()
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: singer, at: 10)
        rig.send(.message(MIDIMessage(status: 0x90, data1: 127, data2: 100)), to: singer, at: 100)
        rig.render(192, block: 64)
        #expect(rig.renderer.counters.faults == 1)
        #expect(heard.begun.map(\.key) == [60, 127] && heard.hanging.isEmpty, "\(heard.events)")
        #expect(heard.ended.map(\.time) == [127, 127])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func notesOfAUnitThatIsBypassedEndWhenItRests() throws {
        let (rig, singer, heard) = try stage()
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: singer, at: 10)
        rig.render(1024, block: 64)
        #expect(heard.hanging == [60: 1])
        try rig.graph.bypass(singer)
        try rig.publish()
        rig.render(8192, block: 64)
        #expect(heard.hanging.isEmpty, "\(heard.events)")
    }
}
