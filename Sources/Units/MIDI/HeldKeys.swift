// [render]
import RealtimeCore

/// The keys that an arpeggiator plays: those that are down, and those that a pedal or `hold` keeps.
struct HeldKeys: ~Copyable {
    struct Key: BitwiseCopyable {
        var part = 0
        var key: UInt8 = 0, velocity: UInt8 = 0
        var isDown = true
        var turn = 0
        @_noLocks init() {}
    }

    /// Keys at a time; the oldest goes for one more.
    private static var capacity: Int { @_noLocks get { 64 } }
    private var owned = OwnedMemory()
    /// The lowest first.
    private let keys: UnsafeMutablePointer<Key>
    private(set) var count = 0
    private var turns = 0
    private let pedals: UnsafeMutablePointer<Bool>

    /// None. Control side.
    init() {
        keys = owned.make(64, of: Key())
        pedals = owned.make(256, of: false)
    }

    @_noLocks subscript(place: Int) -> Key { keys[place] }

    /// The key that was struck as the `place`-th of those that are left.
    @_noLocks func struck(_ place: Int) -> Key {
        for index in 0..<count {
            var earlier = 0
            for other in 0..<count where keys[other].turn < keys[index].turn { earlier &+= 1 }
            if earlier == place { return keys[index] }
        }
        return keys[0]
    }

    /// Presses a key. If all others are only kept by hold, it begins a new chord.
    @_noLocks mutating func press(_ key: UInt8, velocity: UInt8, part: Int) {
        var isNew = true
        for place in 0..<count where keys[place].isDown { isNew = false }
        if isNew { count = 0 }
        remove(key, part: part)
        if count == Self.capacity {
            let oldest = struck(0)
            remove(oldest.key, part: oldest.part)
        }
        var pressed = Key()
        pressed.part = part
        pressed.key = key
        pressed.velocity = velocity
        pressed.turn = turns
        turns &+= 1
        var place = count
        while place > 0 && (keys[place &- 1].key, keys[place &- 1].part) > (key, part) {
            keys[place] = keys[place &- 1]
            place &-= 1
        }
        keys[place] = pressed
        count &+= 1
    }

    /// A key goes up; `isKept`: it goes on being played.
    @_noLocks mutating func release(_ key: UInt8, part: Int, isKept: Bool) {
        if isKept || pedals[part] {
            for place in 0..<count where keys[place].key == key && keys[place].part == part { keys[place].isDown = false }
        } else {
            remove(key, part: part)
        }
    }

    @_noLocks mutating func setPedal(_ isDown: Bool, part: Int, isKept: Bool) {
        pedals[part] = isDown
        if !isDown && !isKept { letGo() }
    }

    @_noLocks mutating func letGo() {
        var place = 0
        while place < count { if !keys[place].isDown && !pedals[keys[place].part] { remove(at: place) } else { place &+= 1 } }
    }

    @_noLocks mutating func forget(part: Int) {
        pedals[part] = false
        var place = 0
        while place < count { if keys[place].part == part { remove(at: place) } else { place &+= 1 } }
    }

    @_noLocks mutating func reset() {
        count = 0
        turns = 0
        pedals.update(repeating: false, count: 256)
    }

    @_noLocks private mutating func remove(_ key: UInt8, part: Int) {
        var place = 0
        while place < count {
            if keys[place].key == key && keys[place].part == part { remove(at: place) } else { place &+= 1 }
        }
    }

    @_noLocks private mutating func remove(at place: Int) {
        count &-= 1
        for next in place..<count { keys[next] = keys[next &+ 1] }
    }
}
