import DSP
import Testing

@Suite struct SincInterpolatorTests {
    static let rates = [0.25, 0.5, 0.707, 0.99, 1, 1.01, 1.5, 2.7, 4]

    /// A sine of `f` of the sample rate, and zeros around it as far as an interpolator looks.
    private static func tone(_ f: Double, frames: Int) -> [Float] {
        let around = [Float](repeating: 0, count: SincInterpolator.margin)
        return around + (0..<frames).map { Float(DeterministicMath.sine(turns: Double($0) * f)) } + around
    }

    /// The sound at `positions`, counted behind the zeros.
    private static func read(_ sound: [Float], _ positions: [(at: Double, rate: Double)]) -> [Float] {
        var interpolator = SincInterpolator()
        return sound.withUnsafeBufferPointer { sound in
            positions.map { position in
                let frame = position.at.rounded(.down)
                interpolator.aim(fraction: position.at - frame, rate: position.rate)
                return interpolator.sample(sound.baseAddress! + (SincInterpolator.margin + Int(frame)))
            }
        }
    }

    /// Positions `rate` apart that see no end of a sound of `frames`.
    private static func walk(_ rate: Double, frames: Int) -> [(at: Double, rate: Double)] {
        stride(from: 200.37, to: Double(frames) - 200, by: rate).map { ($0, rate) }
    }

    /// Decibels of the root of the mean square against a sine's.
    private static func level(_ x: some Sequence<Double>) -> Double {
        var sum = 0.0, count = 0.0
        for value in x { (sum, count) = (sum + value * value, count + 1) }
        return 10 * DeterministicMath.log2(max(sum / count * 2, 1e-30)) / DeterministicMath.log2(10)
    }

    @Test(arguments: rates) func aSineStaysASineWithNothingBesideIt(rate: Double) {
        let frames = 2_400, positions = Self.walk(rate, frames: frames)
        for share in [0.001, 0.021, 0.1, 0.25, 0.3333, 0.4, 0.43] {
            let f = share / max(rate, 1), heard = Self.read(Self.tone(f, frames: frames), positions)
            let error = Self.level(
                zip(heard, positions).map { heard, position in
                    Double(heard) - DeterministicMath.sine(turns: position.at * f)
                })
            #expect(error < -100, "\(f) of the rate: \(error) dB")
        }
    }

    @Test(arguments: [1.01, 1.5, 2, 2.7, 4]) func whatIsTooHighForTheRateIsNotHeard(rate: Double) {
        let frames = 2_400, positions = Self.walk(rate, frames: frames)
        // It would fold back to below 0.464 of the rate.
        for f in stride(from: 0.536 / rate, to: 0.5, by: 0.0173) {
            let heard = Self.level(Self.read(Self.tone(f, frames: frames), positions).map(Double.init))
            #expect(heard < -100, "\(f) of the rate: \(heard) dB")
        }
    }

    @Test func atRateOneAFrameIsItself() {
        var state: UInt64 = 7
        let sound = (0..<1_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
        let heard = Self.read(sound, (0..<500).map { (Double($0), 1) })
        #expect(heard == Array(sound[SincInterpolator.margin..<SincInterpolator.margin + 500]))
    }

    @Test func aRateThatGlidesBendsTheSineAndAddsNothing() {
        var at = 200.0, positions: [(at: Double, rate: Double)] = []
        for k in 0..<2_000 {
            let rate = DeterministicMath.exp2(-2 + Double(k) / 500)
            positions.append((at, rate))
            at += rate
        }
        let frames = Int(at) + 200, f = 0.1, heard = Self.read(Self.tone(f, frames: frames), positions)
        let error = Self.level(
            zip(heard, positions).map { heard, position in
                Double(heard) - DeterministicMath.sine(turns: position.at * f)
            })
        #expect(error < -100, "\(error) dB")
    }

    @Test func itReadsNoFartherThanItsReach() {
        for rate in Self.rates {
            #expect(SincInterpolator.reach(rate) <= SincInterpolator.margin)
            #expect(SincInterpolator.reach(rate) >= Int(48 * max(rate, 1)))
        }
        #expect(SincInterpolator.reach(9) == SincInterpolator.margin)
    }
}
