import MIDI
import RealtimeCore

/// Music for the renderer to play: events sorted by time, in memory that the render thread may walk.
///
/// Control side makes and frees it; the renderer borrows it until it has given it back.
public final class Score: Retirable, @unchecked Sendable {
    /// The events, sorted by time. [render]
    let events: UnsafePointer<TimedMusicEvent>
    /// The sample time at which the score's time 0 sounds. [render]
    let origin: SampleTime

    /// Copies `events`, which are sorted by time; `origin` is when their time 0 sounds.
    public init(_ events: [TimedMusicEvent], origin: SampleTime = .zero) {
        let memory = UnsafeMutablePointer<TimedMusicEvent>.allocate(capacity: max(events.count, 1))
        memory.initialize(from: events, count: events.count)
        self.events = UnsafePointer(memory)
        count = events.count
        self.origin = origin
    }

    /// How many events there are.
    public let count: Int

    deinit { events.deallocate() }
}
