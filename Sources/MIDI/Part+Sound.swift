// [render]

extension Part {
    /// Returns the distance by which a sound controller has been moved from its middle, -64...63.
    @_noLocks @inlinable @inline(__always)
    public func soundControl(_ control: SoundControl) -> Int { Int(value(of: control.controller)) &- 64 }

    /// Returns the value of a non-registered parameter for the drum on `key`, 0...127; nil if it was not set.
    @_noLocks public func drumControl(_ control: DrumControl, of key: UInt8) -> UInt8? {
        let value = drums[control.row &* 128 &+ Int(key & 127)]
        return value < 0 ? nil : UInt8(value)
    }

    /// Forgets the settings of single drums: another kit was chosen.
    @_noLocks public mutating func resetDrums() { drums = InlineArray(repeating: -1) }

    /// Returns what non-registered parameters (upper byte 120) add to a SoundFont generator, in the generator's own units; 0
    /// for what nothing can be added to.
    @_noLocks @inlinable @inline(__always)
    public func generatorOffset(_ generator: UInt8) -> Float {
        generator < 64 ? Float(generators.offsets[Int(generator)]) : 0
    }
}
