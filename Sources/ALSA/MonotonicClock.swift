import Glibc

/// CLOCK_MONOTONIC, the clock that stamps and device pointers are compared by.
enum MonotonicClock {
    /// Nanoseconds since the machine started; it does not run while the machine sleeps.
    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
