import Graph
import RealtimeCore

/// The last minutes of what was played: always recording, in bounded memory.
///
/// Control side.
struct MIDIRecorder {
    /// Frames after which an event is forgotten, and how many events there can be at most.
    let frames: Int
    let capacity: Int
    private var ring: [Journal.Entry] = []
    /// The oldest entry's place in the ring, and how many there are.
    private var first = 0
    private(set) var count = 0
    /// Whether something has been forgotten, and the time up to which.
    private(set) var forgottenUntil: SampleTime?

    init(frames: Int, capacity: Int = 1 << 18) {
        self.frames = frames
        self.capacity = capacity
    }

    /// Takes an event in; times never go back.
    mutating func record(_ entry: Journal.Entry) {
        forget(before: SampleTime(entry.time.rawValue - Int64(frames)))
        if count == capacity { drop() }
        if count == ring.count {
            // Full, but it may grow: in order first.
            ring = entries
            first = 0
            ring.append(entry)
        } else {
            ring[(first + count) % ring.count] = entry
        }
        count += 1
    }

    /// Forgets what took effect before `time`.
    mutating func forget(before time: SampleTime) {
        while count > 0, ring[first].time < time { drop() }
    }

    private mutating func drop() {
        forgottenUntil = ring[first].time
        first = (first + 1) % ring.count
        count -= 1
    }

    /// What is there, in order.
    var entries: [Journal.Entry] { (0..<count).map { ring[(first + $0) % ring.count] } }

    /// All of it as a journal up to `end`.
    func journal(_ setup: Journal.Setup, end: SampleTime) -> Journal {
        var journal = Journal()
        journal.setup = setup
        journal.entries = entries
        journal.isComplete = forgottenUntil == nil
        journal.begin = forgottenUntil == nil ? .zero : journal.entries.first?.time ?? end
        journal.end = end
        return journal
    }
}
