import Glibc

/// Measurement of spectra for tests: one line, one frequency, or all bins.
public enum Spectrum {
    /// Returns a four-term Blackman-Harris window.
    public static func window(_ count: Int) -> [Double] {
        (0..<count).map { i in
            let x = 2 * Double.pi * (Double(i) + 0.5) / Double(count)
            return 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x)
        }
    }

    /// Returns the line at `frequency` periods per sample, under a window; a sine of amplitude 1 gives magnitude 1.
    public static func line(_ samples: [Double], frequency: Double) -> (real: Double, imaginary: Double) {
        let window = window(samples.count)
        var real = 0.0, imaginary = 0.0, weight = 0.0
        for i in samples.indices {
            let angle = -2 * Double.pi * (frequency * Double(i)).truncatingRemainder(dividingBy: 1)
            real += samples[i] * window[i] * cos(angle)
            imaginary += samples[i] * window[i] * sin(angle)
            weight += window[i]
        }
        return (2 * real / weight, 2 * imaginary / weight)
    }

    /// Returns the frequency of the fundamental near `guess`, in periods per sample, from how its phase advances: first over a
    /// short distance, then over longer ones.
    public static func frequency(_ samples: [Double], near guess: Double) -> Double {
        let length = min(samples.count / 3, max(Int(16 / guess), 1024))
        let first = line(Array(samples[0..<length]), frequency: guess)
        let start = atan2(first.imaginary, first.real) / (2 * .pi)
        var frequency = guess
        var distance = max(length / 8, 1)
        while true {
            let part = line(Array(samples[distance..<(distance + length)]), frequency: guess)
            let here = atan2(part.imaginary, part.real) / (2 * .pi)
            let expected = start + frequency * Double(distance)
            let error = here - expected
            frequency += (error - error.rounded()) / Double(distance)
            if distance == samples.count - length { return frequency }
            distance = min(distance * 4, samples.count - length)
        }
    }

    /// Magnitudes of bins 0...count / 2 of a signal whose count is a power of two (Cooley and Tukey, 1965).
    ///
    /// Precondition: there is a power of two of samples.
    public static func magnitudes(_ samples: [Double]) -> [Double] {
        let n = samples.count
        precondition(n & (n - 1) == 0)
        var real = samples, imaginary = [Double](repeating: 0, count: n)
        var j = 0
        for i in 1..<n {
            var bit = n >> 1
            while j & bit != 0 {
                j ^= bit
                bit >>= 1
            }
            j |= bit
            if i < j { real.swapAt(i, j) }
        }
        real.withUnsafeMutableBufferPointer { re in
            imaginary.withUnsafeMutableBufferPointer { im in
                var half = 1
                while half < n {
                    for k in 0..<half {
                        let angle = Double.pi * Double(k) / Double(half)
                        let c = cos(angle), s = -sin(angle)
                        var a = k
                        while a < n {
                            let b = a + half
                            let x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c
                            re[b] = re[a] - x
                            im[b] = im[a] - y
                            re[a] += x
                            im[a] += y
                            a += half * 2
                        }
                    }
                    half *= 2
                }
            }
        }
        return (0...(n / 2)).map { bin -> Double in
            let x = real[bin], y = imaginary[bin]
            return (x * x + y * y).squareRoot() * 2 / Double(n)
        }
    }
}
