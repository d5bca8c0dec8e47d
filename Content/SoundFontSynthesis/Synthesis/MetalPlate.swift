/// A struck cymbal: thousands of modes at random frequencies that answer the stick one band after the other and die away
/// each band in its own time; the end is an endless loop to which a volume envelope gives the rest of the decay.
///
/// The upper bands of a cymbal speak a little later than the lower ones and die away sooner: Fletcher and Rossing, "The
/// Physics of Musical Instruments", chapter 20.
struct MetalPlate {
    /// The spectrum: hertz and decibels of an octave around it, joined by straight lines over the logarithm of frequency.
    var spectrum: [(hertz: Double, level: Double)]
    /// Part of the lines that sound, 0...1: low = ringing, high = hissing.
    var density: Double
    /// The difference between the lines, 0 = like noise, 1 = a few that stand out.
    var lumps: Double
    /// Seconds before the loop.
    var body: Double
    /// Decibels per second that are lost at 10 kHz before the loop; in proportion to the square root of the frequency.
    var fall: Double
    /// Seconds until the band at 10 kHz has risen; lower bands in proportion.
    var rise: Double
    /// The stick's share: modes that have died away when the loop begins, and noise; 0 dB is the plate's loudest frame.
    var stick: Strike
    /// Frames of the loop, a power of two.
    var count: Int
    var rate: Double

    init(
        _ spectrum: [(hertz: Double, level: Double)], density: Double = 1, lumps: Double = 0.5, body: Double = 0.02,
        fall: Double = 0, rise: Double = 0, stick: Strike = Strike([], duration: 0), count: Int = 32768,
        rate: Double = 44100
    ) {
        self.spectrum = spectrum
        self.density = density
        self.lumps = lumps
        self.body = body
        self.fall = fall
        self.rise = rise
        self.stick = stick
        self.count = count
        self.rate = rate
    }

    func sample(_ name: String, seed: Int) -> Sample {
        var noise = NoiseSource(seed: seed)
        var bands: [Int: Spectrum] = [:]
        for line in 1..<count / 2 {
            let hertz = Double(line) * rate / Double(count)
            guard hertz > 180, hertz < 0.47 * rate, noise.uniform() < density else { continue }
            // An octave's energy is spread over as many lines as it is high.
            let level = ExactMath.amplitude(decibels: octaveLevel(hertz)) / hertz.squareRoot()
            let lump = noise.uniform()
            bands[MetalPlate.band(hertz), default: Spectrum(count: count)].add(
                line: line, level: level * (1 + lumps * (4 * lump * lump * lump - 1)), phase: noise.uniform())
        }
        let start = Int(body * rate)
        var frames = [Double](repeating: 0, count: start + count + Sample.guardFrames)
        for (band, spectrum) in bands.sorted(by: { $0.key < $1.key }) {
            add(spectrum.frames(), of: band, to: &frames, until: start)
        }
        let unit = frames.reduce(0) { max($0, abs($1)) }
        for (i, value) in stick.frames(seed: seed, rate: rate, count: start).enumerated() { frames[i] += unit * value }
        return Sample(name, frames, rate: rate, key: 60, loop: start..<start + count)
    }

    private func octaveLevel(_ hertz: Double) -> Double {
        guard var (x0, y0) = spectrum.first.map({ (ExactMath.logarithm2($0.hertz), $0.level) }) else { return 0 }
        let x = ExactMath.logarithm2(hertz)
        for point in spectrum.dropFirst() {
            let (x1, y1) = (ExactMath.logarithm2(point.hertz), point.level)
            if x < x1 { return x <= x0 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0) }
            (x0, y0) = (x1, y1)
        }
        return y0
    }

    /// Half octaves from 200 Hz.
    private static func band(_ hertz: Double) -> Int {
        Int((2 * ExactMath.logarithm2(hertz / 200)).rounded(.down))
    }

    /// One turn of a band's lines, over and over, with the band's own rise and fall; level in the loop.
    private func add(_ turn: [Double], of band: Int, to frames: inout [Double], until flat: Int) {
        let hertz = 200 * ExactMath.exponential2((Double(band) + 0.5) / 2)
        let step = ExactMath.amplitude(decibels: -fall * (hertz / 10000).squareRoot() / rate)
        let attack = max(0.0005, rise * hertz / 10000) * rate
        var gain = 1.0
        for i in frames.indices {
            frames[i] += turn[i % count] * gain * (Double(i) < attack ? Double(i) / attack : 1)
            if i < flat { gain *= step }
        }
    }
}
