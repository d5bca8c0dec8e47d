import CarillonTestKit
import Graphs
import RealtimeCore
import Testing
import UnitAPI

@Suite struct GraphTests {
    @Test func aSourceReachesTheOutputUnchanged() throws {
        let rig = OfflineRig()
        let wave = (0..<1000).map { Float($0) / 1000 }
        let source = try rig.add(left: wave, right: wave.map { -$0 })
        try rig.graph.setOutput(source)
        try rig.publish()
        rig.render(1200, block: 64)
        #expect(rig.recording[0] == wave + Array(repeating: 0, count: 200))
        #expect(rig.recording[1] == wave.map { -$0 } + Array(repeating: 0, count: 200))
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }
}
