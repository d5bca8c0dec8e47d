// [render]
import Synchronization

/// A yes or no that one thread shows to any number of others.
@frozen public struct AtomicFlag: ~Copyable, Sendable {
    @usableFromInline let state: Atomic<Bool>

    /// Starts as `isSet`.
    public init(_ isSet: Bool = false) { state = Atomic(isSet) }

    /// The newest state; a reader that sees it sees what was written before it was published. Any thread.
    @inlinable
    public var isSet: Bool { @_noLocks @inline(__always) get { state.load(ordering: .acquiring) } }

    /// Shows `isSet` from now on. Writing thread.
    @_noLocks @inlinable @inline(__always)
    public func publish(_ isSet: Bool) { state.store(isSet, ordering: .releasing) }
}
