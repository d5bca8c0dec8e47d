import DSP
import Testing

@Suite struct FreePhaseTests {
    @Test func itIsWhereTheSampleTimeSays() {
        var phase = FreePhase()
        phase.swing(3, sampleRate: 48_000, at: 0)
        for time in [0, 1, 4_000, 16_000, 17_000, 1_000_003] as [Int64] {
            let turns = Double(time) * 3 / 48_000, wanted = turns - turns.rounded(.down)
            #expect(abs(phase.turns(at: time) - wanted) < 1e-12, "\(time)")
        }
        // A year, and then a quarter of a turn: 4000 frames.
        let year: Int64 = 365 * 86_400 * 48_000
        #expect(abs(phase.turns(at: year + 4_000) - 0.25) < 1e-6)
    }

    @Test func theFirstRateHoldsFromTimeZeroOn() {
        var early = FreePhase(), late = FreePhase()
        early.swing(0.7, sampleRate: 44_100, at: 0)
        late.swing(0.7, sampleRate: 44_100, at: 123_457)
        #expect(early.turns(at: 200_000) == late.turns(at: 200_000))
    }

    @Test func anotherRateGoesOnFromWhereThePhaseIs() {
        var phase = FreePhase()
        phase.swing(1, sampleRate: 48_000, at: 0)
        let before = phase.turns(at: 30_000)
        phase.swing(2, sampleRate: 48_000, at: 30_000)
        #expect(phase.turns(at: 30_000) == before)
        #expect(abs(phase.turns(at: 36_000) - 0.875) < 1e-12)
        phase.swing(2, sampleRate: 48_000, at: 31_000)    // no other rate
        #expect(abs(phase.turns(at: 36_000) - 0.875) < 1e-12)
    }

    @Test func aRateBeyondTheSampleRateIsWhatIsHeardOfIt() {
        var fast = FreePhase(), slow = FreePhase()
        fast.swing(10_000, sampleRate: 8_000, at: 0)
        slow.swing(2_000, sampleRate: 8_000, at: 0)
        #expect(fast.turns(at: 7) == slow.turns(at: 7) && fast.turns(at: 7) == 0.75)
    }
}
