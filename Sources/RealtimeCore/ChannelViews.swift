// [render]

/// One channel that a unit reads, for the length of one call: it can neither be copied nor kept.
@frozen public struct InputChannel: ~Copyable, ~Escapable {
    @usableFromInline let samples: UnsafePointer<Float>
    /// Frames in this call.
    public let count: Int

    /// Created by the renderer. `samples` holds at least `count` floats.
    @_noLocks @inlinable @inline(__always) @_lifetime(immortal)
    public init(_ samples: UnsafePointer<Float>, count: Int) {
        self.samples = samples
        self.count = count
    }

    /// The sample of frame `i`.
    ///
    /// Precondition: `i` is one of `0..<count`.
    @inlinable @inline(__always)
    public subscript(i: Int) -> Float {
        @_noLocks get {
            precondition(UInt(bitPattern: i) < UInt(bitPattern: count))
            return samples[i]
        }
    }

    /// The samples' address, for C kernels: `count` floats, not to be kept beyond the call.
    @inlinable
    public var base: UnsafePointer<Float> { @_noLocks @inline(__always) get { samples } }
}

/// One channel that a unit writes, for the length of one call.
@frozen public struct OutputChannel: ~Copyable, ~Escapable {
    @usableFromInline let samples: UnsafeMutablePointer<Float>
    /// Frames in this call.
    public let count: Int

    /// Created by the renderer. `samples` holds at least `count` floats.
    @_noLocks @inlinable @inline(__always) @_lifetime(immortal)
    public init(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        self.samples = samples
        self.count = count
    }

    /// The sample of frame `i`.
    ///
    /// Precondition: `i` is one of `0..<count`.
    @inlinable @inline(__always)
    public subscript(i: Int) -> Float {
        @_noLocks get {
            precondition(UInt(bitPattern: i) < UInt(bitPattern: count))
            return samples[i]
        }
        @_noLocks nonmutating set {
            precondition(UInt(bitPattern: i) < UInt(bitPattern: count))
            samples[i] = newValue
        }
    }

    /// The samples' address, for C kernels: `count` floats, not to be kept beyond the call.
    @inlinable
    public var base: UnsafeMutablePointer<Float> { @_noLocks @inline(__always) get { samples } }
}
