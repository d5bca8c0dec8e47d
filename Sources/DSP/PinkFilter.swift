/// A filter that makes pink noise of white noise: 3.01 dB down in every octave, at every sample rate.
///
/// Real poles two octaves apart, from 0.136 of the sample rate down to below 6 Hz, with a zero an octave above each: on the
/// logarithmic axis their slope is half of a single pole's. One pole and two zeros more bend the topmost octave, where what
/// is sampled would deviate; they were found by a search for the least deviation. From 20 Hz to 0.45 of the sample rate the
/// response is a straight line within 0.05 dB. It is computed as a sum of single poles. Source: J. O. Smith and H. F. Smith,
/// "Closed Form Fractional Integration and Differentiation via Real Exponentially Spaced Pole-Zero Pairs", arXiv 1606.06154,
/// 2016.
public struct PinkFilter: ~Copyable {
    /// The topmost pole by the sample rate, and what bends the topmost octave: a pole, and two zeros.
    private static let top = 0.13592538, bendingPole = -0.50572062, bendingZero = -0.54153175, lastZero = -0.0850587

    private let count: Int
    /// Where each pole is, how much it counts, and what it holds: three stretches of `count`.
    private let poles: UnsafeMutablePointer<Double>
    /// The weight of the input, and that of the input of the frame before.
    private let direct: Double, delayed: Double
    private var before = 0.0

    /// Designs the filter for a sample rate. Control side.
    public init(sampleRate: Double) {
        var at = [Self.bendingPole], zeros = [Self.bendingZero, Self.lastZero]
        var frequency = Self.top * sampleRate
        while true {
            at.append(Self.place(frequency / sampleRate))
            zeros.append(Self.place(2 * frequency / sampleRate))
            if frequency < 6 { break }
            frequency /= 4
        }
        let weights = at.indices.map { k in
            let others = at.indices.filter { $0 != k }
            return zeros.reduce(1) { $0 * (1 - $1 / at[k]) } / others.reduce(1) { $0 * (1 - at[$1] / at[k]) }
        }
        // The first two samples of the impulse response; the others come from the poles alone.
        let first = 1.0, second = at.reduce(0, +) - zeros.reduce(0, +)
        let early = second - zip(at, weights).reduce(0) { $0 + $1.0 * $1.1 }
        var energy = first * first + second * second
        for (p, a) in zip(at, weights) {
            for (q, b) in zip(at, weights) { energy += a * b * (p * q) * (p * q) / (1 - p * q) }
        }
        let scale = 1 / DeterministicMath.squareRoot(energy)
        count = at.count
        direct = (first - weights.reduce(0, +)) * scale
        delayed = early * scale
        poles = .allocate(capacity: 3 * count)
        poles.initialize(repeating: 0, count: 3 * count)
        for k in 0..<count {
            poles[k] = at[k]
            poles[count + k] = weights[k] * scale
        }
    }

    deinit { poles.deallocate() }

    /// The pole or zero of a frequency in periods per frame: e to the power of -2 pi times that.
    private static func place(_ frequency: Double) -> Double {
        DeterministicMath.exp2(-frequency * 9.064720283654388)    // 2 pi log2 e
    }

    // [render]

    /// Returns the next sample; white noise comes out as loud as it goes in (root of the mean square).
    @_noLocks public mutating func process(_ x: Double) -> Double {
        var sum = direct * x + delayed * before
        for k in 0..<count {
            let held = poles[2 &* count &+ k] * poles[k] + x * poles[count &+ k]
            poles[2 &* count &+ k] = held
            sum += held
        }
        before = x
        return sum
    }

    /// Forgets what it heard.
    @_noLocks public mutating func clear() {
        before = 0
        for k in 0..<count { poles[2 &* count &+ k] = 0 }
    }
}
