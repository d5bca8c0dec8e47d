/// Filtered noise with an exponential decay: a hammer, a pick, a breath, a stick.
public struct NoiseBurst {
    /// Level in decibels relative to the tone's loudest partial or, alone, to full scale.
    public var level: Double
    /// Centre or corner frequency in hertz.
    public var frequency: Double
    public var q: Double
    public var shape: Biquad.Shape
    /// Seconds of linear fade-in.
    public var attack: Double
    /// Seconds until 60 dB down.
    public var duration: Double
    /// Seconds of silence before it.
    public var delay: Double

    public init(
        _ level: Double, _ shape: Biquad.Shape = .bandpass, _ frequency: Double, q: Double = 0.7,
        attack: Double = 0.0005,
        duration: Double, delay: Double = 0
    ) {
        self.level = level
        self.shape = shape
        self.frequency = frequency
        self.q = q
        self.attack = attack
        self.duration = duration
        self.delay = delay
    }

    func add(to frames: inout [Double], rate: Double, unit: Double, noise: inout NoiseSource) {
        let start = Int(delay * rate)
        let count = min(frames.count - start, Int(duration * rate * 1.3))
        guard count > 0 else { return }
        let filtered = Biquad(shape, frequency: frequency, q: q, rate: rate).filter(noise.frames(count))
        let rms = (filtered.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
        var gain = unit * ExactMath.amplitude(decibels: level) / max(rms, 1e-9)
        let step = ExactMath.amplitude(decibels: -60 / (duration * rate))
        let rise = max(1, attack * rate)
        for i in 0..<count {
            let fadeOut = min(1, Double(count - i) / (0.1 * Double(count)))
            frames[start + i] += filtered[i] * gain * min(1, Double(i) / rise) * fadeOut
            gain *= step
        }
    }
}
