/// An object on the control side for one unit: it fills the unit's ring or empties it, so that files, devices and readers
/// meet the render side without a wait.
///
/// Control side, any thread of it, also two at once: a companion keeps its own order.
///
/// Sendable: it has no state of its own. A subclass restates `@unchecked Sendable`, as the compiler asks, and owes its own
/// proof: data that two threads write is under a lock, and data that the unit shares with it is atomic or a queue.
open class UnitCompanion: @unchecked Sendable {
    /// Creates a companion that does nothing.
    public init() {}

    /// Does its pending work, and returns. Called offline and in simulated time before every slice, so that nothing is
    /// ever late there.
    open func attend() {}

    /// Does its work without waiting for a disk or a network, for which the companion needs a thread of its own. Called every
    /// 10 ms by a thread of the engine, which serves all companions, while a device plays in its own time, and then by
    /// `Engine.maintain()`. By default `attend`, for companions that never wait.
    open func look() { attend() }

    /// Ends what waits for the unit, because the engine that served it is freed.
    open func end() {}

    /// Learns that a device plays in its own time from now on, so that no call may wait for a file. Never waits.
    open func beginLive() {}

    /// True if `look` may wait all the same, for a disk or for foreign code, such as a plug-in's: then the engine calls it in a thread for
    /// this companion alone.
    open var mayWait: Bool { false }

    /// A sentence, without the unit's name, on what keeps the unit from its work at the moment, or from giving what it has as
    /// it is; nil for nothing. Never waits.
    open var complaint: String? { nil }
}
