import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

@Suite struct JournalTests {
    @Test(arguments: [UInt64(1), 2, 3]) func theJournalOfASquareWaveReplaysBitForBit(_ seed: UInt64) throws {
        func rig() throws -> (OfflineRig, NodeID) {
            let rig = OfflineRig()
            let node = try rig.add(SquareWave.self)
            for part in 0..<3 { try rig.graph.route(part: part, to: node) }
            try rig.graph.setOutput(node)
            try rig.publish()
            return (rig, node)
        }
        let (played, node) = try rig()
        let width = (index: SquareWave.Parameter.pulseWidth.rawValue, values: Float(10)...90)
        let events = played.improvise(seed: seed, frames: 60_000, node: node, parameter: width)
        #expect(events.count > 500 && played.renderer.counters.lateLiveEvents > 50)
        #expect(played.violations.total == 0, "\(played.violations)")
        #expect(played.recording[0].contains { abs($0) > 0.05 })
        for block in [1, 64, 333, 4096] {
            let (again, _) = try rig()
            again.replay(events, frames: 60_000, block: block)
            #expect(again.recording == played.recording, "in slices of \(block)")
            #expect(again.renderer.counters.lateEvents == 0)
            // A journal of the replay is the same journal.
            var times: [SampleTime] = []
            while let event = again.renderer.nextPerformed() { times.append(event.command.time) }
            #expect(times == events.map(\.command.time))
        }
    }
}
