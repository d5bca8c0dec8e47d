import CKernels
import DSP
import Testing

/// The kernels of convolution give the bits that plain Swift gives, number by number in the same order.
@Suite struct ConvolutionKernelTests {
    private struct Complex {
        var re: Float = 0, im: Float = 0
        static func + (a: Complex, b: Complex) -> Complex { Complex(re: a.re + b.re, im: a.im + b.im) }
        static func - (a: Complex, b: Complex) -> Complex { Complex(re: a.re - b.re, im: a.im - b.im) }
        /// A quarter turn back.
        var turned: Complex { Complex(re: im, im: -re) }
        func turned(_ c: Float, _ s: Float) -> Complex { Complex(re: re * c - im * s, im: re * s + im * c) }
    }

    /// Eight at once, as the kernel's stage.
    private func eight(_ x: [Complex]) -> [Complex] {
        let s = (0..<4).map { x[$0] + x[$0 + 4] }, d = (0..<4).map { x[$0] - x[$0 + 4] }
        let a = s[0] + s[2], b = s[0] - s[2], c = s[1] + s[3], e = s[1] - s[3], half: Float = 0.70710678118654752
        let p1 = Complex(re: (d[1].re + d[1].im) * half, im: (d[1].im - d[1].re) * half)
        let p3 = Complex(re: (d[3].im - d[3].re) * half, im: (d[3].re + d[3].im) * -half)
        let g = d[0] + d[2].turned, h = d[0] - d[2].turned, u = p1 + p3, v = p1 - p3
        return [a + c, g + u, b + e.turned, h + v.turned, a - c, g - u, b - e.turned, h - v.turned]
    }

    private struct Tables {
        var twist: [Float], turns: [Float]
        init(_ size: Int) {
            twist = (0..<2 * size).map { n in
                let angle = Double(n % size) / Double(4 * size)
                return Float(n < size ? DeterministicMath.cosine(turns: angle) : DeterministicMath.sine(turns: angle))
            }
            turns = []
            var length = size
            while length >= 64 {
                for row in 1..<8 {
                    for isSine in [false, true] {
                        turns += (0..<length / 8).map { k in
                            let angle = -Double(k * row) / Double(length)
                            return Float(isSine ? DeterministicMath.sine(turns: angle) : DeterministicMath.cosine(turns: angle))
                        }
                    }
                }
                length /= 8
            }
        }
    }

    private func spectrum(_ x: [Float], _ tables: Tables) -> [Complex] {
        let size = x.count
        var z = (0..<size).map { Complex(re: x[$0] * tables.twist[$0], im: x[$0] * tables.twist[size + $0]) }
        var length = size, place = 0
        while length >= 64 {
            let part = length / 8
            for start in stride(from: 0, to: size, by: length) {
                for j in 0..<part {
                    let y = eight((0..<8).map { z[start + j + $0 * part] })
                    z[start + j] = y[0]
                    for k in 1..<8 {
                        let c = tables.turns[place + (2 * k - 2) * part + j], s = tables.turns[place + (2 * k - 1) * part + j]
                        z[start + j + k * part] = y[k].turned(c, s)
                    }
                }
            }
            place += 14 * part
            length = part
        }
        // The last eights lie side by side, and stay transposed.
        for start in stride(from: 0, to: size, by: 64) {
            let block = (0..<8).map { row in eight((0..<8).map { z[start + 8 * row + $0] }) }
            for k in 0..<8 { for row in 0..<8 { z[start + 8 * k + row] = block[row][k] } }
        }
        return z
    }

    private func noise(_ count: Int, _ seed: UInt64, _ scale: Float = 1) -> [Float] {
        let noise = CounterNoise(seed: seed)
        return (0..<count).map { Float(noise.pair(at: Int64($0)).left) * scale }
    }

    @Test(arguments: [64, 512, 4_096], [1, 1e30, 1e-30, 0x1p-136] as [Float])
    func aSpectrumHasTheBitsOfPlainSwift(size: Int, scale: Float) {
        let x = noise(size, 1, scale), tables = Tables(size)
        var re = [Float](repeating: 0, count: size), im = re
        kernel_spectrum(x, &re, &im, size, tables.twist, tables.turns)
        let wanted = spectrum(x, tables)
        #expect(
            wanted.indices.allSatisfy {
                wanted[$0].re.bitPattern == re[$0].bitPattern && wanted[$0].im.bitPattern == im[$0].bitPattern
            })
    }

    @Test(arguments: [3, 2, 0]) func productsHaveTheBitsOfPlainSwift(taken: Int) {
        let size = 64, count = 3, newest = 1
        let history = noise(2 * size * count, 2), responses = noise(2 * size * count, 3), before = noise(2 * size, 4)
        var sum = before
        kernel_gather(&sum, 8, 48, size, history, newest, responses, count, taken)
        for k in 0..<size {
            var re = before[k], im = before[size + k]
            if (8..<48).contains(k) {
                for p in 0..<taken {
                    let x = (newest - p + count) % count * 2 * size + k, h = p * 2 * size + k
                    re += history[x] * responses[h] - history[x + size] * responses[h + size]
                    im += history[x] * responses[h + size] + history[x + size] * responses[h]
                }
            }
            #expect(re.bitPattern == sum[k].bitPattern && im.bitPattern == sum[size + k].bitPattern, "place \(k)")
        }
    }
}
