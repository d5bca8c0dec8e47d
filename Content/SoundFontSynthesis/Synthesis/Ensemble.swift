/// Many players on one note: every harmonic smeared into a band, looped without a seam.
public struct Ensemble {
    /// Amplitude from the frequency in hertz and the number of the harmonic.
    public var level: (Int, Double) -> Double
    /// Width of the smear of the first harmonic, in cents.
    public var spread: Double
    /// Frames of the loop, a power of two.
    public var count: Int
    public var rate: Double
    /// Steady noise under it: frequency, level per band relative to harmonic 1.
    public var air: [(hertz: Double, width: Double, level: Double)]

    public init(
        spread: Double, count: Int = 16384, rate: Double = 22050,
        air: [(hertz: Double, width: Double, level: Double)] = [],
        level: @escaping (Int, Double) -> Double
    ) {
        self.spread = spread
        self.count = count
        self.rate = rate
        self.air = air
        self.level = level
    }

    /// Synthesises the loop of `key`; two seeds give the two sides of a stereo pair.
    public func sample(_ name: String, key: Int, seed: Int) -> Sample {
        var noise = NoiseSource(seed: seed &* 977 &+ key)
        let frequency = ExactMath.frequency(key: Double(key))
        let grid = LoopGrid(frequency: frequency, count: count, rate: rate)
        var spectrum = Spectrum(count: count)
        var harmonic = 1
        while Double(harmonic) * frequency < 0.45 * grid.rate {
            let centre = Double(harmonic * grid.periods)
            let width = centre * (ExactMath.exponential2(spread / 1200) - 1)
            let amount = level(harmonic, Double(harmonic) * frequency)
            spectrum.addBand(centre: centre, width: width, level: amount, noise: &noise)
            // A line on the exact frequency anchors the pitch.
            spectrum.add(line: Int(centre), level: amount * 1.3, phase: noise.uniform())
            harmonic += 1
        }
        let lines = Double(count) / grid.rate
        for band in air {
            spectrum.addBand(centre: band.hertz * lines, width: band.width * lines, level: band.level, noise: &noise)
        }
        return Sample.turning(name, spectrum.frames(), rate: grid.rate, key: key)
    }
}
