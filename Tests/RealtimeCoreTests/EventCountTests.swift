import Glibc
import RealtimeCore
import Testing

/// A number that threads sleep over: whoever waits for it is woken each time. `tools/test` runs them under ThreadSanitizer, too.
@Suite struct EventCountTests {
    /// Two numbers that two threads raise in turn, and what they write in between, without any other protection.
    private final class Turns: @unchecked Sendable {
        let there = EventCount(), back = EventCount()
        var written = 0, sum = 0
    }

    /// Waits until so many sleep.
    private func awaitSleepers(_ count: Int, _ turns: Turns) { while turns.there.sleepers < count { sched_yield() } }

    @Test func twoThreadsTakeTurnsAndSeeWhatTheOtherWrote() {
        let turns = Turns(), rounds = Int32(20_000)
        let other = TestThread {
            for round in 0..<rounds {
                turns.there.wait(past: round)
                turns.sum += turns.written
                turns.back.announce()
            }
        }
        for round in 0..<rounds {
            turns.written = Int(round)
            turns.there.announce()
            turns.back.wait(past: round)
        }
        other.join()
        #expect(turns.sum == (0..<Int(rounds)).reduce(0, +))
        #expect(turns.there.sleepers == 0 && turns.back.sleepers == 0)
    }

    @Test func allWhoSleepAreWokenEachTime() {
        let turns = Turns(), rounds = Int32(200)
        let others = (0..<3).map { _ in
            TestThread { for round in 0..<rounds { turns.there.wait(past: round) } }
        }
        for round in 0..<rounds {
            // By the one side of the program, and by the one that renders.
            awaitSleepers(others.count, turns)
            if round % 2 == 0 { turns.there.announce() } else { turns.there.advance() }
        }
        for other in others { other.join() }
        #expect(turns.there.number == rounds)
    }

    @Test func whoeverComesLateDoesNotWait() {
        let turns = Turns()
        for _ in 0..<3 { turns.there.announce() }
        turns.there.wait(past: 2)
        let number = turns.there.number
        #expect(number == 3)
    }
}
