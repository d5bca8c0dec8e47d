// [render]

/// White noise that is a function of time: sample n is a hash of n.
///
/// It has no state, so it is the same for every beginning of a call and after any sleep. Each sample is uniform between -1
/// and 1, independent of every other one. Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014 (SplitMix64, whose n-th number can be computed without those before).
public struct CounterNoise: BitwiseCopyable, Sendable {
    private let key: UInt64

    /// Creates a noise; each seed gives a different one.
    @_noLocks public init(seed: UInt64) { key = Self.mix(seed &* 0xD134_2543_DE82_EF95 &+ 1) }

    /// Two independent samples for the frame at `time`.
    @_noLocks public func pair(at time: Int64) -> (left: Double, right: Double) {
        let bits = Self.mix(key &+ UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15)
        return (Self.sample(bits &>> 32), Self.sample(bits))
    }

    /// The low 32 bits as a number between -1 and 1, neither end included, as far from 0 on one side as on the other.
    @_noLocks private static func sample(_ bits: UInt64) -> Double {
        (Double(Int32(truncatingIfNeeded: bits)) + 0.5) * (1.0 / 2_147_483_648)
    }

    @_noLocks private static func mix(_ x: UInt64) -> UInt64 {
        var z = x
        z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z &>> 31)
    }
}
