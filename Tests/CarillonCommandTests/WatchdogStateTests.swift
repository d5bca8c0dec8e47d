import Testing

@testable import CarillonCommand

/// What a watchdog makes of what it sees, without a clock.
@Suite struct WatchdogStateTests {
    private typealias Sight = WatchdogState.Sight
    private static let second: Int64 = 1_000_000_000

    @Test func aThreadThatComputesWithoutABeatIsStuckWhenItsPatienceIsOver() {
        var state = WatchdogState(patience: 4 * Self.second)
        #expect(state.look(Sight(now: 0, processorTime: 0)) == nil)
        #expect(state.look(Sight(now: 9 * Self.second, processorTime: 4 * Self.second - 1)) == nil)
        #expect(state.look(Sight(now: 9 * Self.second, processorTime: 4 * Self.second)) == .computes)
    }

    @Test func eachBeatBeginsThePatienceAnewAndTimeOnTheWallIsNothing() {
        var state = WatchdogState(patience: Self.second)
        for beat in 0..<20 {
            let used = Int64(beat) * Self.second
            #expect(state.look(Sight(now: used, processorTime: used, beats: beat)) == nil)
            #expect(state.look(Sight(now: 1000 * used, processorTime: used + Self.second - 1, beats: beat)) == nil)
        }
    }

    /// The caller waits for it, and other threads beat.
    @Test func aHelperThatComputesForOneThingIsStuckWhenThePatienceIsOver() {
        var state = WatchdogState(patience: Self.second)
        for beat in 0..<9 {
            #expect(state.look(Sight(now: 0, processorTime: 0, helperTime: Self.second - 1, beats: beat)) == nil)
        }
        #expect(state.look(Sight(now: 0, processorTime: 0, helperTime: Self.second, beats: 9)) == .computes)
        var other = WatchdogState()
        #expect(other.look(Sight(now: 0, processorTime: 0, helperTime: 99 * Self.second)) == nil)
    }

    @Test func whoseProcessorTimeNobodyCountsIsNeverStuckAndNobodyWaitsForAnEndThatWasNotAskedFor() {
        var state = WatchdogState()
        for hour in 0..<100 {
            let now = Int64(hour) * 3600 * Self.second
            #expect(state.look(Sight(now: now, processorTime: now, written: 7)) == nil)
        }
    }

    @Test func anEndThatStandsTwoSecondsLongerThanDeclaredIsAFault() {
        var state = WatchdogState()
        #expect(state.look(Sight(now: 0, due: Self.second, written: 5)) == nil)
        #expect(state.look(Sight(now: 3 * Self.second - 1, due: Self.second, written: 5)) == nil)
        #expect(state.look(Sight(now: 3 * Self.second, due: Self.second, written: 5)) == .stands)
    }

    @Test func aStageThatSaysMoreIsGivenMore() {
        var state = WatchdogState()
        #expect(state.look(Sight(now: 0, due: 0)) == nil)
        #expect(state.look(Sight(now: 3 * Self.second, due: 6 * Self.second)) == nil)
        #expect(state.look(Sight(now: 8 * Self.second, due: 6 * Self.second)) == .stands)
    }

    @Test func aFileThatGetsOnIsWaitedForHoweverLong() {
        var state = WatchdogState(), now: Int64 = 0
        for block in 0..<1000 {
            #expect(state.look(Sight(now: now, due: 0, written: block)) == nil)
            now += WatchdogState.margin - 1
        }
        #expect(state.look(Sight(now: now, due: 0, written: 999)) == nil)
        #expect(state.look(Sight(now: now + 1, due: 0, written: 999)) == .stands)
    }
}
