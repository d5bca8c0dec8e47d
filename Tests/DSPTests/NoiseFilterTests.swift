import DSP
import Testing

/// The filters of pink and brown noise, by their impulse responses.
@Suite struct NoiseFilterTests {
    private static let rates = [8_000, 44_100, 48_000, 96_000, 192_000] as [Double]

    /// How far the response deviates from a straight line of `slope` decibels an octave, from `low` to `high` hertz: the half
    /// of the span.
    private func deviation(
        _ response: [Double], rate: Double, slope: Double, from low: Double, to high: Double
    ) -> Double {
        var least = Double.infinity, most = -Double.infinity
        for step in 0...24 {
            let octaves = DeterministicMath.log2(high / low) * Double(step) / 24
            let turns = low * DeterministicMath.exp2(octaves) / rate
            var real = 0.0, imaginary = 0.0
            for (i, sample) in response.enumerated() {
                real += sample * DeterministicMath.cosine(turns: Double(i) * turns)
                imaginary += sample * DeterministicMath.sine(turns: Double(i) * turns)
            }
            let decibels = DeterministicMath.log2(real * real + imaginary * imaginary) * 3.0102999566398120
            least = min(least, decibels - slope * octaves)
            most = max(most, decibels - slope * octaves)
        }
        return (most - least) / 2
    }

    @Test(arguments: rates) func pinkFallsByThreeDecibelsAnOctaveAndKeepsTheLevel(_ rate: Double) {
        var filter = PinkFilter(sampleRate: rate)
        // A second: the slowest pole has died away by 40 dB and more.
        let response = (0..<Int(rate)).map { filter.process($0 == 0 ? 1 : 0) }
        #expect(deviation(response, rate: rate, slope: -3.0102999566, from: 20, to: 0.45 * rate) < 0.05)
        #expect(abs(response.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        filter.clear()
        #expect(filter.process(0) == 0 && filter.process(1) == response[0] && filter.process(0) == response[1])
    }

    @Test(arguments: rates) func brownFallsBySixDecibelsAnOctaveAndKeepsTheLevel(_ rate: Double) {
        var filter = BrownFilter(sampleRate: rate)
        let response = (0..<Int(rate)).map { filter.process($0 == 0 ? 1 : 0) }
        #expect(deviation(response, rate: rate, slope: -6.0205999133, from: 63, to: rate / 3) < 0.15)
        #expect(abs(response.reduce(0) { $0 + $1 * $1 } - 1) < 1e-9)
        filter.clear()
        #expect(filter.process(0) == 0 && filter.process(1) == response[0])
    }

    @Test func theSourceIsAFunctionOfTheTime() {
        let source = CounterNoise(seed: 5), again = CounterNoise(seed: 5), other = CounterNoise(seed: 6)
        for time in [0, 1, 47_999, 1 << 40] as [Int64] {
            #expect(source.pair(at: time) == again.pair(at: time) && source.pair(at: time) != other.pair(at: time))
            #expect(source.pair(at: time) != source.pair(at: time + 1))
        }
    }
}
