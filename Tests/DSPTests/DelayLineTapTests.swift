import DSP
import Glibc
import Testing

@Suite struct DelayLineTapTests {
    /// A tone in a line of 1000 frames, and what a tap gives `delay` frames before the last of them.
    private func tap(_ delay: Double, of frequency: Double) -> Double {
        let line = DelayLine(longest: 500)
        for n in 0...1_000 {
            line.open(n)[0] = Float(sin(2 * Double.pi * frequency * Double(n)))
            line.close(n, 1)
        }
        return Double(line.tap(delay, before: 1_000))
    }

    @Test(arguments: [2, 2.25, 3.5, 17.9, 400.125, 487.5, 488.5, 489.5]) func itReadsBetweenTheFrames(delay: Double) {
        for (frequency, error) in [(0.01, 1e-6), (0.1, 1e-3), (0.2, 0.02)] {
            let wanted = sin(2 * Double.pi * frequency * (1_000 - delay))
            #expect(abs(tap(delay, of: frequency) - wanted) < error, "\(frequency) of the rate")
        }
    }

    @Test func aWholeDelayIsTheFrameItself() {
        for delay in [2, 3, 64, 499] as [Double] {
            #expect(abs(tap(delay, of: 0.23) - sin(2 * Double.pi * 0.23 * (1_000 - delay))) < 1e-6)
        }
    }

    @Test func halfwayBetweenTwoFramesItFallsByATenthOfADecibelAtAFifthOfTheRate() {
        // Over many delays of some frames and a half: the greatest is the amplitude.
        let peak = (3..<400).map { abs(tap(Double($0) + 0.5, of: 0.2017)) }.max() ?? 0
        #expect(abs(20 * log10(peak) + 0.1) < 0.05, "\(20 * log10(peak)) dB")
    }
}
