import CRealtime

/// The difference between a band-limited step from 0 to 1 and a plain one, as a table: add it where a waveform jumps, and the
/// jump makes no alias.
///
/// ```
///  plain step        ______          band-limited     _/\/\____        table = the second minus the first:
///                   |                                /                 from -1 back to 0 within 64 frames,
///              _____|                     ____/\/\__/                  so the heard step lags by 32 frames
/// ```
///
/// The step is the running integral of a sinc under a Kaiser window, 64 frames long, with its cutoff such that the stop
/// band begins at half the sample rate: 98 dB down from there on, flat to 0.4 of the sample rate. Sources: E. Brandt,
/// "Hard Sync Without Aliasing", ICMC 2001 (the residual table); J. Kaiser, "Nonrecursive Digital Filter Design Using
/// the I0-sinh Window Function", 1974.
public enum BandLimitedStep {
    /// Frames that one step lasts.
    @inlinable public static var taps: Int { @_noLocks @inline(__always) get { 64 } }
    /// Fractions of a frame that have a row of their own; between two rows the value is interpolated.
    @inlinable public static var phases: Int { @_noLocks @inline(__always) get { 256 } }

    /// `phases` + 1 rows of `taps` values; row p belongs to a jump that happened p / `phases` frames before the first.
    ///
    /// It is made on first use, in the `init` of an instrument, never while rendering, and never freed.
    package nonisolated(unsafe) static let rows: UnsafePointer<Float> = makeRows()

    private static func makeRows() -> UnsafePointer<Float> {
        let taps = Self.taps, phases = Self.phases, points = taps * phases
        var kernel = [Double](repeating: 0, count: points + 3)    // one point beyond either end, for the slope
        for point in 0...points { kernel[point + 1] = Self.kernel(Double(point) / Double(phases) - Double(taps) / 2) }
        // Trapezoids with the first correction of Euler and Maclaurin: the error is far below that of Float.
        var step = [Double](repeating: 0, count: points + 1)
        var area = 0.0
        for point in 0...points {
            if point > 0 { area += (kernel[point] + kernel[point + 1]) / 2 }
            step[point] = area - (kernel[point + 2] - kernel[point]) / 24
        }
        let whole = step[points], start = step[0]
        let table = UnsafeMutablePointer<Float>.allocate(capacity: (phases + 1) * taps)
        for phase in 0...phases {
            for tap in 0..<taps {
                let height = (step[tap * phases + phase] - start) / (whole - start)
                (table + phase * taps + tap).initialize(to: Float(height - 1))
            }
        }
        return UnsafePointer(table)
    }

    /// The low-pass kernel at `time` frames from its middle, scaled at will.
    private static func kernel(_ time: Double) -> Double {
        let cutoff = 0.45, beta = 9.841, half = Double(taps) / 2
        let x = time / half
        let window = bessel(beta * rt_sqrt_double(max(1 - x * x, 0)))
        return time == 0
            ? 2 * cutoff * window
            : DeterministicMath.sine(turns: cutoff * time) / (3.141592653589793 * time) * window
    }

    /// The modified Bessel function of the first kind, order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        let quarter = x * x / 4
        var term = 1.0, sum = 1.0, n = 1.0
        while term > sum * 1e-17 {
            term *= quarter / (n * n)
            sum += term
            n += 1
        }
        return sum
    }
}
