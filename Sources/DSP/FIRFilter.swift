// [render]
import CRealtime
import RealtimeCore

/// A filter of a finite number of taps: each output is a weighted sum of the last inputs.
///
/// Taps that are 0 cost nothing. The sum is made tap by tap for a whole run, in the order of the taps, so that it does not
/// depend on how time is cut.
public struct FIRFilter: ~Copyable {
    private var owned = OwnedMemory()
    private let taps: UnsafeMutablePointer<Float>
    private let count: Int
    private let memory: UnsafeMutablePointer<Float>
    private let capacity: Int
    private var end: Int

    /// Creates a filter for runs of up to `longest` samples; `taps` begin with the newest sample's. Control side.
    public init(taps weights: [Float], longest: Int) {
        count = weights.count
        taps = owned.room(for: count)
        taps.initialize(from: weights, count: count)
        capacity = 2 * count + 8 * longest
        memory = owned.make(capacity, of: 0)
        end = count
    }

    /// Filters `length` samples; `to` is another place than `from`.
    @_noLocks public mutating func process(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ length: Int
    ) {
        if end &+ length > capacity {
            rt_copy(memory, memory + (end &- count), count)
            end = count
        }
        rt_copy(memory + end, from, length)
        rt_zero(to, length)
        for tap in 0..<count where taps[tap] != 0 {
            rt_add_scaled(to, UnsafePointer(memory + (end &- tap)), taps[tap], length)
        }
        end &+= length
    }

    /// Silence again.
    @_noLocks public mutating func clear() {
        rt_zero(memory, capacity)
        end = count
    }
}
