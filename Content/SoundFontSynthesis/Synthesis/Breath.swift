/// Steady filtered noise that loops with the tone: wind, bow, breath.
public struct Breath {
    /// RMS level in decibels relative to the tone's loudest partial.
    public var level: Double
    public var shape: Biquad.Shape
    /// Hertz.
    public var frequency: Double
    public var q: Double

    public init(_ level: Double, _ shape: Biquad.Shape = .bandpass, _ frequency: Double, q: Double = 0.7) {
        self.level = level
        self.shape = shape
        self.frequency = frequency
        self.q = q
    }

    /// One turn of the loop, `count` frames, RMS 1 times the level.
    func loop(count: Int, rate: Double, noise: inout NoiseSource) -> [Double] {
        let filter = Biquad(shape, frequency: frequency, q: q, rate: rate)
        let frames = filter.filterLoop(filter.filterLoop(noise.frames(count)))
        let rms = (frames.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
        let gain = ExactMath.amplitude(decibels: level) / max(rms, 1e-9)
        return frames.map { $0 * gain }
    }
}
