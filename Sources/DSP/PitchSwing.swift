// [render]

/// The delay whose swing bends pitch by a depth in cents, the same up and down.
///
/// Sound that is read at a delay d has the pitch 1 - d', d' being how fast the delay grows. So the delay is the integral of
/// the pitch that is wanted: with a the depth as a natural logarithm, 1 + sinh a sin x - (cosh a - 1) cos 2x. Its mean is 1,
/// so that the delay comes back to where it was, and its ends are e^a and e^-a. The second harmonic makes both ends equally
/// far from the middle in cents; with a sine alone, as in J. Dattorro, "Effect Design, Part 2", J. Audio Eng. Soc. 45, 1997,
/// the pitch falls further than it rises.
public struct PitchSwing: BitwiseCopyable {
    /// The swing of the delay: of the fundamental, and of the second harmonic. Unit: frames.
    private var first = 0.0, second = 0.0

    /// None.
    @_noLocks public init() {}

    /// - Parameters:
    ///   - cents: how far the pitch swings to either side, 0...200.
    ///   - rate: how often a second it does, above 0.
    @_noLocks public init(cents: Double, rate: Double, sampleRate: Double) {
        let up = DeterministicMath.exp2(cents * (1.0 / 1200)), down = 1 / up
        let framesPerRadian = sampleRate / (6.283185307179586 * rate)
        first = 0.5 * (up - down) * framesPerRadian
        second = (0.5 * (up + down) - 1) * framesPerRadian
    }

    /// The distance that the delay swings to either side, or a little less. Unit: frames.
    public var reach: Double { @_noLocks get { first + 0.5 * second } }

    /// Returns the delay beyond its middle, `turns` turns after the pitch passed its own middle upwards. Unit: frames.
    @_noLocks public func delay(turns: Double) -> Double {
        let sine = DeterministicMath.sine(turns: turns), cosine = DeterministicMath.cosine(turns: turns)
        return cosine * (first + second * sine)
    }
}
