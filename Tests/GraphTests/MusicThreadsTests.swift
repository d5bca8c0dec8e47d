import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// Several threads hand music on from one unit to the next, in each slice and while other slices are at work.
@Suite struct MusicThreadsTests {
    /// Plays each note, and the one an octave above it.
    private struct Doubler: AudioUnit, ~Copyable {
        static let descriptor = UnitDescriptor(
            component: ComponentDescription(type: .midiProcessor, subtype: "dubl", manufacturer: "Test"), name: "doubler",
            summary: "Plays each note, and the one an octave above it.", outputs: [.music()], acceptsMusic: true)

        init(_ setup: UnitSetup) {}

        @_noLocks mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
            outlet.send(event)
            guard case .message(var message) = event else { return }
            message.data1 = (message.data1 &+ 12) & 127
            outlet.send(.message(message))
        }

        @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
        @_noLocks mutating func reset() {}
    }

    @Test(arguments: [1, 2, 3]) func whatIsPlayedDoesNotDependOnTheNumberOfThreads(threads: Int) throws {
        let rig = OfflineRig(maximumFrames: 64, channels: 1, threads: threads, pull: 1024)
        let doublers = try (0..<3).map { _ in try rig.add(Doubler.self) }
        try rig.graph.connect(doublers[0], to: doublers[1])
        try rig.graph.connect(doublers[1], to: doublers[2])
        let (end, heard) = try rig.listen(to: doublers[2])
        try rig.graph.connect(doublers[0], to: end)
        try rig.graph.setOutput(end)
        try rig.publish()
        for n in 0..<200 {
            rig.send(.message(MIDIMessage(status: 0x90, data1: UInt8(n % 60), data2: 9)), to: doublers[0], at: n * 53)
        }
        rig.render(200 * 53, block: 1024)
        // Eight notes by the long way, two by the short one; the long way's connection was made first.
        #expect(heard.begun.map(\.time) == (0..<200).flatMap { Array(repeating: $0 * 53, count: 10) })
        let first = heard.begun.prefix(10).map(\.key)
        #expect(first == [0, 12, 12, 24, 12, 24, 24, 36, 0, 12])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }
}
