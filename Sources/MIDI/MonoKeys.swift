// [render]

/// The keys of a channel that are down, the newest last. Beyond sixteen the oldest is forgotten.
struct MonoKeys: BitwiseCopyable, Sendable {
    private var keys = InlineArray<16, UInt8>(repeating: 0)
    private var count = 0

    @_noLocks init() {}

    var newest: UInt8? { @_noLocks get { count > 0 ? keys[count &- 1] : nil } }

    @_noLocks mutating func push(_ key: UInt8) {
        remove(key)
        if count == 16 {
            for i in 1..<16 { keys[i &- 1] = keys[i] }
            count = 15
        }
        keys[count] = key
        count &+= 1
    }

    @_noLocks mutating func remove(_ key: UInt8) {
        var kept = 0
        for i in 0..<count where keys[i] != key {
            keys[kept] = keys[i]
            kept &+= 1
        }
        count = kept
    }

    @_noLocks mutating func clear() { count = 0 }
}
