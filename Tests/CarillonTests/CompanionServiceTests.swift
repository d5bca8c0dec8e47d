import Carillon
import CarillonTestKit
import Foundation
import Graphs
import Synchronization
import TestUnits
import Testing
import UnitAPI

@testable import EngineCore
@testable import Sessions

/// Who serves what stands on the control side for a unit.
@Suite struct CompanionServiceTests {
    /// Writes down in which thread it is served.
    private final class Witness: UnitCompanion, @unchecked Sendable {
        let isSlow: Bool
        let names = Mutex<[String]>([])
        let served = DispatchSemaphore(value: 0)

        init(isSlow: Bool) { self.isSlow = isSlow }

        override var mayWait: Bool { isSlow }

        override func attend() {
            let name = FileManager.default.contents(atPath: "/proc/thread-self/comm") ?? Data()
            names.withLock { $0.append(String(decoding: name, as: UTF8.self).trimmingCharacters(in: .newlines)) }
            served.signal()
        }
    }

    @Test func whoMayWaitForOthersKeepsNobodyElseWaiting() throws {
        var graph = Graph(sampleRate: 48_000, maximumFrames: 512)
        let setup = UnitSetup(sampleRate: 48_000, maximumFrames: 512)
        let slow = Witness(isSlow: true), quick = Witness(isSlow: false)
        for witness in [slow, quick] { _ = try graph.add(UnitInstance.boxing(Attended(witness), setup)) }
        let companionService = CompanionService()
        companionService.adopt(graph)
        let feeder = try companionService.makeThread()
        for _ in 0..<3 { for witness in [slow, quick] { witness.served.wait() } }
        withExtendedLifetime(feeder) {}
        #expect(Set(slow.names.withLock { $0 }) == ["carillon-unit"])
        #expect(!quick.names.withLock { $0 }.contains("carillon-unit"))
        // Offline everybody is served before it goes on.
        let count = slow.names.withLock { $0.count }
        companionService.attend()
        #expect(slow.names.withLock { $0.count } > count && slow.names.withLock { $0.contains { $0 != "carillon-unit" } })
    }

    /// On a device that plays in its own time neither it nor the session waits for what a unit reads.
    @Test func aThreadServesTheUnitsOfASession() throws {
        let port = SlicePort(longestSlice: 512, isLive: true), outlet = SimulatedOutlet(now: { 0 })
        let session = try Session(SessionInTime.options, songs: [SessionInTime.listed(2)], on: port, outlet: outlet)
        let setup = UnitSetup(sampleRate: session.engine.sampleRate, maximumFrames: session.engine.maximumFrames)
        let slow = Witness(isSlow: true), quick = Witness(isSlow: false)
        try session.engine.edit { graph in
            for witness in [slow, quick] { _ = try graph.add(UnitInstance.boxing(Attended(witness), setup)) }
        }
        try session.start()
        try session.maintain()
        for _ in 0..<3 { for witness in [slow, quick] { witness.served.wait() } }
        try session.finish()
        #expect(Set(slow.names.withLock { $0 }) == ["carillon-unit"])
        #expect(quick.names.withLock { $0 }.contains("carillon-feeder"))
    }
}
