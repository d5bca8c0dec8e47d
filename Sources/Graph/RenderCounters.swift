/// What the renderer counts so that nothing is hidden, at one moment.
public struct RenderCounters: Sendable, Equatable {
    /// Render calls.
    public var slices = 0
    /// Events that came after their time and took effect at the start of a slice, live ones among them.
    public var lateEvents = 0
    /// Live events that came after their time; those without one (`SampleTime.zero`) are not late.
    public var lateLiveEvents = 0
    /// By how many frames the latest of them was late.
    public var worstLiveLateness = 0
    /// Events to a unit that the plan does not have.
    public var lostEvents = 0
    /// Performed events for which the journal's queue had no room, because nobody read it.
    public var unrecordedEvents = 0
    /// Slices in which a unit was muted because its samples were no numbers.
    public var faults = 0

    /// All counts.
    public init(
        slices: Int = 0, lateEvents: Int = 0, lateLiveEvents: Int = 0, worstLiveLateness: Int = 0, lostEvents: Int = 0,
        unrecordedEvents: Int = 0, faults: Int = 0
    ) {
        self.slices = slices
        self.lateEvents = lateEvents
        self.lateLiveEvents = lateLiveEvents
        self.worstLiveLateness = worstLiveLateness
        self.lostEvents = lostEvents
        self.unrecordedEvents = unrecordedEvents
        self.faults = faults
    }
}
