// [render]
import RealtimeCore

/// Frames of a device in nanoseconds of simulated time and back, without rounding that adds up.
struct FrameClock: BitwiseCopyable {
    /// Frames in 1000 seconds.
    private let rate: Int64

    /// `drift`: parts per million too fast. Control side.
    init(rate: Int, drift: Double) { self.rate = max(1, Int64(Int(nearest: Double(rate) * (1000 + drift / 1000)))) }

    /// `time` is 0 or later.
    @_noLocks func frame(at time: Int64) -> Int64 {
        let seconds = time / 1_000_000_000, rest = time % 1_000_000_000
        return (seconds &* rate &+ rest &* rate / 1_000_000_000) / 1000
    }

    @_noLocks func nanoseconds(at frame: Int64) -> Int64 {
        let seconds = frame &* 1000 / rate, rest = frame &* 1000 % rate
        return seconds &* 1_000_000_000 &+ (rest &* 1_000_000_000 &+ rate &- 1) / rate
    }
}
