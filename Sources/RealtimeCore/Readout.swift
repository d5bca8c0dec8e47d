// [render]
import Synchronization

/// One number that a unit shows to the outside: a level, a gain reduction, a count of voices.
///
/// The render side writes, any thread reads; only the newest value is kept.
@frozen public struct Readout: ~Copyable, Sendable {
    @usableFromInline let bits: Atomic<UInt32>

    /// Starts at `value`.
    public init(_ value: Float = 0) { bits = Atomic(value.bitPattern) }

    /// The newest value. Any thread.
    @inlinable
    public var value: Float { @_noLocks @inline(__always) get { Float(bitPattern: bits.load(ordering: .relaxed)) } }

    /// Shows `value` from now on. Render thread.
    @_noLocks @inlinable @inline(__always)
    public func publish(_ value: Float) { bits.store(value.bitPattern, ordering: .relaxed) }
}
