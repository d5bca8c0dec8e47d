import Testing

@testable import ALSA

/// Moments become stamps of a queue whose time lies behind by as much as its last tick was late.
@Suite struct SendingQueueTests {
    private static let start: Int64 = 7_000_000_000

    /// A queue that starts at 7 s of the clock, and whose tick number n comes `lateness(n)` late.
    private func queue(at clock: Int64, lateness: (Int64) -> Int64) -> Int64 {
        let elapsed = clock - Self.start
        var tick = elapsed / SendingQueue.tick
        if elapsed < tick * SendingQueue.tick + lateness(tick) { tick -= 1 }
        return elapsed - lateness(tick)
    }

    /// When what has a stamp is sent: at the first tick that is not before it.
    private func sent(_ stamp: Int64, lateness: (Int64) -> Int64) -> Int64 {
        let tick = (stamp + SendingQueue.tick - 1) / SendingQueue.tick
        return Self.start + tick * SendingQueue.tick + lateness(tick)
    }

    @Test func whatIsSentComesWithinHalfATickOfItsMoment() {
        let lateness: (Int64) -> Int64 = { $0 * 7_919 % 300 * 1_000 }
        var sending = SendingQueue()
        let first = sending.stamp(1)
        #expect(first == nil)
        for round in Int64(0)..<200 {
            let now = Self.start + 1_000_000_000 + round * 10_300_000
            for look in Int64(0)..<4 {
                let time = now + look * 31_000
                sending.observe(before: time - 4_000, queue: queue(at: time, lateness: lateness), after: time + 4_000)
            }
            let moment = now + 300_000_000 + round * 77_777
            let stamp = sending.stamp(moment) ?? -1
            if round > 10 { #expect(abs(sent(stamp, lateness: lateness) - moment) < 600_000) }
        }
    }

    @Test func momentsMayComeInAnyOrder() {
        var sending = SendingQueue()
        sending.observe(before: 1_000_000, queue: 600_000, after: 1_000_000)
        let moments: [Int64] = [90_000_000, 20_000_000, 50_000_000, 20_000_000]
        let stamps = moments.map { sending.stamp($0) ?? -1 }
        // What is soon does not wait for what is late.
        #expect(stamps == moments.map { $0 - 400_000 - SendingQueue.tick / 2 })
        #expect(sending.withdraw(from: 30_000_000) == stamps[2] && sending.withdraw(from: 20_000_000) == stamps[1])
    }

    @Test func whatIsWithdrawnIsFoundByItsMoment() {
        var sending = SendingQueue()
        sending.observe(before: 1_000_000, queue: 600_000, after: 1_000_000)
        let moments: [Int64] = [5_000_000, 6_000_000, 6_000_000, 9_000_000]
        var stamps: [Int64] = []
        for moment in moments { stamps.append(sending.stamp(moment) ?? -1) }
        // A better reading in between moves what comes, not what is on its way.
        sending.observe(before: 2_000_000, queue: 1_700_000, after: 2_000_000)
        let withdrawn = [6_000_000, 6_000_000, 0, 0].map { sending.withdraw(from: $0) }
        #expect(withdrawn == [stamps[1], nil, stamps[0], nil])
        // Whatever readings say, the order stays.
        let last = sending.stamp(8_000_000) ?? -1
        sending.observe(before: 3_000_000, queue: 1_000_000, after: 3_000_000)
        let next = sending.stamp(8_000_001) ?? -1
        #expect(last > 0 && next >= last)
    }
}
