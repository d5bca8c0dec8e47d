import CKernels

@testable import Samplers

/// The kernels of voices.c in Swift, operation by operation: a gain grows in eight lanes there, so it does here.
enum SwiftKernels {
    typealias Reading = VoiceKernels.Reading

    /// The gain of sample `sample`: what its lane began with, and eight steps for each round of eight samples.
    private static func ramp(_ start: Float, _ step: Float, _ sample: Int) -> Float {
        var gain = start + Float(Int32(truncatingIfNeeded: sample & 7)) * step
        let round = step * 8
        for _ in 0..<(sample >> 3) { gain += round }
        return gain
    }

    private static func fraction(_ position: UInt64, _ isExact: Bool) -> Float {
        let bits = UInt32(truncatingIfNeeded: position)
        return isExact
            ? Float(Int32(truncatingIfNeeded: bits >> 8)) * 5.9604644775390625e-8
            : Float(Int32(truncatingIfNeeded: bits >> 24)) * 0.00390625
    }

    static func cubic(_ from: Reading, _ out: UnsafeMutablePointer<Float>, isExact: Bool) {
        var position = from.fraction
        for sample in 0..<64 {
            let at = Int(truncatingIfNeeded: position >> 32)
            let x = fraction(position, isExact)
            let y: Float
            if from.isFloat {
                let s = from.source.assumingMemoryBound(to: Float.self) + at
                let s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3]
                let a = s2 - s0, t = s1 - s2
                let c = t + t + t + (s3 - s0)
                let b = (s0 - s1) - t - c
                y = s1 + x * 0.5 * (a + x * (b + x * c))
            } else {
                let s = from.source.assumingMemoryBound(to: Int16.self) + at
                let s0 = Int32(s[0]), s1 = Int32(s[1]), s2 = Int32(s[2]), s3 = Int32(s[3])
                let a = s2 &- s0, t = s1 &- s2
                let c = t &+ t &+ t &+ (s3 &- s0)
                let b = (s0 &- s1) &- t &- c
                y = Float(s1) + x * 0.5 * (Float(a) + x * (Float(b) + x * Float(c)))
            }
            out[sample] = y * ramp(from.gain, from.step, sample)
            position &+= from.increment
        }
    }

    static func seven(
        _ from: Reading, _ out: UnsafeMutablePointer<Float>, _ table: UnsafePointer<Float>, isExact: Bool
    ) {
        var position = from.fraction
        for sample in 0..<64 {
            let at = Int(truncatingIfNeeded: position >> 32)
            let bits = UInt32(truncatingIfNeeded: position)
            let row = table + Int(bits >> 24) &* 8
            let rest = Float(Int32(truncatingIfNeeded: bits & 0xFF_FFFF)) * 5.9604644775390625e-8
            var products = InlineArray<8, Float>(repeating: 0)
            for point in 0..<8 {
                let weight = isExact ? row[point] + rest * (row[point &+ 8] - row[point]) : row[point]
                let value =
                    from.isFloat
                    ? from.source.assumingMemoryBound(to: Float.self)[at &+ point]
                    : Float(from.source.assumingMemoryBound(to: Int16.self)[at &+ point])
                products[point] = value * weight
            }
            let low = (products[0] + products[1]) + (products[2] + products[3])
            let high = (products[4] + products[5]) + (products[6] + products[7])
            out[sample] = (low + high) * ramp(from.gain, from.step, sample)
            position &+= from.increment
        }
    }

    static func sinc(
        _ from: Reading, _ out: UnsafeMutablePointer<Float>, _ table: UnsafePointer<Float>, points: Int, isExact: Bool
    ) {
        var position = from.fraction
        for sample in 0..<64 {
            let at = Int(truncatingIfNeeded: position >> 32)
            let bits = UInt32(truncatingIfNeeded: position) & (isExact ? 0xFFFF_FFFF : 0xFF00_0000)
            let row = table + Int(bits >> 25) &* points
            let rest = Float(Int32(truncatingIfNeeded: (bits & 0x1FF_FFFF) >> 1)) * 5.9604644775390625e-8
            var sums = InlineArray<8, Float>(repeating: 0)
            for point in 0..<points {
                let weight = row[point] + rest * (row[point &+ points] - row[point])
                let value =
                    from.isFloat
                    ? from.source.assumingMemoryBound(to: Float.self)[at &+ point]
                    : Float(from.source.assumingMemoryBound(to: Int16.self)[at &+ point])
                sums[point & 7] = point < 8 ? value * weight : sums[point & 7] + value * weight
            }
            let low = (sums[0] + sums[1]) + (sums[2] + sums[3]), high = (sums[4] + sums[5]) + (sums[6] + sums[7])
            out[sample] = (low + high) * ramp(from.gain, from.step, sample)
            position &+= from.increment
        }
    }

    /// One loop for both: a scale of 1 changes no bit.
    static func lowPass(
        _ lanes: UnsafeMutablePointer<Float>, _ state: UnsafeMutablePointer<Float>, isScaled: Bool
    ) {
        for lane in 0..<8 {
            var w1 = state[lane], w2 = state[8 &+ lane], d = state[16 &+ lane], c = state[24 &+ lane], s = state[32 &+ lane]
            let cStep = state[40 &+ lane], sStep = state[48 &+ lane], threshold = isScaled ? state[56 &+ lane] : .infinity
            var sum = w1 + w2
            let samples = lanes + lane &* VoiceKernels.row
            for sample in 0..<64 {
                d = c * d + (samples[sample] - s * w2)
                w2 = w1
                w1 = w1 + d
                let next = w1 + w2
                samples[sample] = s * (next + sum)
                let old = s
                c += cStep
                s += sStep
                let scale: Float = s > threshold ? old / s : 1
                w1 *= scale
                w2 *= scale
                d *= scale
                sum = next * scale
            }
            state[lane] = w1
            state[8 &+ lane] = w2
            state[16 &+ lane] = d
        }
    }

    static func send(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ gain: Float, _ step: Float
    ) {
        for sample in 0..<64 { to[sample] += from[sample] * ramp(gain, step, sample) }
    }
}
