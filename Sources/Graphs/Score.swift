import MIDI
import RealtimeCore

/// The events of a piece of music, sorted by time, in memory that the render thread may walk.
///
/// Immutable and shared: any number of `ScoreSegment`s play parts of it, one after the other. Control side makes and
/// frees it; the renderer borrows it through the segments until it has given them back.
package final class Score: @unchecked Sendable {
    /// The events, sorted by time. [render]
    let events: UnsafePointer<TimedMusicEvent>
    /// The sample time at which the score's time 0 sounds when it is played as a whole.
    package let origin: SampleTime
    /// The number of events.
    package let count: Int
    /// The events as they were given, those included that are silent here. Control side.
    package let source: [TimedMusicEvent]

    /// Copies `events`, which are sorted by time; `origin` is when their time 0 sounds.
    ///
    /// - Parameter silent: parts, port * 16 + channel, whose notes are not played here, because they are played elsewhere.
    package init(_ events: [TimedMusicEvent], origin: SampleTime = .zero, silencing silent: Set<Int> = []) {
        source = events
        let memory = UnsafeMutablePointer<TimedMusicEvent>.allocate(capacity: max(events.count, 1))
        memory.initialize(from: events, count: events.count)
        if !silent.isEmpty {
            for place in events.indices {
                // A beginning becomes the end of a note that never was; so the places of all others stay.
                guard case .message(var message) = events[place].event, message.kind == .noteOn, silent.contains(message.part)
                else { continue }
                message.data2 = 0
                memory[place].event = .message(message)
            }
        }
        self.events = UnsafePointer(memory)
        count = events.count
        self.origin = origin
    }

    deinit { events.deallocate() }
}
