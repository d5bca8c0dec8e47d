import RealtimeCore
import Synchronization

/// A compiled graph, built and freed on the control side: the memory that `PlanTables` points into.
///
/// It borrows the units and keeps them alive.
package final class RenderPlan: Retirable, @unchecked Sendable {
    /// The tables that the render thread walks: first the one, and once its fades are over, the other.
    struct Stages: BitwiseCopyable {
        let first: PlanTables
        /// Where old ways and new ones together would have been a circle.
        let last: PlanTables?
    }

    struct Ticket: BitwiseCopyable {
        /// The stages to take when all earlier fades are over.
        let settled: Stages
        /// The stages to take when they are not; nil if the plan has to wait for that.
        let fading: Stages?
        /// When it takes effect; `.zero`: with the next slice.
        var time = SampleTime.zero
        /// The place among all plans posted.
        var serial = 0
        /// The place among those that are reported, from 1 on; 0 for one that is not.
        var number: Int32 = 0
    }

    /// Written before the plan is posted, then only read.
    let ticket: UnsafeMutablePointer<Ticket>
    private let memory: PlanMemory
    /// True once the renderer has adopted the plan, or the control side has withdrawn it: whichever comes first.
    private let isTaken = Atomic<Bool>(false)

    init(settled: Stages, fading: Stages?, memory: PlanMemory) {
        ticket = memory.allocate(1, Ticket(settled: settled, fading: fading))
        self.memory = memory
    }

    /// Takes the plan, to adopt it or to withdraw it; false if the other side has it. Any thread.
    @_noLocks func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }
    /// True while the plan waits.
    var isWaiting: Bool { @_noLocks get { !isTaken.load(ordering: .acquiring) } }

    /// The most frames of one slice.
    package var maximumFrames: Int { ticket.pointee.settled.first.maximumFrames }
    /// Frames by which the output is later than the events.
    package var latency: Int { ticket.pointee.settled.first.latency }
    /// True if the plan's fades come in two parts, so that the plan after it waits for their end.
    var isStaged: Bool { ticket.pointee.settled.last != nil }
}
