import DSP
import Testing

/// The filters against the cookbook's transfer functions, which are written here a second time as the biquads they are.
@Suite struct StateVariableFilterTests {
    typealias Response = StateVariableFilter.Response

    /// The magnitude of the "Audio EQ Cookbook" at `f` of the sample rate, in decibels; `w` is the filter's own frequency.
    private func cookbook(_ response: Response, _ w: Double, gain: Double, q: Double, at f: Double) -> Double {
        let c = DeterministicMath.cosine(turns: w), alpha = DeterministicMath.sine(turns: w) / (2 * q)
        let a = DeterministicMath.power(10, gain / 40), r = 2 * a.squareRoot() * alpha
        let (b, d): ([Double], [Double]) =
            switch response {
            case .off: ([1, 0, 0], [1, 0, 0])
            case .peak: ([1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a])
            case .lowShelf:
                (
                    [a * (a + 1 - (a - 1) * c + r), 2 * a * (a - 1 - (a + 1) * c), a * (a + 1 - (a - 1) * c - r)],
                    [a + 1 + (a - 1) * c + r, -2 * (a - 1 + (a + 1) * c), a + 1 + (a - 1) * c - r]
                )
            case .highShelf:
                (
                    [a * (a + 1 + (a - 1) * c + r), -2 * a * (a - 1 + (a + 1) * c), a * (a + 1 + (a - 1) * c - r)],
                    [a + 1 - (a - 1) * c + r, 2 * (a - 1 - (a + 1) * c), a + 1 - (a - 1) * c - r]
                )
            case .lowPass: ([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha])
            case .highPass: ([(1 + c) / 2, -1 - c, (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha])
            case .notch: ([1, -2 * c, 1], [1 + alpha, -2 * c, 1 - alpha])
            case .bandPass: ([alpha, 0, -alpha], [1 + alpha, -2 * c, 1 - alpha])
            case .allPass: ([1 - alpha, -2 * c, 1 + alpha], [1 + alpha, -2 * c, 1 - alpha])
            }
        func power(_ p: [Double]) -> Double {
            var re = 0.0, im = 0.0
            for (k, value) in p.enumerated() {
                re += value * DeterministicMath.cosine(turns: Double(k) * f)
                im -= value * DeterministicMath.sine(turns: Double(k) * f)
            }
            return re * re + im * im
        }
        return 10 * DeterministicMath.log2(max(power(b) / power(d), 1e-12)) / DeterministicMath.log2(10)
    }

    private func impulseResponse(_ response: Response, _ hertz: Double, gain: Double, q: Double, frames: Int) -> [Float] {
        var filter = StateVariableFilter()
        var x = [Float](repeating: 0, count: frames)
        x[0] = 1
        let c = StateVariableFilter.Coefficients(response, frequency: hertz, gain: gain, quality: q, sampleRate: 48_000)
        x.withUnsafeMutableBufferPointer { filter.process($0.baseAddress!, frames, c) }
        return x
    }

    @Test(arguments: Response.allCases) func magnitudesAreThoseOfTheCookbook(_ response: Response) {
        for (hertz, gain, q) in [(1000.0, 12.0, 0.7071), (90, -18, 2), (9_000, 6, 0.3), (400, 24, 6)] {
            let heard = impulseResponse(response, hertz, gain: gain, q: q, frames: 16_384)
            for f in [30.0, 90, 250, 390, 1000, 1700, 5000, 9000, 16_000, 21_000] {
                var re = 0.0, im = 0.0
                for (i, sample) in heard.enumerated() {
                    re += Double(sample) * DeterministicMath.cosine(turns: Double(i) * f / 48_000)
                    im -= Double(sample) * DeterministicMath.sine(turns: Double(i) * f / 48_000)
                }
                let measured = 10 * DeterministicMath.log2(max(re * re + im * im, 1e-12)) / DeterministicMath.log2(10)
                let wanted = cookbook(response, hertz / 48_000, gain: gain, q: q, at: f / 48_000)
                // Deep in a notch or a stop band nothing but rounding is left.
                if max(measured, wanted) < -90 { continue }
                #expect(abs(measured - wanted) < 0.01, "\(response) \(hertz) Hz at \(f) Hz: \(measured), not \(wanted) dB")
            }
        }
    }

    @Test func aResponseHasItsNumber() {
        for (number, response) in Response.allCases.enumerated() { #expect(Response(number: number) == response) }
        #expect(Response(number: 9) == .off && Response(number: -1) == .off)
    }

    @Test func whatRaisesNothingIsNeutral() {
        for response in [Response.off, .peak, .lowShelf, .highShelf] {
            let c = StateVariableFilter.Coefficients(response, frequency: 777, gain: 0, quality: 3, sampleRate: 44_100)
            #expect(c.isNeutral, "\(response)")
        }
        let pass = StateVariableFilter.Coefficients(.lowPass, frequency: 777, gain: 0, quality: 3, sampleRate: 44_100)
        #expect(!pass.isNeutral)
    }

    @Test func itStaysBoundedWhileEverythingMovesAsFastAsItCan() {
        var state: UInt64 = 5
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 9_007_199_254_740_992
        }
        var filter = StateVariableFilter(), from = StateVariableFilter.Coefficients(), peak: Float = 0
        for _ in 0..<3000 {
            let to = StateVariableFilter.Coefficients(
                .lowPass, frequency: 20 * DeterministicMath.exp2(10 * random()), gain: 0, quality: 0.1 + random() * 18,
                sampleRate: 48_000)
            var x = (0..<64).map { _ in Float(random() * 2 - 1) }
            x.withUnsafeMutableBufferPointer { filter.glide($0.baseAddress!, 64, from: from, to: to, phase: 0) }
            peak = x.reduce(peak) { max($0, abs($1)) }
            from = to
        }
        #expect(peak > 1 && peak < 100, "\(peak)")
    }

    @Test func aBandInTheMiddleOfAGlideDoesNotCareWhereRunsAreCut() {
        func play(_ cuts: [Int]) -> [Float] {
            var band = EqualizerBand()
            band.aim(response: 1, frequency: 500, gain: -12, quality: 1, sampleRate: 48_000)
            band.settle()
            var x = (0..<640).map { Float(DeterministicMath.sine(turns: Double($0) / 50)) }, y = x
            for start in stride(from: 0, to: 640, by: 64) {
                band.aim(
                    response: start < 320 ? 1 : 6, frequency: 500 + Float(start), gain: 12, quality: 1,
                    sampleRate: 48_000)
                var done = 0
                for cut in cuts {
                    x.withUnsafeMutableBufferPointer { x in
                        y.withUnsafeMutableBufferPointer { y in
                            band.process(x.baseAddress! + start + done, y.baseAddress! + start + done, cut, phase: done)
                        }
                    }
                    done += cut
                }
            }
            #expect(x == y)
            return x
        }
        let whole = play([64])
        #expect(play([1, 30, 33]) == whole && play([63, 1]) == whole)
    }
}
