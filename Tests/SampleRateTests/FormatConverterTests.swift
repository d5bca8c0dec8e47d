import DSP
import Reports
import Testing

@testable import SampleRate

@Suite struct FormatConverterTests {
    private static func format(
        _ rate: Int, _ channels: Int = 1, _ sample: SoundFormat.Sample = .float32, interleaved: Bool = false
    ) -> SoundFormat {
        SoundFormat(sampleRate: rate, channels: channels, sample: sample, isInterleaved: interleaved)
    }

    private func sine(_ frequency: Double, rate: Int, frames: Int, amplitude: Double = 0.9) -> [Float] {
        (0..<frames).map { Float(amplitude * DeterministicMath.sine(turns: frequency * Double($0) / Double(rate))) }
    }

    private func decibels(_ ratio: Double) -> Double {
        10 * DeterministicMath.log2(max(ratio, 1e-30)) / DeterministicMath.log2(10)
    }

    /// All of a sound at once.
    private func convert<A: BitwiseCopyable, B: BitwiseCopyable>(
        _ planes: [[A]], _ converter: FormatConverter, to _: B.Type = B.self
    ) throws -> [[B]] {
        let made: [[B]] = try converter.convert(planes), rest: [[B]] = try converter.finish()
        return zip(made, rest).map { $0 + $1 }
    }

    /// What is left of `x` besides the sine of `frequency` in it, in decibels of that: distortion and noise.
    private func residue(_ x: ArraySlice<Float>, _ frequency: Double, rate: Int) -> (error: Double, amplitude: Double) {
        // Least squares: the sine and the cosine that fit best.
        var ss = 0.0, sc = 0.0, cc = 0.0, xs = 0.0, xc = 0.0
        let parts = x.indices.map { n in
            let turns = frequency * Double(n) / Double(rate)
            return (DeterministicMath.sine(turns: turns), DeterministicMath.cosine(turns: turns))
        }
        for (value, (s, c)) in zip(x, parts) {
            (ss, sc, cc) = (ss + s * s, sc + s * c, cc + c * c)
            (xs, xc) = (xs + Double(value) * s, xc + Double(value) * c)
        }
        let size = ss * cc - sc * sc, a = (xs * cc - xc * sc) / size, b = (xc * ss - xs * sc) / size
        var left = 0.0
        for (value, (s, c)) in zip(x, parts) { left += (Double(value) - a * s - b * c) * (Double(value) - a * s - b * c) }
        return (decibels(left / Double(x.count) / ((a * a + b * b) / 2)), (a * a + b * b).squareRoot())
    }

    static let pairs = [
        (44_100, 48_000), (48_000, 44_100), (48_000, 96_000), (96_000, 48_000), (44_100, 96_000), (96_000, 44_100),
    ]

    @Test(arguments: pairs, SampleRateConverter.Phase.allCases)
    func distortionAndNoiseLieBelowMinus120Decibels(_ pair: (Int, Int), _ phase: SampleRateConverter.Phase) throws {
        let (from, to) = pair
        for frequency in [100.0, 997, 5_000, 12_345, 19_000] {
            let converter = try FormatConverter(from: Self.format(from), to: Self.format(to), phase: phase)
            let made: [[Float]] = try convert([sine(frequency, rate: from, frames: from / 4)], converter)
            let (error, amplitude) = residue(made[0][to / 20..<to / 5], frequency, rate: to)
            #expect(error < -120, "\(frequency) Hz: \(error) dB")
            #expect(abs(decibels(amplitude * amplitude / 0.81)) < 0.01, "\(frequency) Hz: \(amplitude)")
        }
    }

    @Test(arguments: pairs + [(8_000, 192_000), (192_000, 8_000), (48_000, 48_000), (44_100, 44_101)])
    func asManyFramesComeOutAsTheInputLastsRoundedUp(_ from: Int, _ to: Int) throws {
        for frames in [1, 2, 100, 12_345] {
            let converter = try FormatConverter(from: Self.format(from), to: Self.format(to))
            let made: [[Float]] = try convert([[Float](repeating: 0.5, count: frames)], converter)
            #expect(made[0].count == (frames * to + from - 1) / from)
            #expect(converter.framesIn == Int64(frames) && converter.framesOut == Int64(made[0].count))
        }
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (48_000, 48_000)], SampleRateConverter.Phase.allCases)
    func thePiecesInWhichItComesDoNotMatter(_ pair: (Int, Int), _ phase: SampleRateConverter.Phase) throws {
        let left = sine(440, rate: pair.0, frames: 20_000), right = sine(3_000, rate: pair.0, frames: 20_000)
        let output = Self.format(pair.1, 2, .int16, interleaved: true)
        func converter() throws -> FormatConverter {
            try FormatConverter(from: Self.format(pair.0, 2), to: output, phase: phase)
        }
        let whole: [[UInt8]] = try convert([left, right], converter())
        for piece in [1_000, 313, 7] {
            let streaming = try converter()
            var made: [UInt8] = []
            for start in stride(from: 0, to: 20_000, by: piece) {
                let end = min(start + piece, 20_000)
                made += try streaming.convert([Array(left[start..<end]), Array(right[start..<end])], to: UInt8.self)[0]
            }
            made += try streaming.finish(UInt8.self)[0]
            #expect(made == whole[0], "pieces of \(piece)")
        }
        let again = try converter()
        _ = try convert([right, left], again, to: UInt8.self)
        try again.startAgain()
        #expect(try convert([left, right], again, to: UInt8.self) == whole)
    }

    @Test func whatNeedsNoRoundingComesBackBitForBit() throws {
        let shorts = (0...65_535).map { Int16(truncatingIfNeeded: $0) }
        let longs = shorts.map { Int32($0) << 16 | Int32(UInt16(bitPattern: $0 &* 31)) }
        for sample in SoundFormat.Sample.allCases {
            let there = try FormatConverter(
                from: Self.format(48_000, 2, .int16, interleaved: true), to: Self.format(48_000, 2, sample))
            let back = try FormatConverter(
                from: Self.format(48_000, 2, sample), to: Self.format(48_000, 2, .int16, interleaved: true))
            let middle: [[UInt8]] = try convert([shorts], there)
            #expect(try convert(middle, back, to: Int16.self) == [shorts], "\(sample)")
            #expect(middle[1].count == 32_768 * sample.bytes)
        }
        let there = try FormatConverter(from: Self.format(48_000, 1, .int32), to: Self.format(48_000, 1, .float64))
        let back = try FormatConverter(from: Self.format(48_000, 1, .float64), to: Self.format(48_000, 1, .int32))
        let middle: [[Double]] = try convert([longs], there)
        #expect(try convert(middle, back, to: Int32.self) == [longs])
    }

    @Test func theBytesOfEachKindAreAsTheFormatSays() throws {
        let values: [Float] = [0.5, -1, 0.25, 2]
        func bytes(_ sample: SoundFormat.Sample) throws -> ([UInt8], Int64) {
            let converter = try FormatConverter(from: Self.format(48_000), to: Self.format(48_000, 1, sample), dither: .none)
            return (try convert([values], converter, to: UInt8.self)[0], converter.clippedSamples)
        }
        #expect(try bytes(.int16) == ([0, 0x40, 0, 0x80, 0, 0x20, 0xFF, 0x7F], 1))
        #expect(try bytes(.int24) == ([0, 0, 0x40, 0, 0, 0x80, 0, 0, 0x20, 0xFF, 0xFF, 0x7F], 1))
        #expect(try bytes(.int32) == ([0, 0, 0, 0x40, 0, 0, 0, 0x80, 0, 0, 0, 0x20, 0xFF, 0xFF, 0xFF, 0x7F], 1))
        #expect(try bytes(.fixed824) == ([0, 0, 0x80, 0, 0, 0, 0, 0xFF, 0, 0, 0x40, 0, 0, 0, 0, 2], 0))
        #expect(try bytes(.float32).0.count == 16 && bytes(.float64).0.count == 32)
    }

    @Test func ditherMakesTheErrorNoiseInsteadOfDistortion() throws {
        // A sine of three quarters of a step: without dither a row of steps, with it a sine in noise.
        let tone = sine(1_000, rate: 48_000, frames: 96_000, amplitude: 0.75 / 32_768)
        func made(_ dither: FormatConverter.Dither) throws -> [Float] {
            let converter = try FormatConverter(from: Self.format(48_000), to: Self.format(48_000, 1, .int16), dither: dither)
            return try convert([tone], converter, to: Int16.self)[0].map { Float($0) }
        }
        func harmonic(_ x: [Float], _ number: Double) -> Double {
            residue(x[...], 1_000 * number, rate: 48_000).amplitude
        }
        let plain = try made(.none), noisy = try made(.triangular)
        #expect(harmonic(plain, 3) > 0.2 && harmonic(noisy, 3) < 0.02)
        #expect(abs(harmonic(noisy, 1) - 0.75) < 0.02, "\(harmonic(noisy, 1))")
        // Its power does not follow the sound: a quarter of a squared step.
        let error = zip(noisy, tone).map { Double($0) - Double($1) * 32_768 }
        #expect(abs(error.reduce(0) { $0 + $1 * $1 } / 96_000 - 0.25) < 0.02)
        let silence = try FormatConverter(from: Self.format(48_000), to: Self.format(48_000, 1, .int16))
        #expect(try convert([[Float](repeating: 0, count: 99)], silence, to: Int16.self) == [[Int16](repeating: 0, count: 99)])
    }

    @Test func channelsGoWhereTheMixSays() throws {
        let planes: [[Float]] = [[1, 0.5], [-0.5, 0.25], [0.125, 0]]
        func mixed(_ mix: ChannelMix?, from: Int, to: Int) throws -> [[Float]] {
            try convert(
                Array(planes[..<from]), FormatConverter(from: Self.format(48_000, from), to: Self.format(48_000, to), mix: mix))
        }
        #expect(try mixed(nil, from: 2, to: 1) == [[0.25, 0.375]])
        #expect(try mixed(nil, from: 1, to: 2) == [planes[0], planes[0]])
        #expect(
            try mixed(ChannelMix(map: [2, nil, 0, 1], inputs: 3), from: 3, to: 4) == [planes[2], [0, 0], planes[0], planes[1]])
        #expect(try mixed(ChannelMix(gains: [[1, -1, 2]]), from: 3, to: 1) == [[1.75, 0.25]])
        #expect(throws: Fault.channels(from: 3, to: 2)) { _ = try mixed(nil, from: 3, to: 2) }
    }

    @Test func whatCannotBeConvertedIsRefused() throws {
        #expect(throws: Fault.format(Self.format(48_000, 0))) {
            _ = try FormatConverter(from: Self.format(48_000, 0), to: Self.format(48_000))
        }
        #expect(throws: Fault(SampleRateError.refused(from: 48_000, to: 0, reason: "out of range"))) {
            _ = try FormatConverter(from: Self.format(48_000), to: Self.format(0))
        }
        let converter = try FormatConverter(from: Self.format(48_000, 2), to: Self.format(48_000, 2))
        #expect(throws: Fault.planes(converter.input)) { _ = try converter.convert([[Float(1)]], to: Float.self) }
        #expect(throws: Fault.planes(converter.input)) {
            _ = try converter.convert([[UInt8(1)], [1]], to: Float.self)
        }
        // Numbers of another kind are not taken for samples.
        #expect(throws: Fault.planes(converter.input)) {
            _ = try converter.convert([[1.0, 2.0], [1.0, 2.0]], to: Float.self)
        }
        #expect(throws: Fault.planes(converter.output)) {
            _ = try converter.convert([[Float(1)], [1]], to: Int32.self)
        }
        let made: [[Float]] = try convert([[Float(1), .nan], [.infinity, 2]], converter)
        #expect(made == [[1, 0], [0, 2]] && converter.repairedSamples == 2)
        #expect(throws: Fault.finished) { _ = try converter.finish(Float.self) }
    }
}
