// [render]
import CRealtime

/// Counts values in fixed memory: exact up to 31, then in steps of at most 1/16 of the value, up to 2^62 and down to
/// -2^62.
///
/// Sendable: one thread adds, any thread reads; counters are read and written whole (`rt_count`, `rt_counted`).
///
/// Source: G. Tene's HdrHistogram, whose buckets are linear within each power of two.
public final class TimingHistogram: @unchecked Sendable {
    /// 32 linear buckets, then 16 for each power of two.
    static let bucketCount = 32 + 16 * 58
    private var owned = OwnedMemory()
    /// Magnitudes of values below 0, then of the others; then the sum of all values.
    private let counters: UnsafeMutablePointer<UInt64>
    private let extremes: UnsafeMutablePointer<Int64>

    /// Creates an empty histogram. Control side.
    public init() {
        counters = owned.make(2 * Self.bucketCount + 1, of: 0)
        extremes = owned.copy([.max, .min])
    }

    /// Counts `value`. Adding thread.
    @_noLocks public func add(_ value: Int64) {
        let magnitude = min(value.magnitude, 1 << 62)
        let bucket = bucket(magnitude)
        rt_count(counters + (value < 0 ? bucket : bucket &+ 960), 1)
        rt_count(counters + 1920, UInt64(bitPattern: value))
        if value < extremes[0] { extremes[0] = value }
        if value > extremes[1] { extremes[1] = value }
    }

    @_noLocks func bucket(_ magnitude: UInt64) -> Int {
        if magnitude < 32 { return Int(truncatingIfNeeded: magnitude) }
        let octave = 63 &- magnitude.leadingZeroBitCount    // 5...62
        let step = Int(truncatingIfNeeded: magnitude >> UInt64(truncatingIfNeeded: octave &- 4)) & 15
        return 32 &+ (octave &- 5) &* 16 &+ step
    }

    static func lowerBound(_ bucket: Int) -> Int64 {
        if bucket < 32 { return Int64(bucket) }
        let octave = (bucket - 32) / 16 + 5, step = (bucket - 32) % 16
        return Int64(16 + step) << Int64(octave - 4)
    }

    /// The sum of all values, exactly. Any thread.
    public var total: Int64 { Int64(bitPattern: rt_counted(counters + 2 * Self.bucketCount)) }

    /// The counts so far. Any thread.
    public var summary: Summary {
        var ascending: [Summary.Bucket] = []
        for bucket in (0..<Self.bucketCount).reversed() {
            let count = Int(rt_counted(counters + bucket))
            if count > 0 { ascending.append(.init(value: -Self.lowerBound(bucket), count: count)) }
        }
        for bucket in 0..<Self.bucketCount {
            let count = Int(rt_counted(counters + Self.bucketCount + bucket))
            if count > 0 { ascending.append(.init(value: Self.lowerBound(bucket), count: count)) }
        }
        if ascending.isEmpty { return Summary(buckets: [], minimum: 0, maximum: 0) }
        return Summary(buckets: ascending, minimum: extremes[0], maximum: extremes[1])
    }

    /// A histogram as a value.
    public struct Summary: Sendable, Equatable {
        /// Values that are near each other, by the one nearest to 0, and how many they are.
        public struct Bucket: Sendable, Equatable {
            public var value: Int64
            public var count: Int
        }
        /// The buckets that are not empty, in ascending order.
        public let buckets: [Bucket]
        /// The extremes, exactly; 0 when nothing was counted.
        public let minimum: Int64
        public let maximum: Int64

        /// The number of values that were counted.
        public var count: Int { buckets.reduce(0) { $0 + $1.count } }

        /// Returns the value that a share of all does not exceed, within 1/16 of the value; `fraction` is brought into 0...1,
        /// and is 0 where it is not a number.
        public func percentile(_ fraction: Double) -> Int64 {
            let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
            let rank = max(1, Int((Double(count) * fraction).rounded(.up)))
            var seen = 0
            for bucket in buckets {
                seen += bucket.count
                if seen >= rank { return min(max(bucket.value, minimum), maximum) }
            }
            return maximum
        }
    }
}
