/// A half spectrum of a real loop, turned into frames by the inverse fast Fourier transform (Cooley and Tukey, radix
/// 2).
public struct Spectrum {
    private var real: [Double]
    private var imaginary: [Double]

    /// A silent spectrum of a loop of `count` frames, a power of two.
    public init(count: Int) {
        real = [Double](repeating: 0, count: count)
        imaginary = real
    }

    /// Adds a line of `level` and `phase` (turns) that fits `line` times into the loop.
    public mutating func add(line: Int, level: Double, phase: Double) {
        guard line > 0, 2 * line < real.count else { return }
        real[line] += level * ExactMath.cosine(turns: phase)
        imaginary[line] += level * ExactMath.sine(turns: phase)
    }

    /// Adds a band around `centre` (in lines, fractional) with a bell of `width` lines and random phases.
    ///
    /// Source: Paul Nasca, the PADsynth algorithm: an ensemble is a partial smeared over neighbouring frequencies.
    public mutating func addBand(centre: Double, width: Double, level: Double, noise: inout NoiseSource) {
        let first = max(1, Int(centre - 3 * width))
        let last = min(real.count / 2 - 1, Int(centre + 3 * width) + 1)
        guard first <= last else { return }
        let scale = level / max(1, width).squareRoot()
        // The random levels mirror around the centre, so that chance does not pull the pitch.
        let middle = Int(centre.rounded())
        let lumps = (0...max(middle - first, last - middle, 0)).map { _ in 0.5 + noise.uniform() }
        for line in first...last {
            let x = (Double(line) - centre) / max(width, 0.25)
            let amount = scale * ExactMath.exponential(-x * x) * lumps[abs(line - middle)]
            add(line: line, level: amount, phase: noise.uniform())
        }
    }

    /// The frames of one turn of the loop.
    public func frames() -> [Double] {
        var re = real
        var im = imaginary
        let n = re.count
        var j = 0
        for i in 1..<n {
            var bit = n >> 1
            while j & bit != 0 {
                j ^= bit
                bit >>= 1
            }
            j |= bit
            if i < j {
                re.swapAt(i, j)
                im.swapAt(i, j)
            }
        }
        let cosines = (0..<n / 2).map { ExactMath.cosine(turns: Double($0) / Double(n)) }
        let sines = (0..<n / 2).map { ExactMath.sine(turns: Double($0) / Double(n)) }
        re.withUnsafeMutableBufferPointer { re in
            im.withUnsafeMutableBufferPointer { im in
                var size = 2
                while size <= n {
                    let half = size / 2
                    let stride = n / size
                    var base = 0
                    while base < n {
                        var k = 0
                        while k < half {
                            let c = cosines[k * stride]
                            let s = sines[k * stride]
                            let a = base + k
                            let b = a + half
                            let x = re[b] * c - im[b] * s
                            let y = re[b] * s + im[b] * c
                            re[b] = re[a] - x
                            im[b] = im[a] - y
                            re[a] += x
                            im[a] += y
                            k += 1
                        }
                        base += size
                    }
                    size *= 2
                }
            }
        }
        return re
    }
}
