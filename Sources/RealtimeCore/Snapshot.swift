// [render]
import CRealtime

/// A value of several words that one thread shows to any number of others: only the newest is kept, and no reader sees
/// halves of two.
///
/// A sequence lock (H.-J. Boehm, "Can Seqlocks Get Along with Programming Language Memory Models?", 2012): the writer
/// never waits; a reader tries again when it was interrupted.
///
/// Sendable: one thread writes; any threads read, and take no value whose sequence number changed meanwhile.
public struct Snapshot<Value: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let sequence: UnsafeMutablePointer<UInt64>
    @usableFromInline let shared: UnsafeMutablePointer<UInt64>
    /// Where the writer puts the value together; `words` words, the last ones possibly beyond the value.
    @usableFromInline let staging: UnsafeMutablePointer<UInt64>
    @usableFromInline let words: Int

    /// Shows `value` from the start. Control side only: it allocates.
    ///
    /// Precondition: the value's alignment is at most 8 bytes.
    public init(_ value: Value) {
        precondition(MemoryLayout<Value>.alignment <= 8, "a snapshot is made of 64-bit words")
        words = (MemoryLayout<Value>.size + 7) / 8
        sequence = .allocate(capacity: 1)
        shared = .allocate(capacity: max(words, 1))
        staging = .allocate(capacity: max(words, 1))
        sequence.initialize(to: 0)
        shared.initialize(repeating: 0, count: max(words, 1))
        staging.initialize(repeating: 0, count: max(words, 1))
        publish(value)
    }

    deinit {
        sequence.deallocate()
        shared.deallocate()
        staging.deallocate()
    }

    /// Shows `value` from now on. Writing thread.
    @inlinable @inline(__always)
    public func publish(_ value: Value) {
        UnsafeMutableRawPointer(staging).storeBytes(of: value, as: Value.self)
        rt_snapshot_write(sequence, shared, staging, words)
    }

    /// The newest value. Any thread but those that must never wait for the writer to get its turn.
    @inlinable
    public var value: Value {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { copy in
            guard let base = copy.baseAddress else { fatalError("a snapshot holds no value") }
            while !rt_snapshot_read(sequence, shared, base, words) {}
            return UnsafeRawPointer(base).load(as: Value.self)
        }
    }
}
