// [render]
import Synchronization

/// A queue between exactly two threads: one pushes, one pops, neither ever waits.
///
/// A bounded ring with two counters; the writer owns `head`, the reader owns `tail`. Source: L. Lamport, "Proving the
/// Correctness of Multiprocess Programs", 1977. 64-bit counters never wrap.
///
/// Sendable: a slot is written by the pushing thread before `head` passes it, and read by the popping thread before `tail` does;
/// both are atomic.
@frozen public struct SPSCQueue<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    /// Written by the pushing thread, read by both.
    @usableFromInline let head = Atomic<Int>(0)
    /// Written by the popping thread, read by both.
    @usableFromInline let tail = Atomic<Int>(0)
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let mask: Int

    /// Allocates room for `capacity` elements. Control side only.
    ///
    /// Precondition: `capacity` is a power of two.
    public init(capacity: Int, filler: Element) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "the capacity of a queue is a power of two")
        mask = capacity - 1
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: filler, count: capacity)
    }

    deinit { slots.deallocate() }

    /// Adds an element; false, and nothing is added, when the queue is full. Pushing thread.
    @inlinable @inline(__always)
    public func push(_ element: Element) -> Bool {
        let head = head.load(ordering: .relaxed)
        if head &- tail.load(ordering: .acquiring) > mask { return false }
        slots[head & mask] = element
        self.head.store(head &+ 1, ordering: .releasing)
        return true
    }

    /// Returns the oldest element, left in place. Popping thread.
    @inlinable @inline(__always)
    public func peek() -> Element? {
        let tail = tail.load(ordering: .relaxed)
        return tail == head.load(ordering: .acquiring) ? nil : slots[tail & mask]
    }

    /// Removes the element that `peek` returned. Popping thread.
    @inlinable @inline(__always)
    public func drop() {
        tail.store(tail.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Removes and returns the oldest element. Popping thread.
    @inlinable @inline(__always)
    public func pop() -> Element? {
        guard let element = peek() else { return nil }
        drop()
        return element
    }

    /// True if there is nothing to pop now. Popping thread.
    @inlinable
    public var isEmpty: Bool {
        @inline(__always) get { tail.load(ordering: .relaxed) == head.load(ordering: .acquiring) }
    }

    /// True if a push would be refused now. Pushing thread.
    @inlinable
    public var isFull: Bool {
        @inline(__always) get { head.load(ordering: .relaxed) &- tail.load(ordering: .acquiring) > mask }
    }

    /// The number of elements that a push would still find room for. Pushing thread.
    @inlinable
    public var room: Int {
        @inline(__always) get { mask &+ 1 &- (head.load(ordering: .relaxed) &- tail.load(ordering: .acquiring)) }
    }
}
