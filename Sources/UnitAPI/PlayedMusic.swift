// [render]
import MIDI
import RealtimeCore
import Synchronization

/// The music that a MIDI unit has played for instruments, on its way to the recorder: filled after each slice of the unit,
/// emptied by the control side.
@usableFromInline package final class PlayedMusic: Sendable {
    private let queue = SPSCQueue<TimedMusicEvent>(
        capacity: 4096, filler: TimedMusicEvent(time: .zero, event: .reset(.generalMIDI, port: 0)))
    private let lost = Atomic<Int>(0)

    /// Control side.
    package init() {}

    @_noLocks func take(_ event: MusicEvent, at time: SampleTime) {
        if !queue.push(TimedMusicEvent(time: time, event: event)) { lost.add(1, ordering: .relaxed) }
    }

    /// Removes and returns the oldest event. Control side.
    package func next() -> TimedMusicEvent? { queue.pop() }

    /// The number of events for which there was no room, so far. Any thread.
    package var lostEvents: Int { lost.load(ordering: .relaxed) }
}
