import CRealtime

/// The wait before what has failed is tried again: a tenth of a second, doubled after each failure, ten seconds at most.
struct RestartPause {
    private static let shortest: Int64 = 100, longest: Int64 = 10_000
    private var end: Int64 = 0
    private var length = Self.shortest

    /// Milliseconds of a clock that only goes forward.
    static func now() -> Int64 { rt_monotonic_nanoseconds() / 1_000_000 }

    /// True if there was more than one failure lately.
    var hasGrown: Bool { length > Self.shortest }

    func isOver(_ now: Int64) -> Bool { now >= end }

    /// Notes a failure: the pause begins, and the next one is longer.
    mutating func begin(_ now: Int64) {
        end = now + length
        length = min(length * 2, Self.longest)
    }

    /// The next failure is the first again; a pause that is under way goes on.
    mutating func shorten() { length = Self.shortest }
}
