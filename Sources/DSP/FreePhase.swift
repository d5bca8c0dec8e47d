// [render]

/// The phase of what swings by itself, a function of the sample time: it goes on while its unit sleeps.
///
/// It counts turns in whole numbers, 2 to the 64th of them to the turn, which wrap around: a swing that has gone on for a
/// year is still where it was meant to be, to the same bit on every machine and at every block size.
public struct FreePhase: BitwiseCopyable {
    /// The phase is `origin` at `anchor`, and grows by `step` a frame.
    private var anchor: Int64 = 0, origin: UInt64 = 0, step: UInt64 = 0
    private var rate: Float = -1

    /// Creates a phase that was 0 at sample time 0.
    @_noLocks public init() {}

    /// Swings `rate` times a second from `time` on, and goes on from where it is. The first rate holds from sample time 0
    /// on. `rate` is at least 0; whole turns in a frame go unnoticed.
    @_noLocks public mutating func swing(_ rate: Float, sampleRate: Double, at time: Int64) {
        if rate == self.rate { return }
        if self.rate >= 0 {
            origin = count(at: time)
            anchor = time
        }
        self.rate = rate
        let turns = Double(rate) / sampleRate
        step = UInt64((turns - DeterministicMath.floor(turns)) * 18_446_744_073_709_551_616)
    }

    /// Turns at `time`: 0..<1.
    @_noLocks public func turns(at time: Int64) -> Double {
        // The upper 53 bits, which are all that fit.
        Double(count(at: time) &>> 11) * (1.0 / 9_007_199_254_740_992)
    }

    @_noLocks private func count(at time: Int64) -> UInt64 {
        origin &+ step &* UInt64(bitPattern: time &- anchor)
    }
}
