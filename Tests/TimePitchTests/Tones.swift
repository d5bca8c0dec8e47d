import DSP

/// A tone of half of full scale, at 48 kHz.
func sine(_ frequency: Double, _ frames: Int) -> [Float] {
    (0..<frames).map { Float(0.5 * DeterministicMath.sine(turns: frequency * Double($0) / 48_000)) }
}

/// The amplitude of the part of `x` at `frequency` hertz, under a Hann window.
func amplitude(_ x: ArraySlice<Float>, at frequency: Double) -> Double {
    var re = 0.0, im = 0.0, sum = 0.0
    for (i, sample) in x.enumerated() {
        let window = 0.5 - 0.5 * DeterministicMath.cosine(turns: Double(i) / Double(x.count))
        re += Double(sample) * window * DeterministicMath.cosine(turns: Double(i) * frequency / 48_000)
        im += Double(sample) * window * DeterministicMath.sine(turns: Double(i) * frequency / 48_000)
        sum += window
    }
    return 2 * (re * re + im * im).squareRoot() / sum
}
