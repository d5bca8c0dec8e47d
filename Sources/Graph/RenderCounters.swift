// [render]
import Synchronization

/// What the renderer counts so that nothing is hidden. The render thread writes, any thread reads.
public final class RenderCounters: Sendable {
    let slices = Atomic<Int>(0)
    let lateEvents = Atomic<Int>(0)
    let lostEvents = Atomic<Int>(0)
    let faults = Atomic<Int>(0)

    /// The counts at one moment.
    public struct Values: Sendable, Equatable {
        /// Render calls.
        public var slices = 0
        /// Events that came after their time and took effect at the start of a slice.
        public var lateEvents = 0
        /// Events to a unit that no plan has.
        public var lostEvents = 0
        /// Slices in which a unit was muted because its samples were no numbers.
        public var faults = 0
    }

    init() {}

    /// Reads all counts. Any thread.
    public var values: Values {
        Values(
            slices: slices.load(ordering: .relaxed), lateEvents: lateEvents.load(ordering: .relaxed),
            lostEvents: lostEvents.load(ordering: .relaxed), faults: faults.load(ordering: .relaxed))
    }
}
