/// The steady sound of a thin metal plate: thousands of modes at random, denser and stronger where a cymbal is; an
/// endless loop to which a volume envelope gives the decay.
struct MetalPlate {
    /// Hertz and width in octaves of the bell of the spectrum.
    var centre: Double, width: Double
    /// Part of the lines that sound, 0...1: low = ringing, high = hissing.
    var density: Double
    var count: Int
    var rate: Double

    init(centre: Double, width: Double, density: Double, count: Int = 16384, rate: Double = 32000) {
        self.centre = centre
        self.width = width
        self.density = density
        self.count = count
        self.rate = rate
    }

    func sample(_ name: String, seed: Int) -> Sample {
        var noise = NoiseSource(seed: seed)
        var spectrum = Spectrum(count: count)
        for line in 1..<count / 2 {
            let hertz = Double(line) * rate / Double(count)
            guard hertz > 180, hertz < 0.47 * rate, noise.uniform() < density else { continue }
            let octaves = (ExactMath.logarithm2(hertz / centre)) / width
            let level = ExactMath.exponential(-octaves * octaves) + 0.02
            let lump = noise.uniform()
            spectrum.add(line: line, level: level * (0.15 + lump * lump * lump * 3), phase: noise.uniform())
        }
        return Sample.turning(name, spectrum.frames(), rate: rate, key: 60)
    }
}
