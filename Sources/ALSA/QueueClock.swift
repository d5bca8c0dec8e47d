/// Turns the stamps of a sequencer queue into CLOCK_MONOTONIC.
///
/// It is fed with readings of the queue between two readings of the clock. A reading is worth half the distance of the two;
/// an old one loses with age, at the rate at which the two clocks may part. The best one counts.
struct QueueClock: Sendable {
    private struct Reading {
        let time: Int64
        /// Clock minus queue.
        let offset: Int64
        let uncertainty: Int64
    }

    /// How fast a reading's worth fades: 200 ppm.
    private static let fading: Int64 = 5_000
    /// How long drift is measured over, in nanoseconds.
    private static let driftSpan: Int64 = 4_000_000_000

    private var best: Reading?
    private var reference: Reading?
    private var disagreements = 0
    /// What the queue's clock loses, as a fraction: 1e-6 is one microsecond a second. 0 until it has been measured.
    private(set) var drift = 0.0

    /// Half the distance of the clock readings that count now, in nanoseconds.
    var uncertainty: Int64? { best?.uncertainty }

    /// A reading: the clock before, the queue, the clock after, all in nanoseconds.
    mutating func observe(before: Int64, queue: Int64, after: Int64) {
        let half = max(after - before, 0) / 2
        let reading = Reading(time: before + half, offset: before + half - queue, uncertainty: half + 1)
        guard let known = best else { return adopt(reading) }
        let faded = known.uncertainty + max(reading.time - known.time, 0) / Self.fading
        if abs(reading.offset - offset(at: reading.time)) > reading.uncertainty + faded + 1_000_000 {
            // The queue has jumped, or the reading is wrong: three in a row are right.
            disagreements += 1
            if disagreements >= 3 {
                reference = nil
                drift = 0
                adopt(reading)
            }
            return
        }
        disagreements = 0
        if reading.uncertainty <= faded { adopt(reading) }
    }

    private mutating func adopt(_ reading: Reading) {
        best = reading
        disagreements = 0
        guard let reference else {
            self.reference = reading
            return
        }
        let span = reading.time - reference.time
        if span < Self.driftSpan { return }
        let measured = Double(reading.offset - reference.offset) / Double(span)
        drift = min(max(measured, -0.001), 0.001)
        self.reference = reading
    }

    private func offset(at time: Int64) -> Int64 {
        guard let best else { return 0 }
        return best.offset + Int64(drift * Double(time - best.time))
    }

    /// The clock's time at the queue's time `stamp`, not later than `now`; nil before the first reading.
    func nanoseconds(ofStamp stamp: Int64, now: Int64) -> Int64? {
        guard let best else { return nil }
        return min(stamp + offset(at: stamp + best.offset), now)
    }
}
