import CKernels
// [render]
import DSP

/// A Fourier transform whose products are convolutions: the spectrum of a block times that of another is the spectrum of
/// both folded into each other, whole and without a wrap.
///
/// A block of `size` samples becomes `size` complex numbers: each sample is turned by its share of a quarter circle, which
/// puts the second half of a product into the imaginary parts (a right-angle convolution), so that no zeros are
/// appended. The transform takes eight at a time and leaves its numbers in an order of their own, in which only products
/// are made. Sizes are powers of eight from 64 on. The same bits on every machine.
/// Source: R. Crandall, B. Fagin, "Discrete Weighted Transforms and Large-Integer Arithmetic", Math. Comp. 62 (1994).
package struct ConvolutionTransform: ~Copyable {
    /// Samples of a block.
    package let size: Int
    /// Cosines and sines of the turns before the transform, and of those in its stages.
    private let twist: UnsafeMutablePointer<Float>, turns: UnsafeMutablePointer<Float>

    /// Creates a transform of blocks of `size`: 64, 512, 4096 and so on. Control side.
    ///
    /// Precondition: `size` is a power of eight, 64 or more.
    package init(size: Int) {
        precondition(size >= 64 && size & (size - 1) == 0 && size.trailingZeroBitCount % 3 == 0, "a power of eight from 64 on")
        self.size = size
        twist = Self.memory(2 * size)
        for k in 0..<size {
            let angle = Double(k) / Double(4 * size)
            twist[k] = Float(DeterministicMath.cosine(turns: angle))
            twist[size + k] = Float(DeterministicMath.sine(turns: angle))
        }
        turns = Self.memory(2 * size)
        var place = 0, length = size
        while length >= 64 {
            let part = length / 8
            for row in 1..<8 {
                for k in 0..<part {
                    let angle = -Double(k * row) / Double(length)
                    turns[place + k] = Float(DeterministicMath.cosine(turns: angle))
                    turns[place + part + k] = Float(DeterministicMath.sine(turns: angle))
                }
                place += 2 * part
            }
            length = part
        }
    }

    deinit {
        UnsafeMutableRawPointer(twist).deallocate()
        UnsafeMutableRawPointer(turns).deallocate()
    }

    /// Zeros, where no eight of them lie in two lines of the cache.
    static func memory(_ count: Int) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer.allocate(byteCount: 4 * max(count, 1), alignment: 64)
            .initializeMemory(as: Float.self, repeating: 0, count: max(count, 1))
    }

    /// Makes a spectrum, `size` real parts and as many imaginary ones, of `size` samples.
    @_noLocks package func spectrum(_ sound: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>) {
        kernel_spectrum(sound, to, to + size, size, twist, turns)
    }

    /// Makes sound of a product of two spectra, which is lost: `size` times the first half of the result, with `after` added;
    /// the second half is then in `after`.
    @_noLocks package func sound(
        _ product: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>, after: UnsafeMutablePointer<Float>
    ) {
        kernel_sound(product, product + size, to, after, size, twist, turns)
    }
}
