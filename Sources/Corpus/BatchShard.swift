/// The share of a manifest that one of several processes renders: each line belongs to one.
public struct BatchShard: Hashable, Sendable {
    /// The number of this share, from 0.
    public let index: Int
    /// The number of shares.
    public let count: Int

    /// The whole manifest.
    public static let whole = BatchShard(index: 0, count: 1)

    /// - Precondition: `index` is in 0..<`count`.
    public init(index: Int, count: Int) { (self.index, self.count) = (index, count) }

    /// Returns true for the lines of this shard, counted from 1.
    public func has(line: Int) -> Bool { (line - 1) % count == index }
}
