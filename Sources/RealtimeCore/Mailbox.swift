// [render]
import Synchronization

/// One object on its way from the control side to the render side: the newest wins.
///
/// A raw pointer, because `Atomic<Unmanaged<T>?>` is miscompiled in debug builds of Swift 6.3 (Decision
/// "Raw pointers in atomics").
@frozen public struct Mailbox: ~Copyable, @unchecked Sendable {
    @usableFromInline let pending = Atomic<UnsafeMutableRawPointer?>(nil)

    /// An empty mailbox.
    public init() {}

    /// Puts `object` in and returns the one that was never fetched. Control side writes.
    public func post(_ object: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        pending.exchange(object, ordering: .acquiringAndReleasing)
    }

    /// Takes what is there. Render side reads.
    @_noLocks @inlinable @inline(__always)
    public func fetch() -> UnsafeMutableRawPointer? {
        if pending.load(ordering: .relaxed) == nil { return nil }
        return pending.exchange(nil, ordering: .acquiringAndReleasing)
    }
}
