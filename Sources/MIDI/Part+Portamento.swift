// [render]

extension Part {
    /// Records a key that goes down, in any mode: a later change to mono or the legato pedal needs it.
    @_noLocks public mutating func push(_ key: UInt8) { keys.push(key & 127) }

    /// Removes a key that goes up.
    @_noLocks public mutating func remove(_ key: UInt8) { keys.remove(key & 127) }

    /// Forgets all keys that are down.
    @_noLocks public mutating func clearKeys() { keys.clear() }

    /// The key struck last of those that are still down; sixteen are remembered.
    public var newestKey: UInt8? { @_noLocks get { keys.newest } }

    /// Returns the key that a note on `key` glides from, or nil; the key counts as struck from now on.
    @_noLocks public mutating func glideSource(to key: UInt8) -> UInt8? {
        let named = namedKey, last = lastKey
        namedKey = -1
        lastKey = Int16(key & 127)
        if named >= 0 { return UInt8(truncatingIfNeeded: named) }
        return glides && last >= 0 ? UInt8(truncatingIfNeeded: last) : nil
    }

    /// True if notes glide without an explicit start: portamento is on and takes time.
    public var glides: Bool { @_noLocks get { controllers[65] >= 64 && portamentoTime > 0 } }

    /// The time of a glide as controllers 5 and 37 have it, 0...16383; the instrument knows what it means.
    public var portamentoTime: Int { @_noLocks get { Int(controllers[5]) &<< 7 | Int(controllers[37]) } }

    /// The time of a glide as a fraction of the longest: the square of controllers 5 and 37.
    public var glideFraction: Float {
        @_noLocks get {
            let fraction = min((Float(controllers[5]) + Float(controllers[37]) / 128) / 127, 1)
            return fraction * fraction
        }
    }
}
