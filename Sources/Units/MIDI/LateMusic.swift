// [render]
import RealtimeCore

/// Notes that are still to begin or to end, in the order of their frames, and at one frame in the order in which they came.
struct LateMusic: ~Copyable {
    /// A note of a part that begins, or with velocity 0 one that ends.
    struct Note: BitwiseCopyable {
        var time: Int64 = 0
        var part = 0
        var key: UInt8 = 0
        var velocity: UInt8 = 0
        var struck: UInt8 = 0

        @_noLocks init() {}
        @_noLocks init(at time: Int64, part: Int, key: UInt8, velocity: UInt8, struck: UInt8) {
            (self.time, self.part, self.key, self.velocity, self.struck) = (time, part, key, velocity, struck)
        }
    }

    /// Notes that may wait, beginnings and ends. A quarter of that is room for beginnings, so that the ends of all find theirs.
    private static var capacity: Int { @_noLocks get { 8192 } }
    private var owned = OwnedMemory()
    private let notes: UnsafeMutablePointer<Note>
    private var head = 0
    private(set) var count = 0

    /// None. Control side.
    init() {
        notes = owned.make(8192, of: Note())
    }

    /// True if there is room for another beginning and its end.
    var hasRoom: Bool { @_noLocks get { count < Self.capacity / 4 } }

    /// The frame of the next; the end of time if none waits.
    var nextTime: Int64 { @_noLocks get { count == 0 ? .max : notes[head].time } }

    /// Adds a note; `hasRoom` has to be checked before a beginning is added.
    @_noLocks mutating func add(_ note: Note) {
        if count == Self.capacity { return }
        if head &+ count == Self.capacity {
            for place in 0..<count { notes[place] = notes[head &+ place] }
            head = 0
        }
        var place = head &+ count
        while place > head && notes[place &- 1].time > note.time {
            notes[place] = notes[place &- 1]
            place &-= 1
        }
        notes[place] = note
        count &+= 1
    }

    /// Takes the next note; only if `nextTime` has shown that there is one.
    @_noLocks mutating func take() -> Note {
        let first = notes[head]
        head &+= 1
        count &-= 1
        if count == 0 { head = 0 }
        return first
    }

    /// Takes away what waits because of a key of a part; nil means of any key.
    @_noLocks mutating func remove(part: Int, struck: UInt8? = nil) {
        var kept = 0
        for place in head..<head &+ count {
            if notes[place].part == part && (struck == nil || notes[place].struck == struck) { continue }
            notes[kept] = notes[place]
            kept &+= 1
        }
        count = kept
        head = 0
    }

    @_noLocks mutating func removeAll() {
        count = 0
        head = 0
    }
}
