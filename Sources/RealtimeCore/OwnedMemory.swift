/// Memory that a unit, or a part of one, takes when it is made, and that is freed with it. Control side.
public struct OwnedMemory: ~Copyable {
    @usableFromInline var blocks: [UnsafeMutableRawPointer] = []

    /// None yet.
    public init() {}

    /// Returns room for `count` values, each `value`. `alignment`: bytes, where more than a value's own is wanted.
    @inlinable
    public mutating func make<Value: BitwiseCopyable>(
        _ count: Int, of value: Value, alignment: Int = 16
    ) -> UnsafeMutablePointer<Value> {
        let room = room(for: count, Value.self, alignment: alignment)
        room.initialize(repeating: value, count: count)
        return room
    }

    /// Returns a copy of `values`.
    @inlinable
    public mutating func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
        let room = room(for: values.count, Value.self)
        room.initialize(from: values, count: values.count)
        return room
    }

    /// Returns room for `count` values that the caller initializes, at least for one.
    @inlinable
    public mutating func room<Value: ~Copyable>(
        for count: Int, _: Value.Type = Value.self, alignment: Int = 16
    ) -> UnsafeMutablePointer<Value> {
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: max(count, 1) * MemoryLayout<Value>.stride, alignment: max(alignment, MemoryLayout<Value>.alignment))
        blocks.append(block)
        return block.bindMemory(to: Value.self, capacity: max(count, 1))
    }

    deinit { for block in blocks { block.deallocate() } }
}
