// [render]
import RealtimeCore

/// The discrete Fourier transform of real samples: how much of every frequency is in them.
///
/// An FFT of radix 2 over half as many complex numbers, the even samples and the odd ones, taken apart again at the end.
/// Double precision and four operations only, so that the bits are the same on every machine. For what is looked at some
/// times a second; what folds sounds into each other wants another order and other lanes.
/// Source: J. W. Cooley, J. W. Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series" (1965).
public struct RealTransform: ~Copyable {
    /// Samples of a block: a power of two.
    public let size: Int
    /// Lines of a spectrum, from 0 to half the sample rate.
    public var lines: Int { size / 2 + 1 }
    private var owned = OwnedMemory()
    private let cosines: UnsafeMutablePointer<Double>, sines: UnsafeMutablePointer<Double>
    private let real: UnsafeMutablePointer<Double>, imaginary: UnsafeMutablePointer<Double>

    /// Creates a transform of `size` samples, 4 and up. Control side.
    ///
    /// Precondition: `size` is a power of two, 4 or more.
    public init(size: Int) {
        precondition(size >= 4 && size & (size - 1) == 0, "a transform has a power of two of samples")
        self.size = size
        cosines = owned.room(for: size / 2)
        sines = owned.room(for: size / 2)
        for k in 0..<size / 2 {
            cosines[k] = DeterministicMath.cosine(turns: Double(k) / Double(size))
            sines[k] = -DeterministicMath.sine(turns: Double(k) / Double(size))
        }
        real = owned.make(size / 2, of: 0)
        imaginary = owned.make(size / 2, of: 0)
    }

    /// Puts the magnitudes of the `lines` lines of `size` samples into `to`: a sine of amplitude 1 with a whole number of
    /// periods has one of `size` / 2.
    @_noLocks public func magnitudes(_ samples: UnsafePointer<Double>, _ to: UnsafeMutablePointer<Double>) {
        let half = size / 2
        transform(samples)
        for k in 0...half {
            let line = line(k)
            to[k] = DeterministicMath.squareRoot(line.real * line.real + line.imaginary * line.imaginary)
        }
    }

    @_noLocks private func line(_ k: Int) -> (real: Double, imaginary: Double) {
        let half = size / 2, here = k & (half &- 1), there = (half &- k) & (half &- 1)
        let evenReal = 0.5 * (real[here] + real[there]), evenImaginary = 0.5 * (imaginary[here] - imaginary[there])
        let oddReal = 0.5 * (imaginary[here] + imaginary[there]), oddImaginary = -0.5 * (real[here] - real[there])
        let cosine = k == half ? -1 : cosines[k], sine = k == half ? 0 : sines[k]
        return (evenReal + oddReal * cosine - oddImaginary * sine, evenImaginary + oddReal * sine + oddImaginary * cosine)
    }

    @_noLocks private func transform(_ samples: UnsafePointer<Double>) {
        let half = size / 2, bits = half.trailingZeroBitCount
        for i in 0..<half {
            var from = 0
            for bit in 0..<bits where i & (1 << bit) != 0 { from |= half >> (bit &+ 1) }
            real[i] = samples[2 &* from]
            imaginary[i] = samples[2 &* from &+ 1]
        }
        var length = 1
        while length < half {
            let step = half / length
            for start in stride(from: 0, to: half, by: 2 &* length) {
                for k in 0..<length {
                    let cosine = cosines[k &* step], sine = sines[k &* step]
                    let low = start &+ k, high = low &+ length
                    let partReal = real[high] * cosine - imaginary[high] * sine
                    let partImaginary = real[high] * sine + imaginary[high] * cosine
                    real[high] = real[low] - partReal
                    imaginary[high] = imaginary[low] - partImaginary
                    real[low] += partReal
                    imaginary[low] += partImaginary
                }
            }
            length &*= 2
        }
    }
}
