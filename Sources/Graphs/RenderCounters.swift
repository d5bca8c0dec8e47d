/// The counts that the renderer keeps so that nothing is hidden, at one moment.
public struct RenderCounters: Sendable, Equatable {
    /// Render calls.
    public var slices = 0
    /// Events that came after their time and took effect at the start of a slice, live ones among them.
    public var lateEvents = 0
    /// Live events that came after their time; those without one (`SampleTime.immediately`, `.inTurn`) are not late.
    public var lateLiveEvents = 0
    /// The most frames by which a live event came after its time.
    public var worstLiveLateness = 0
    /// Commands to a unit or a parameter that the plan does not have: the sender has a name that no longer exists. And
    /// music of MIDI units, more than 1792 notes in a slice.
    public var lostEvents = 0
    /// Notes that began and reached no unit: no unit has their part, or the unit they were sent to plays no notes. The names
    /// were good, but there was nothing to sound. Other music without a receiver is not counted.
    public var unheardEvents = 0
    /// Slices that began with commands or live events in a queue because more than 16 384 were waiting for their time.
    public var crowdedSlices = 0
    /// Performed events for which the journal's queue had no room, because it was not read.
    public var unrecordedEvents = 0
    /// Slices in which a unit was muted because its samples were no numbers.
    public var faults = 0

    /// All counts.
    public init(
        slices: Int = 0, lateEvents: Int = 0, lateLiveEvents: Int = 0, worstLiveLateness: Int = 0, lostEvents: Int = 0,
        unheardEvents: Int = 0, crowdedSlices: Int = 0, unrecordedEvents: Int = 0, faults: Int = 0
    ) {
        (self.slices, self.lateEvents, self.lateLiveEvents) = (slices, lateEvents, lateLiveEvents)
        (self.worstLiveLateness, self.lostEvents, self.unheardEvents) = (worstLiveLateness, lostEvents, unheardEvents)
        (self.crowdedSlices, self.unrecordedEvents, self.faults) = (crowdedSlices, unrecordedEvents, faults)
    }

    /// One of the counts, with its name, for a display of all.
    public struct Count: Sendable, Equatable {
        /// Kebab-case name that stays.
        public let name: String
        /// A phrase for what is counted.
        public let help: String
        public let value: Int
    }

    /// Every count, in the order of declaration.
    public var all: [Count] {
        [
            Count(name: "slices", help: "render calls", value: slices),
            Count(name: "late-events", help: "events that came after their time", value: lateEvents),
            Count(name: "late-live-events", help: "live events that came after their time", value: lateLiveEvents),
            Count(name: "worst-live-lateness", help: "frames by which the latest of them was late", value: worstLiveLateness),
            Count(
                name: "lost-events",
                help: "commands to a unit or parameter that is not there; music of MIDI units that a slice had no room for",
                value: lostEvents),
            Count(name: "unheard-events", help: "notes that began and reached no instrument", value: unheardEvents),
            Count(name: "crowded-slices", help: "slices that began with too many events waiting", value: crowdedSlices),
            Count(name: "unrecorded-events", help: "events that the journal had no room for", value: unrecordedEvents),
            Count(name: "faults", help: "slices in which a unit gave samples that are not numbers", value: faults),
        ]
    }
}
