/// Converts times of CLOCK_MONOTONIC to stamps of the sequencer queue that sends MIDI clock, and remembers what it has stamped.
///
/// The queue's time may lag by up to one tick of its timer and never leads, so the smallest recent offset is the correct one. An
/// event goes out at the first tick at or after its stamp, half a tick late on average, so stamps are set half a tick early. It
/// makes no system calls.
struct SendingQueue: Sendable {
    /// Ticks a second, and the nanoseconds between two.
    static let rate: UInt32 = 2_000
    static let tick: Int64 = 1_000_000_000 / Int64(rate)
    /// Nanoseconds. A queue that has lost time for good is believed after that.
    private static let trusted: Int64 = 500_000_000, remembered: Int64 = 2_000_000_000

    private var readings: [(time: Int64, offset: Int64)] = []
    /// Ascending.
    private var given: [(nanoseconds: Int64, stamp: Int64)] = []

    init() {}

    /// All in nanoseconds; `before` and `after` of the clock.
    mutating func observe(before: Int64, queue: Int64, after: Int64) {
        readings.removeAll { $0.time + Self.trusted < after }
        // Later than the true offset by no more than the reading took.
        readings.append((after, after - queue))
    }

    /// Moments may come in any order. Returns nil before the first reading.
    mutating func stamp(_ nanoseconds: Int64) -> Int64? {
        guard let offset = readings.map(\.offset).min(), let now = readings.last?.time else { return nil }
        given.removeAll { $0.nanoseconds < now - Self.remembered }
        let place = given.lastIndex { $0.nanoseconds <= nanoseconds }.map { $0 + 1 } ?? 0
        // Never before what was given for the same moment or an earlier one: the order is part of the meaning.
        let stamp = max(nanoseconds - offset - Self.tick / 2, place == 0 ? 0 : given[place - 1].stamp)
        given.insert((nanoseconds, stamp), at: place)
        return stamp
    }

    /// Returns nil if nothing was given for `nanoseconds` or later.
    mutating func withdraw(from nanoseconds: Int64) -> Int64? {
        guard let first = given.firstIndex(where: { $0.nanoseconds >= nanoseconds }) else { return nil }
        defer { given.removeSubrange(first...) }
        return given[first].stamp
    }
}
