// [render]

/// A slow swing that moves something else: sine, triangle, saw up or down, square, or steps at random.
///
/// It starts with its first period, and comes in over a delay. It is advanced now and then, by whole frames; where its random
/// steps go is a hash of the period's number, so the same seed gives the same steps.
public struct LowFrequencyOscillator: BitwiseCopyable {
    /// The shapes of a period, from -1 to 1.
    public enum Shape: BitwiseCopyable, Sendable, CaseIterable {
        case sine, triangle, rise, fall, square, random

        /// The shape of that number, in the order of the cases.
        @_noLocks public init(number: Int) {
            switch number {
            case 1: self = .triangle
            case 2: self = .rise
            case 3: self = .fall
            case 4: self = .square
            case 5: self = .random
            default: self = .sine
            }
        }
    }

    private let noise: CounterNoise
    /// Periods since the start, and seconds.
    private var periods = 0.0, age = 0.0

    /// Creates a swing at its start.
    @_noLocks public init(seed: UInt64) { noise = CounterNoise(seed: seed) }

    /// Advances by `seconds` at `rate` periods a second.
    @_noLocks public mutating func advance(_ seconds: Double, rate: Double) {
        periods += seconds * rate
        age += seconds
    }

    /// Returns the part of the swing that has come in, 0...1, if that takes `delay` seconds.
    @_noLocks public func presence(delay: Double) -> Double { age < delay ? age / delay : 1 }

    /// Returns where the swing is: -1...1.
    @_noLocks public func value(_ shape: Shape) -> Double {
        let period = DeterministicMath.floor(periods), turns = periods - period
        switch shape {
        case .sine: return DeterministicMath.sine(turns: turns)
        case .triangle: return turns < 0.25 ? 4 * turns : turns < 0.75 ? 2 - 4 * turns : 4 * turns - 4
        case .rise: return 2 * turns - 1
        case .fall: return 1 - 2 * turns
        case .square: return turns < 0.5 ? 1 : -1
        case .random: return noise.pair(at: Int64(period)).left
        }
    }
}
