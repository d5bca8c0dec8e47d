/// The share of a manifest that one of several processes renders: each line belongs to one.
package struct BatchShard: Hashable {
    /// The number of this share, from 0.
    package let index: Int
    package let count: Int

    package static let whole = BatchShard(index: 0, count: 1)

    /// - Precondition: `index` is in 0..<`count`.
    package init(index: Int, count: Int) { (self.index, self.count) = (index, count) }

    /// True for the lines of this shard, counted from 1.
    package func has(line: Int) -> Bool { (line - 1) % count == index }
}
