// [render]
import MIDI
import RealtimeCore
import UnitAPI

/// The number of times that each key of each part sounds because of a MIDI unit: two keys that play the same one must not end
/// each other's notes.
///
/// A key that is struck while it sounds ends and begins again; it ends for good with the last key that plays it.
struct SoundingKeys: ~Copyable {
    private static var count: Int { @_noLocks get { 256 * 128 } }
    private var owned = OwnedMemory()
    private let counts: UnsafeMutablePointer<UInt8>

    /// None. Control side.
    init() {
        counts = owned.make(256 * 128, of: 0)
    }

    @_noLocks func begin(_ key: UInt8, part: Int, velocity: UInt8, _ outlet: borrowing MusicOutlet) {
        let place = place(part, key)
        if counts[place] > 0 { outlet.send(.note(0x80, key, 64, part: part)) }
        if counts[place] < 255 { counts[place] &+= 1 }
        outlet.send(.note(0x90, key, max(velocity, 1), part: part))
    }

    /// Ends a note, unless another key plays it too.
    @_noLocks func end(_ key: UInt8, part: Int, velocity: UInt8, _ outlet: borrowing MusicOutlet) {
        let place = place(part, key)
        if counts[place] == 0 { return }
        counts[place] &-= 1
        if counts[place] == 0 { outlet.send(.note(0x80, key, velocity, part: part)) }
    }

    @_noLocks func forget(part: Int) { (counts + (part & 255) &* 128).update(repeating: 0, count: 128) }

    @_noLocks func forget() { counts.update(repeating: 0, count: Self.count) }

    @_noLocks private func place(_ part: Int, _ key: UInt8) -> Int { (part & 255) &* 128 &+ Int(key & 127) }
}

extension MusicEvent {
    @_noLocks static func note(_ status: UInt8, _ key: UInt8, _ value: UInt8, part: Int) -> MusicEvent {
        .message(MIDIMessage(part: part, status, key & 127, value & 127))
    }
}
