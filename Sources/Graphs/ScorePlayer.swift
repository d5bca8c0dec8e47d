// [render]
import MIDI
import RealtimeCore

/// The render side's place in the score: the segment that sounds, those that will, and the notes they left sounding.
///
/// A segment that is posted takes the place of everything scheduled at or after its start; earlier ones are played up to
/// there. `nextTime` looks, `take` moves on.
struct ScorePlayer {
    /// Segments that may wait at once; further ones wait in the renderer's queue.
    static var capacity: Int { @_noLocks get { 16 } }

    let notes = ScoreNotes()
    /// A segment, and the object to give back when it has been played.
    private struct Entry: BitwiseCopyable {
        let tables: SegmentTables
        let object: UnsafeMutableRawPointer
    }

    private var current: Entry?
    /// The next event of the current segment; what of its start is still to come.
    private var cursor = 0, prologueCursor = 0
    /// The part whose notes are released next; `partCount` when all parts are done.
    private var releasePart = ScoreNotes.partCount
    private let waiting: UnsafeMutablePointer<Entry>
    private(set) var waitingCount = 0

    init() {
        waiting = .allocate(capacity: Self.capacity)
    }

    /// Control side, once; returns what has to be released.
    mutating func dispose() -> [UnsafeMutableRawPointer] {
        var objects = (0..<waitingCount).map { waiting[$0].object }
        if let current { objects.append(current.object) }
        notes.deallocate()
        waiting.deallocate()
        return objects
    }

    /// Schedules a segment for its start; it replaces all segments that would start then or later.
    @_noLocks mutating func schedule(
        _ tables: SegmentTables, _ object: UnsafeMutableRawPointer,
        returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>
    ) {
        while waitingCount > 0, waiting[waitingCount &- 1].tables.start >= tables.start {
            waitingCount &-= 1
            _ = returned.push(waiting[waitingCount].object)
        }
        (waiting + waitingCount).initialize(to: Entry(tables: tables, object: object))
        waitingCount &+= 1
    }

    /// If that is before `end`. Switches to the next segment if that is what comes next.
    @_noLocks mutating func nextTime(
        before end: SampleTime, returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>
    ) -> SampleTime? {
        while true {
            if let current {
                if releasePart < ScoreNotes.partCount {
                    releasePart = notes.firstHeld(from: releasePart)
                    if releasePart < ScoreNotes.partCount { return due(current.tables.start, end) }
                    notes.forget()
                }
                if prologueCursor < current.tables.prologueCount { return due(current.tables.start, end) }
            }
            let time = eventTime()
            if waitingCount > 0, waiting[0].tables.start < end {
                if let time, time < waiting[0].tables.start { return time }
            } else {
                guard let time else { return nil }
                return due(time, end)
            }
            advance(returned: returned)
        }
    }

    @_noLocks private func due(_ time: SampleTime, _ end: SampleTime) -> SampleTime? { time < end ? time : nil }

    @_noLocks private func eventTime() -> SampleTime? {
        guard let current, cursor < current.tables.end else { return nil }
        return current.tables.time(of: cursor)
    }

    @_noLocks private mutating func advance(returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>) {
        if let current { _ = returned.push(current.object) }
        let next = waiting[0]
        waitingCount &-= 1
        for i in 0..<waitingCount { waiting[i] = waiting[i &+ 1] }
        current = next
        cursor = next.tables.first
        prologueCursor = 0
        if next.tables.releases { releasePart = 0 }
    }

    /// Takes the event that `nextTime` announced, as the units receive it: nothing if the note has no key.
    @_noLocks mutating func take() -> MusicEvent? {
        guard let current else { return nil }
        if releasePart < ScoreNotes.partCount { return notes.release(in: releasePart) }
        if prologueCursor < current.tables.prologueCount {
            let (heard, isDone) = notes.take(
                current.tables.prologue[prologueCursor], transpose: current.tables.transpose)
            if isDone { prologueCursor &+= 1 }
            return current.tables.played(heard)
        }
        let (heard, isDone) = notes.take(current.tables.events[cursor].event, transpose: current.tables.transpose)
        if isDone { cursor &+= 1 }
        return current.tables.played(heard)
    }
}
