// [render]
import CRealtime

/// An estimate of how high the curve through the samples rises between them.
///
/// Eight times oversampling by a twelve-tap interpolator per phase (a sinc under a Kaiser window, beta 4). It is built
/// as annex 2 of ITU-R BS.1770-4 describes, with twice its rate: at four times, a sine of a quarter of the sample rate
/// may read 0.17 dB too low, here 0.03 dB.
public struct TruePeakEstimator: ~Copyable {
    /// Taps of the interpolator.
    @inlinable public static var taps: Int { @_noLocks @inline(__always) get { 12 } }
    /// Frames from a sample to its estimate.
    @inlinable public static var delay: Int { @_noLocks @inline(__always) get { 6 } }
    /// The most by which the estimate can exceed the greatest sample of the taps' span, with some room for rounding.
    public let overshoot: Float

    private static let phases = 8
    /// Seven phases between two samples.
    private let coefficients: UnsafeMutablePointer<Float>

    /// Designs the interpolator. Control side.
    public init() {
        coefficients = .allocate(capacity: (Self.phases - 1) * Self.taps)
        var most = 0.0
        for phase in 1..<Self.phases {
            var weights: [Double] = []
            for tap in 0..<Self.taps {
                let distance = Double(tap - (Self.taps / 2 - 1)) - Double(phase) / Double(Self.phases)
                let edge = distance / Double(Self.taps / 2)
                let sinc = DeterministicMath.sine(turns: distance / 2) / (Double.pi * distance)
                weights.append(sinc * KaiserWindow.bessel(4 * rt_sqrt_double(max(0, 1 - edge * edge))))
            }
            let sum = weights.reduce(0, +)
            for tap in 0..<Self.taps {
                (coefficients + (phase - 1) * Self.taps + tap).initialize(to: Float(weights[tap] / sum))
            }
            most = max(most, weights.reduce(0) { $0 + abs($1 / sum) })
        }
        overshoot = Float(most * 1.001)
    }

    deinit { coefficients.deallocate() }

    /// The factor by which the curve may be higher between two quarters, with some room. (A sine of half the sample rate is 1
    /// / cos 22.5 degrees = 1.082 times as high.)
    @inlinable public static var refinement: Float { @_noLocks @inline(__always) get { 1.1 } }

    /// The greatest magnitude of a sample.
    @_noLocks public static func samplePeak(_ x: UnsafePointer<Float>, _ count: Int) -> Float { rt_peak(x, count) }

    /// Raises `peaks[k]` to the greatest magnitude at the sample `delay` frames before frame k and at the three
    /// quarters of the way to the next. `x` starts `taps - 1` samples before frame 0.
    @_noLocks public func raiseToQuarters(
        _ peaks: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ count: Int
    ) {
        for k in 0..<count {
            let a = abs(x[k &+ 5])
            peaks[k] = a > peaks[k] ? a : peaks[k]
        }
        for phase in 0..<3 { raise(peaks, x, count, coefficients + (2 &* phase &+ 1) &* 12) }
    }

    /// Raises `peaks[k]` to the greatest magnitude at the four eighths of the way that lie between the quarters.
    @_noLocks public func raiseToEighths(
        _ peaks: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ count: Int
    ) {
        for phase in 0..<4 { raise(peaks, x, count, coefficients + 2 &* phase &* 12) }
    }

    @_noLocks private func raise(
        _ peaks: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ count: Int, _ h: UnsafeMutablePointer<Float>
    ) {
        let h0 = h[0], h1 = h[1], h2 = h[2], h3 = h[3], h4 = h[4], h5 = h[5]
        let h6 = h[6], h7 = h[7], h8 = h[8], h9 = h[9], h10 = h[10], h11 = h[11]
        for k in 0..<count {
            let near = h4 * x[k &+ 4] + h5 * x[k &+ 5] + (h6 * x[k &+ 6] + h7 * x[k &+ 7])
            let middle = h2 * x[k &+ 2] + h3 * x[k &+ 3] + (h8 * x[k &+ 8] + h9 * x[k &+ 9])
            let far = h0 * x[k] + h1 * x[k &+ 1] + (h10 * x[k &+ 10] + h11 * x[k &+ 11])
            let a = abs(near + middle + far)
            peaks[k] = a > peaks[k] ? a : peaks[k]
        }
    }
}
