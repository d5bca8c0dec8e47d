/// What the renderer counts so that nothing is hidden, at one moment.
public struct RenderCounters: Sendable, Equatable {
    /// Render calls.
    public var slices = 0
    /// Events that came after their time and took effect at the start of a slice.
    public var lateEvents = 0
    /// Events to a unit that the plan does not have.
    public var lostEvents = 0
    /// Slices in which a unit was muted because its samples were no numbers.
    public var faults = 0

    /// All counts.
    public init(slices: Int = 0, lateEvents: Int = 0, lostEvents: Int = 0, faults: Int = 0) {
        self.slices = slices
        self.lateEvents = lateEvents
        self.lostEvents = lostEvents
        self.faults = faults
    }
}
