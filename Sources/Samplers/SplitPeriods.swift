// [render]
import CRealtime
import RealtimeCore
import Synchronization

/// Periods of notes that several shares have voices of, on their way from one share to the control side, which adds them up.
///
/// One thread pushes, one takes; there is room for those of one slice.
struct SplitPeriods: ~Copyable {
    /// A note, and the frame at which the period begins: the order in which they come.
    struct Key: BitwiseCopyable {
        let frame: Int64
        let note: UInt32

        @_noLocks init(frame: Int64, note: UInt32) { (self.frame, self.note) = (frame, note) }

        func isBefore(_ other: Key) -> Bool { frame != other.frame ? frame < other.frame : note < other.note }
    }

    private let head = Atomic<Int>(0), tail = Atomic<Int>(0)
    private var owned = OwnedMemory()
    private let keys: UnsafeMutablePointer<Key>
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int

    /// Control side. `room`: at most 131 072 periods.
    init(room: Int) {
        var capacity = 1
        while capacity < room, capacity < 1 << 17 { capacity *= 2 }
        mask = capacity - 1
        keys = owned.make(capacity, of: Key(frame: 0, note: 0))
        // What is never needed is never touched.
        samples = owned.room(for: capacity * 128)
    }

    /// The oldest. Control side.
    var first: Key? {
        let tail = tail.load(ordering: .relaxed)
        return tail == head.load(ordering: .acquiring) ? nil : keys[tail & mask]
    }

    /// Takes the oldest away, and adds its samples to `sum`. Control side.
    func take(addingTo sum: UnsafeMutablePointer<Float>) {
        let tail = tail.load(ordering: .relaxed)
        rt_add(sum, samples + (tail & mask) * 128, 128)
        self.tail.store(tail &+ 1, ordering: .releasing)
    }

    /// Writes a period of a note; false if there is no room. [render]
    @_noLocks func push(_ frame: Int64, _ note: UInt32, _ period: UnsafePointer<Float>) -> Bool {
        let head = head.load(ordering: .relaxed)
        if head &- tail.load(ordering: .acquiring) > mask { return false }
        let place = head & mask
        keys[place] = Key(frame: frame, note: note)
        rt_copy(samples + place &* 128, period, 128)
        self.head.store(head &+ 1, ordering: .releasing)
        return true
    }
}
