import DSP
import Testing

@Suite struct ADSREnvelopeTests {
    private let times: ADSRTimes = {
        var times = ADSRTimes(interval: 0.001)
        times.update(attack: 0.02, decay: 0.1, sustain: 0.25, release: 0.05)
        return times
    }()

    @Test func theAttackTakesItsTimeAndEndsAtOne() {
        var envelope = ADSREnvelope()
        var points = 0
        while envelope.stage == .attack {
            let before = envelope.next
            envelope.advance(1, times)
            #expect(envelope.next > before)
            points += 1
        }
        #expect(points == 20 || points == 21)
        #expect(envelope.next == 1)
    }

    @Test func theDecayFallsByEightyDecibelsInItsTimeAndThenRests() {
        var envelope = ADSREnvelope()
        while envelope.stage == .attack { envelope.advance(1, times) }
        for _ in 0..<50 { envelope.advance(1, times) }
        #expect(abs(envelope.next - (0.25 + 0.75 * 0.01)) < 1e-4)
        for _ in 0..<100 { envelope.advance(1, times) }
        #expect(envelope.next == 0.25)
    }

    @Test func theReleaseFromFullLevelTakesItsTimeAndEndsAtTrueZero() {
        var held = times
        held.update(attack: 0.02, decay: 0.1, sustain: 1, release: 0.05)
        var envelope = ADSREnvelope()
        while envelope.next < 1 { envelope.advance(1, held) }
        envelope.release()
        var points = 0
        repeat {
            envelope.advance(1, held)
            points += 1
        } while !envelope.isEnding
        #expect(points == 50 || points == 51)
        #expect(envelope.next == 0)
    }

    @Test func anInterruptionGoesOnFromTheLevelInBetween() {
        var envelope = ADSREnvelope()
        envelope.advance(1, times)
        let half = envelope.next / 2
        envelope.release()
        envelope.advance(0.5, times)
        #expect(envelope.level == half)
        #expect(envelope.next < half)
    }

    @Test func aReleaseBeforeTheFirstPointStillSounds() {
        var envelope = ADSREnvelope()
        envelope.release()
        envelope.advance(1, times)
        #expect(envelope.next > 0 && !envelope.isEnding)
        while !envelope.isEnding { envelope.advance(1, times) }
    }

    @Test func aFadeIsStraightAndEndsOnItsPoint() {
        var envelope = ADSREnvelope()
        while envelope.stage == .attack { envelope.advance(1, times) }
        envelope.fade(over: 9, at: 1)
        for point in 1...9 {
            envelope.advance(1, times)
            #expect(abs(envelope.next - (1 - Float(point) / 9)) < 1e-6)
        }
        #expect(envelope.next == 0 && envelope.isEnding)
    }

    @Test func everySettingLeadsToAnEnd() {
        for duration in [0, 0.0005, 10, 1e9] as [Float] {
            var extreme = ADSRTimes(interval: 16.0 / 192_000)
            extreme.update(attack: duration, decay: duration, sustain: 0.5, release: 0.001)
            var envelope = ADSREnvelope()
            for _ in 0..<100 { envelope.advance(1, extreme) }
            envelope.release()
            var points = 0
            while !envelope.isEnding && points < 100 {
                envelope.advance(1, extreme)
                points += 1
            }
            #expect(points < 20, "attack \(duration)")
        }
    }
}
