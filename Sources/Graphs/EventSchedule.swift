// [render]
import RealtimeCore

/// The events that have been sent and are not due yet, in the order of time, and at one time in the order of sending.
///
/// A binary heap in memory of its own: senders need not keep to any order, and what is far away holds up nothing. Control
/// side makes and frees it, the render thread alone uses it.
struct EventSchedule: BitwiseCopyable {
    struct Entry: BitwiseCopyable {
        var due: SampleTime
        /// Counts what was added: decides among equal times.
        var turn: UInt64
        var command: RenderCommand

        @_noLocks init(due: SampleTime, turn: UInt64, command: RenderCommand) {
            (self.due, self.turn, self.command) = (due, turn, command)
        }

        @_noLocks func precedes(_ other: Entry) -> Bool {
            due.rawValue < other.due.rawValue || due.rawValue == other.due.rawValue && turn < other.turn
        }
    }

    /// Events that may wait; further ones stay in their queue.
    static var capacity: Int { @_noLocks get { 16_384 } }

    /// Every entry precedes those at twice its index plus 1 and plus 2.
    private let entries: UnsafeMutablePointer<Entry>
    private var count = 0
    private var turns: UInt64 = 0
    /// The latest that anything has been due so far.
    private var latest = SampleTime.immediately

    /// Nothing waits. Control side.
    init() {
        entries = .allocate(capacity: Self.capacity)
        let filler = Entry(due: .zero, turn: 0, command: RenderCommand(time: .zero, node: nil, event: .reset))
        entries.initialize(repeating: filler, count: Self.capacity)
    }

    /// Control side, once.
    func deallocate() { entries.deallocate() }

    var isFull: Bool { @_noLocks get { count == Self.capacity } }

    var nextTime: SampleTime { @_noLocks get { count > 0 ? entries[0].due : SampleTime(.max) } }

    /// Adds an event unless the schedule is full. A late event is due `now`, after the events sent earlier that are due then.
    @_noLocks mutating func add(_ command: RenderCommand, now: SampleTime) {
        if isFull { return }
        var due = max(command.time, now)
        if command.time.rawValue == SampleTime.inTurn.rawValue { due = max(now, latest) }
        latest = max(latest, due)
        let entry = Entry(due: due, turn: turns, command: command)
        turns &+= 1
        var place = count
        count &+= 1
        while place > 0 {
            let parent = (place &- 1) / 2
            if !entry.precedes(entries[parent]) { break }
            entries[place] = entries[parent]
            place = parent
        }
        entries[place] = entry
    }

    /// The next event; only if `nextTime` has shown that there is one.
    var next: Entry { @_noLocks get { entries[0] } }

    /// Removes the next event; only if `nextTime` has shown that there is one.
    @_noLocks mutating func take() -> RenderCommand {
        let next = entries[0].command
        count &-= 1
        let last = entries[count]
        var place = 0
        while 2 &* place &+ 1 < count {
            var child = 2 &* place &+ 1
            if child &+ 1 < count && entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
            if !entries[child].precedes(last) { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = last
        return next
    }
}
