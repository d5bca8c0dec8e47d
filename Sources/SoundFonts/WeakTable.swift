import Synchronization

/// Objects in use, by what they are made from; none is kept. Control side, any thread. A class would be laid out at run time, which
/// costs a short render more than all else here.
struct WeakTable<Key: Hashable & Sendable, Value: AnyObject & Sendable>: ~Copyable, Sendable {
    // Of its own: an object may end under it, which then takes other locks.
    private let entries = Mutex<[Key: Weak<Value>]>([:])

    subscript(key: Key) -> Value? { entries.withLock { $0[key]?.value } }

    /// One that is in use, or what `make` makes. Two threads may both make it; one of the two goes.
    func shared<E: Error>(_ key: Key, _ make: () throws(E) -> Value) throws(E) -> Value {
        if let known = self[key] { return known }
        let made = try make()
        return entries.withLock { entries in
            if let known = entries[key]?.value { return known }
            if entries.count > 4_096 { entries = entries.filter { $0.value.value != nil } }
            entries[key] = Weak(value: made)
            return made
        }
    }
}

struct Weak<Value: AnyObject> { weak var value: Value? }
