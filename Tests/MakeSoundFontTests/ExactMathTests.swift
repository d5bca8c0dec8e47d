import Glibc
import Testing

@testable import SoundFontSynthesis

@Suite struct ExactMathTests {
    @Test func `sine, exponential and logarithm agree with the C library`() {
        for i in -2000...2000 {
            let x = Double(i) * 0.00737
            #expect(abs(ExactMath.sine(turns: x) - sin(2 * Double.pi * x)) < 1e-12)
            #expect(abs(ExactMath.exponential2(x) / exp2(x) - 1) < 1e-12)
            let y = exp2(x)
            #expect(abs(ExactMath.logarithm2(y) - log2(y)) < 1e-12)
        }
    }

    @Test func `a loop of noise through a filter has no seam`() {
        var noise = NoiseSource(seed: 7)
        let turn = Biquad(.bandpass, frequency: 1000, q: 2, rate: 20000).filterLoop(noise.frames(4000))
        // One more pass over the settled loop changes nothing but the beginning, where the first pass was not yet
        // settled.
        let steepest = (0..<3999).reduce(0) { max($0, abs(turn[$1 + 1] - turn[$1])) }
        #expect(abs(turn[0] - turn[3999]) <= steepest)
    }

    @Test func `a spectrum with one line is a sine`() {
        var spectrum = Spectrum(count: 64)
        spectrum.add(line: 3, level: 0.5, phase: 0)
        let frames = spectrum.frames()
        for i in 0..<64 { #expect(abs(frames[i] - 0.5 * cos(2 * Double.pi * 3 * Double(i) / 64)) < 1e-12) }
    }
}
