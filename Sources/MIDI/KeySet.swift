// [render]

/// Keys, 0...127, one bit each: for example those of a channel that are down.
@frozen public struct KeySet: Hashable, BitwiseCopyable, Sendable {
    private var low: UInt64 = 0, high: UInt64 = 0

    /// No key.
    @_noLocks public init() {}

    /// True if the set holds no key.
    public var isEmpty: Bool { @_noLocks get { low | high == 0 } }

    /// The number of keys in it.
    public var count: Int { @_noLocks get { low.nonzeroBitCount &+ high.nonzeroBitCount } }

    /// The lowest key; nil if there is none.
    public var first: UInt8? {
        @_noLocks get {
            if low != 0 { return UInt8(truncatingIfNeeded: low.trailingZeroBitCount) }
            return high == 0 ? nil : UInt8(truncatingIfNeeded: 64 &+ high.trailingZeroBitCount)
        }
    }

    /// Returns true if `key` is in the set.
    @_noLocks public func contains(_ key: UInt8) -> Bool {
        (key & 64 == 0 ? low : high) &>> UInt64(key & 63) & 1 == 1
    }

    /// Adds a key, or takes one out.
    @_noLocks public mutating func set(_ key: UInt8, _ isIn: Bool) {
        let bit: UInt64 = 1 &<< UInt64(key & 63)
        if key & 64 == 0 {
            low = isIn ? low | bit : low & ~bit
        } else {
            high = isIn ? high | bit : high & ~bit
        }
    }

    /// Adds the keys of another set.
    @_noLocks public mutating func formUnion(_ other: KeySet) { (low, high) = (low | other.low, high | other.high) }

    /// All of them, from the lowest on. Control side.
    public var keys: [UInt8] {
        // By the bits that are set: few keys are down at a time.
        var left = self, keys: [UInt8] = []
        while let key = left.first {
            keys.append(key)
            left.set(key, false)
        }
        return keys
    }
}
