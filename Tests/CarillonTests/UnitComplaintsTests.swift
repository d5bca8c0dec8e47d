import Carillon
import Graphs
import Synchronization
import TestUnits
import Testing
import UnitAPI

@testable import Sessions

/// A unit that cannot work is told, and does not fill the log.
@Suite struct UnitComplaintsTests {
    private final class Complainer: UnitCompanion, @unchecked Sendable {
        let text = Mutex<String?>(nil)
        override var complaint: String? { text.withLock { $0 } }
    }

    @Test func aComplaintIsToldWhenItBeginsAndSeldomWhenItComesAgainAndAgain() throws {
        var graph = Graph(sampleRate: 48_000, maximumFrames: 512), complaints = UnitComplaints()
        let companion = Complainer()
        _ = try graph.add(
            UnitInstance.boxing(Attended(companion), UnitSetup(sampleRate: 48_000, maximumFrames: 512)), name: "echo")
        #expect(complaints.look(graph).isEmpty)
        var told: [Int] = []
        for time in 1...20 {
            companion.text.withLock { $0 = "it has gone" }
            let lines = complaints.look(graph)
            #expect(lines.isEmpty || lines == ["echo: it has gone"])
            if !lines.isEmpty { told.append(time) }
            #expect(complaints.look(graph).isEmpty, "once each time")
            companion.text.withLock { $0 = nil }
            #expect(complaints.look(graph).isEmpty)
        }
        #expect(told == [1, 2, 4, 8, 16])
    }
}
