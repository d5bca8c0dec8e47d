import DSP
import Synchronization

/// The tables of `ControlCurves`, made once for each sample rate of a process. Control side; never changed.
final class ControlTables: @unchecked Sendable {
    let octave = UnsafeMutablePointer<Double>.allocate(capacity: 1_202)
    let gains = UnsafeMutablePointer<Double>.allocate(capacity: 1_442)
    let concaves = UnsafeMutablePointer<Double>.allocate(capacity: 128)
    let convexes = UnsafeMutablePointer<Double>.allocate(capacity: 128)
    let pans = UnsafeMutablePointer<Double>.allocate(capacity: 1_002)
    let cutoffs = UnsafeMutablePointer<SIMD2<Float>>.allocate(capacity: 12_001)
    let sevenths = UnsafeMutablePointer<Float>.allocate(capacity: 257 * 8)

    private static let made = Mutex<[Double: ControlTables]>([:])

    /// The tables for a rate. They stay for the life of the process: a hundred kilobytes for each rate that is used.
    static func tables(sampleRate: Double) -> ControlTables {
        made.withLock { made in
            if let known = made[sampleRate] { return known }
            let tables = ControlTables(sampleRate)
            made[sampleRate] = tables
            return tables
        }
    }

    private init(_ sampleRate: Double) {
        for cents in 0..<1_202 { (octave + cents).initialize(to: 6.875 * DeterministicMath.exp2(Double(cents) / 1_200)) }
        for centibels in 0..<1_442 {
            (gains + centibels).initialize(to: DeterministicMath.power(10, Double(centibels) / -200))
        }
        makeCurves()
        for step in 0..<1_002 { (pans + step).initialize(to: DeterministicMath.sine(turns: Double(step) / 4 / 1_001)) }
        makeCutoffs(sampleRate)
        makeSevenths()
    }

    /// 96 dB over 127 steps.
    private func makeCurves() {
        for value in 0..<128 {
            (convexes + value).initialize(to: value == 127 ? 1 : 0)
            (concaves + value).initialize(to: value == 127 ? 1 : 0)
        }
        for value in 1..<127 {
            let log10 = DeterministicMath.log2(Double(value) / 127) * 0.30102999566398120
            let fall = (-200.0 * 2 / 960) * log10
            convexes[value] = 1 - fall
            concaves[127 - value] = fall
        }
    }

    /// Above 0.45 of the rate a cutoff stays there.
    private func makeCutoffs(_ sampleRate: Double) {
        for index in 0...12_000 {
            let cents = index + 1_800
            let hertz = octave[cents % 1_200] * Double(1 << (cents / 1_200))
            let turns = min(hertz, 0.45 * sampleRate) / sampleRate
            let half = DeterministicMath.sine(turns: turns / 2)
            (cutoffs + index).initialize(to: SIMD2(Float(2 * half * half), Float(DeterministicMath.sine(turns: turns))))
        }
    }

    /// A sinc under a raised cosine, seven points wide. Row 256 is the first one, a frame on.
    private func makeSevenths() {
        sevenths.initialize(repeating: 0, count: 257 * 8)
        for point in 0..<7 {
            for row in 0...256 {
                let x = Double(point) - 3 - Double(row) / 256
                let window = 0.5 * (1 + DeterministicMath.cosine(turns: min(max(x / 7, -0.5), 0.5)))
                let sinc =
                    abs(x) > 1e-6
                    ? DeterministicMath.sine(turns: x / 2) / (3.141592653589793 * x) : 1
                sevenths[row * 8 + point] = Float(sinc * window)
            }
        }
    }
}
