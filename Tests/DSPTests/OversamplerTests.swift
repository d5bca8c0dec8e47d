import DSP
import Testing

@Suite struct OversamplerTests {
    /// What comes out of up and down again; `cuts` are the lengths of the runs, over and over.
    private func around(_ sound: [Float], cuts: [Int]) -> [Float] {
        var oversampler = Oversampler(), heard = sound, done = 0, n = 0
        while done < sound.count {
            let count = min(cuts[n % cuts.count], sound.count - done)
            n += 1
            heard.withUnsafeMutableBufferPointer { x in
                let place = x.baseAddress! + done
                _ = oversampler.rise(UnsafePointer(place), count)
                oversampler.fall(place, count)
            }
            done += count
        }
        return heard
    }

    /// The magnitude at `f` of the rate.
    private func magnitude(_ x: [Float], _ f: Double) -> Double {
        var re = 0.0, im = 0.0
        for (i, sample) in x.enumerated() {
            re += Double(sample) * DeterministicMath.cosine(turns: Double(i) * f)
            im -= Double(sample) * DeterministicMath.sine(turns: Double(i) * f)
        }
        return (re * re + im * im).squareRoot()
    }

    @Test func upAndDownIsADelayUpToTwentyKilohertz() {
        let click = [Float](repeating: 0, count: 20) + [1] + [Float](repeating: 0, count: 300)
        let heard = around(click, cuts: [64])
        for hertz in stride(from: 0.0, through: 20_000, by: 500) {
            let gain = magnitude(heard, hertz / 48_000)
            #expect(abs(gain - 1) < 1e-3, "\(hertz) Hz: \(gain)")
        }
        #expect(magnitude(heard, 0.5) < 1e-4)
        // 710 samples of the high rate are 88.75 frames: the middle of a symmetrical answer, between two samples.
        let middle = heard.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) }
        #expect(abs(middle - 20 - Double(Oversampler.delay) / 8) < 1e-2, "\(middle)")
    }

    @Test func whatIsBetweenTheSamplesHasNoImages() {
        var oversampler = Oversampler(), high: [Float] = []
        for run in 0..<64 {
            let tone = (0..<64).map { Float(DeterministicMath.sine(turns: Double(run * 64 + $0) * 18_000 / 48_000)) }
            let more = oversampler.rise(tone, 64)
            high += UnsafeBufferPointer(start: more, count: 512)
        }
        // A whole number of periods, behind the beginning.
        let steady = Array(high.suffix(24_576))
        let tone = magnitude(steady, 18_000 / 384_000)
        for image in [30_000.0, 66_000, 78_000, 114_000, 126_000, 162_000, 174_000] {
            #expect(magnitude(steady, image / 384_000) < 3e-5 * tone, "\(image) Hz")
        }
    }

    @Test func whereRunsAreCutDoesNotMatter() {
        let sound = (0..<2_000).map { Float(DeterministicMath.sine(turns: Double($0 * $0) / 90_000)) }
        let whole = around(sound, cuts: [64])
        for cuts in [[1], [7, 57], [64, 1, 30]] { #expect(around(sound, cuts: cuts) == whole, "\(cuts)") }
    }
}
