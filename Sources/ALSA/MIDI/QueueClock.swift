/// Turns the stamps of a sequencer queue into CLOCK_MONOTONIC.
///
/// The queue's time runs true between two ticks of its timer, and steps at each tick by as much as that tick was later, or
/// less late, than the one before. So a stamp is best converted by a reading of the queue from the same tick: of those, the
/// one whose two clock readings are closest together. Readings that agree are of one tick.
struct QueueClock: Sendable {
    private struct Reading {
        /// The queue's time at which its tick began.
        let start: Int64
        let time: Int64
        /// Clock minus queue.
        let offset: Int64
        /// Half the distance of the two clock readings.
        let uncertainty: Int64
    }

    /// The queue's timer ticks ten times a second (`ALSASequencerCalls.startQueue`).
    static let tick: Int64 = 100_000_000
    /// Nanoseconds.
    private static let driftSpan: Int64 = 4_000_000_000
    private static let remembered = 4

    /// The best of each tick, oldest first.
    private var readings: [Reading] = []
    private var reference: Reading?
    /// The loss of the queue's clock, as a fraction: 1e-6 is one microsecond a second. 0 until it has been measured.
    private(set) var drift = 0.0

    init() {}

    /// Nanoseconds.
    var uncertainty: Int64? { readings.last?.uncertainty }

    /// All in nanoseconds; `before` and `after` of the clock.
    mutating func observe(before: Int64, queue: Int64, after: Int64) {
        let half = max(after - before, 0) / 2
        var reading = Reading(
            start: queue / Self.tick * Self.tick, time: before + half, offset: before + half - queue, uncertainty: half)
        if let last = readings.last, abs(reading.offset - last.offset) <= reading.uncertainty + last.uncertainty + 1_000,
            reading.time - last.time < Self.tick
        {
            if reading.uncertainty < last.uncertainty {
                reading = Reading(
                    start: last.start, time: reading.time, offset: reading.offset, uncertainty: reading.uncertainty)
                readings[readings.count - 1] = reading
            }
        } else {
            readings.append(reading)
            if readings.count > Self.remembered { readings.removeFirst() }
        }
        measureDrift(reading)
    }

    private mutating func measureDrift(_ reading: Reading) {
        guard let reference else {
            self.reference = reading
            return
        }
        let span = reading.time - reference.time
        if span < Self.driftSpan { return }
        drift = Double(reading.offset - reference.offset) / Double(span)
        self.reference = reading
    }

    /// Not later than `now`; nil before the first reading.
    func nanoseconds(ofStamp stamp: Int64, now: Int64) -> Int64? {
        guard let newest = readings.last else { return nil }
        let reading = readings.last { $0.start <= stamp } ?? readings.first ?? newest
        return min(stamp + reading.offset, now)
    }
}
