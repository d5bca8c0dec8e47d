import Testing

@testable import ALSA

@Suite struct QueueClockTests {
    /// A queue that starts at 7 s of the clock, and whose tick number n comes `lateness(n)` late.
    private func queue(at clock: Int64, lateness: (Int64) -> Int64) -> Int64 {
        let elapsed = clock - 7_000_000_000
        var tick = elapsed / QueueClock.tick
        if elapsed < tick * QueueClock.tick + lateness(tick) { tick -= 1 }
        return elapsed - lateness(tick)
    }

    @Test func withoutAReadingThereIsNoTime() {
        #expect(QueueClock().nanoseconds(ofStamp: 1, now: 2) == nil)
    }

    @Test func lateTicksOfTheQueueDoNotReachTheStamps() throws {
        var clock = QueueClock(), exact = 0
        let lateness: (Int64) -> Int64 = { $0 * 7_919 % 3_000 * 1_000 }
        func read(_ time: Int64) {
            clock.observe(before: time - 5_000, queue: queue(at: time, lateness: lateness), after: time + 5_000)
        }
        read(7_950_000_000)
        for step in 0..<400 {
            // An event, and a reading 2 ms later, when it is taken.
            let event = 8_000_000_000 + Int64(step) * 31_000_000, taken = event + 2_000_000
            let stamp = queue(at: event, lateness: lateness)
            read(taken)
            let time = try #require(clock.nanoseconds(ofStamp: stamp, now: taken))
            // In the moments around a tick that came later than the one before, a stamp may belong to either.
            #expect(time >= event && time <= taken)
            if time == event { exact += 1 }
        }
        #expect(exact >= 390)
    }

    @Test func theTightestReadingOfATickCounts() {
        var clock = QueueClock()
        clock.observe(before: 1_000_000, queue: 500_000, after: 1_400_000)
        clock.observe(before: 2_000_000, queue: 1_500_000, after: 2_002_000)
        clock.observe(before: 3_000_000, queue: 2_500_000, after: 3_900_000)
        #expect(clock.uncertainty == 1_000)
        #expect(clock.nanoseconds(ofStamp: 2_000_000, now: 9_000_000) == 2_501_000)
        #expect(clock.nanoseconds(ofStamp: 2_000_000, now: 2_400_000) == 2_400_000)
    }

    @Test func driftIsMeasured() {
        var clock = QueueClock()
        for second in 0..<20 {
            let time = Int64(second) * 1_000_000_000
            clock.observe(before: time, queue: time - time / 10_000, after: time)
        }
        #expect(abs(clock.drift - 1e-4) < 1e-6)
    }
}
