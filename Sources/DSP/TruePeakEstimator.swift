// [render]
import CKernels
import CRealtime

/// An estimate of how high the curve through the samples rises between them.
///
/// Eight times oversampling by sincs under Kaiser windows of beta 4, built as annex 2 of ITU-R BS.1770-4 describes, with twice its
/// rate: at four times, a sine of a quarter of the sample rate may read 0.17 dB too low, here 0.03 dB. Meters differ in the
/// length of theirs, by 1.6 dB on white noise and by half of one where noise begins; so there are two, of 24 taps and of twelve
/// in their middle, and the higher one counts.
public struct TruePeakEstimator: ~Copyable {
    /// Taps of the interpolator.
    @inlinable public static var taps: Int { @_noLocks @inline(__always) get { 24 } }
    /// Frames from a sample to its estimate.
    @inlinable public static var delay: Int { @_noLocks @inline(__always) get { 12 } }
    /// Frames from a sample to what the shorter interpolator alone says of it.
    @inlinable public static var shortDelay: Int { @_noLocks @inline(__always) get { 6 } }
    /// The most by which the estimate can exceed the greatest sample of the taps' span, with some room for rounding.
    public let overshoot: Float
    /// The part of the greatest step between two samples of that span by which the estimate can exceed the straight line through
    /// them, with some room for rounding. What is left of an interpolator without that line adds up to nothing, so it is a sum of steps.
    public let lift: Float

    private static let phases = 8
    private static let shortTaps = 12
    /// Seven phases between two samples: the weights of the long interpolator, then those of the short one.
    private let coefficients: UnsafeMutablePointer<Float>
    private static var row: Int { @_noLocks @inline(__always) get { 36 } }

    /// Designs the interpolators. Control side.
    public init() {
        coefficients = .allocate(capacity: (Self.phases - 1) * Self.row)
        var most = 0.0, steps = 0.0
        for phase in 1..<Self.phases {
            let row = coefficients + (phase - 1) * Self.row
            for (taps, place) in [(Self.taps, row), (Self.shortTaps, row + Self.taps)] {
                let weights = Self.weights(taps, phase: phase)
                for (tap, weight) in weights.enumerated() { (place + tap).initialize(to: Float(weight)) }
                most = max(most, weights.reduce(0) { $0 + abs($1) })
                var sum = 0.0, left = 0.0
                for (tap, weight) in weights.enumerated() {
                    let part = Double(phase) / Double(Self.phases)
                    sum += weight - (tap == taps / 2 - 1 ? 1 - part : tap == taps / 2 ? part : 0)
                    left += abs(sum)
                }
                steps = max(steps, left)
            }
        }
        overshoot = Float(most * 1.001)
        lift = Float(steps * 1.001)
    }

    private static func weights(_ taps: Int, phase: Int) -> [Double] {
        let weights = (0..<taps).map { tap -> Double in
            let distance = Double(tap - (taps / 2 - 1)) - Double(phase) / Double(phases)
            let edge = distance / Double(taps / 2)
            let sinc = DeterministicMath.sine(turns: distance / 2) / (Double.pi * distance)
            return sinc * KaiserWindow.bessel(4 * rt_sqrt_double(max(0, 1 - edge * edge)))
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    deinit { coefficients.deallocate() }

    /// The factor by which the curve may be higher between two quarters, with some room. (A sine of half the sample rate is 1
    /// / cos 22.5 degrees = 1.082 times as high.)
    @inlinable public static var refinement: Float { @_noLocks @inline(__always) get { 1.1 } }

    /// Returns the greatest magnitude of a sample.
    @_noLocks public static func samplePeak(_ x: UnsafePointer<Float>, _ count: Int) -> Float { rt_peak(x, count) }

    /// Returns the most that the estimates can be between the first and the last of `count` samples: as high as the highest of
    /// them, or as high as their greatest step can lift the curve.
    @_noLocks public func bound(_ x: UnsafePointer<Float>, _ count: Int, peak: Float) -> Float {
        let high = peak * overshoot, steep = peak * 1.0001 + kernel_steepest(x, count) * lift
        return high < steep ? high : steep
    }

    /// Raises `peaks[k]` to the greatest magnitude at the sample `delay` frames before frame k and at the three
    /// quarters of the way to the next. `x` starts `taps - 1` samples before frame 0.
    @_noLocks public func raiseToQuarters(
        _ peaks: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ count: Int
    ) {
        let samples = x + (Self.taps &- 1 &- Self.delay)
        for k in 0..<count {
            let a = abs(samples[k])
            peaks[k] = a > peaks[k] ? a : peaks[k]
        }
        for phase in 0..<3 { kernel_true_peaks(peaks, x, count, coefficients + (2 &* phase &+ 1) &* Self.row) }
    }

    /// Raises `peaks[k]` to the greatest magnitude at the four eighths of the way that lie between the quarters.
    @_noLocks public func raiseToEighths(
        _ peaks: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ count: Int
    ) {
        for phase in 0..<4 { kernel_true_peaks(peaks, x, count, coefficients + 2 &* phase &* Self.row) }
    }
}
