import MIDI
import RealtimeCore

/// The events of a piece of music, sorted by time, in memory that the render thread may walk.
///
/// Immutable and shared: any number of `ScoreSegment`s play parts of it, one after the other. Control side makes and
/// frees it; the renderer borrows it through the segments until it has given them back.
public final class Score: @unchecked Sendable {
    /// The events, sorted by time. [render]
    let events: UnsafePointer<TimedMusicEvent>
    /// The sample time at which the score's time 0 sounds when it is played as a whole.
    public let origin: SampleTime
    /// How many events there are.
    public let count: Int

    /// Copies `events`, which are sorted by time; `origin` is when their time 0 sounds.
    public init(_ events: [TimedMusicEvent], origin: SampleTime = .zero) {
        let memory = UnsafeMutablePointer<TimedMusicEvent>.allocate(capacity: max(events.count, 1))
        memory.initialize(from: events, count: events.count)
        self.events = UnsafePointer(memory)
        count = events.count
        self.origin = origin
    }

    deinit { events.deallocate() }
}
