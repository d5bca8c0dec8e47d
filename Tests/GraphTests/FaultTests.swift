import CarillonTestKit
import Graphs
import RealtimeCore
import Testing
import UnitAPI

/// A unit that gives no numbers harms nobody else, and nothing is hidden.
@Suite struct FaultTests {
    @Test(arguments: [UInt8(1), 2]) func aUnitThatGivesNoNumbersIsMutedResetAndCounted(_ velocity: UInt8) throws {
        let rig = OfflineRig()
        let faulty = try rig.add(FaultyUnit.self), healthy = try rig.add(StairsUnit.self)
        let sum = try rig.add(CountingUnit.self)
        try rig.graph.connect(faulty, to: sum)
        try rig.graph.connect(healthy, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.send(.note(), to: healthy, at: 0)
        rig.send(.note(velocity: velocity), to: faulty, at: 70)
        rig.render(192, block: 64)
        let sound = rig.recording[0]
        #expect(sound[..<64].allSatisfy { $0 == 1.5 })
        #expect(sound[64..<128].allSatisfy { $0 == 1 }, "the slice with the fault is muted, the other unit sounds on")
        #expect(sound[128...].allSatisfy { $0 == 1.5 }, "the unit starts afresh")
        #expect(rig.renderer.counters.faults == 1)
        let fault = try #require(rig.renderer.nextFault())
        #expect(fault.code == .notFinite && fault.node == faulty && fault.time == SampleTime(64))
        #expect(rig.renderer.nextFault() == nil)
        #expect(try rig.graph.node(faulty).instance.faults == 1)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func faultsAreCountedEvenWhenNobodyReadsThem() throws {
        let rig = OfflineRig()
        let faulty = try rig.add(FaultyUnit.self)
        try rig.graph.setOutput(faulty)
        try rig.publish()
        for n in 0..<3000 { rig.send(.note(), to: faulty, at: n) }
        rig.render(3000, block: 1)
        #expect(rig.renderer.counters.faults == 3000)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
    }
}
