import CKernels
import DSP
import Glibc

/// The K-weighting of ITU-R BS.1770-4 over all channels of a sound: a high shelf and a high-pass on each, and the mean energy of
/// what comes out, weighted by the channel's place.
///
/// The filters are those of libebur128, designed for any rate; a test proves the result against it. Two channels at a time share
/// the lanes of one kernel, so the energies have the same bits on every machine. Control side, one thread.
struct KWeighting: ~Copyable {
    /// Two channels that are weighed together, by their number; one alone is there twice.
    private struct Pair {
        let first: Int, second: Int
        let weights: (Double, Double)
        var state: (SIMD8<Double>, SIMD8<Double>) = (.zero, .zero)
    }

    /// 0 LUFS is the mean energy of 1 after this factor: -0.691 dB.
    private static let reference = pow(10, -0.0691)
    /// Below it a filter's memory is cleared: squares stay far from denormal numbers, which take a hundred times as long.
    private static let silence = 1e-100
    private var pairs: [Pair] = []
    /// b0, b1, b2, a1, a2: twice of the shelf, twice of the high-pass.
    private let coefficients: [Double]

    /// Low frequencies are left out, speakers between 60 and 120 degrees count 1.41 times. `sampleRate` in hertz.
    init(_ speakers: [Speaker], sampleRate: Int) {
        coefficients = Self.coefficients(sampleRate: Double(sampleRate))
        let hasSides = speakers.contains(.sideLeft)
        let heard = speakers.enumerated().compactMap { index, speaker -> (channel: Int, weight: Double)? in
            switch speaker {
            case .frontLeft, .frontRight, .centre: (index, 1)
            case .lowFrequency: nil
            case .rearLeft, .rearRight: (index, hasSides ? 1 : 1.41)
            case .sideLeft, .sideRight: (index, 1.41)
            }
        }
        for place in stride(from: 0, to: heard.count, by: 2) {
            let first = heard[place], second = place + 1 < heard.count ? heard[place + 1] : (first.channel, 0)
            pairs.append(Pair(first: first.channel, second: second.0, weights: (first.weight, second.1)))
        }
    }

    /// The mean energy of the next `frames` frames, one pointer per channel: 1 is 0 LUFS.
    mutating func energy(_ samples: [UnsafePointer<Float>], frames: Int) -> Double {
        var sum = 0.0
        for index in pairs.indices {
            let (first, second) = (samples[pairs[index].first], samples[pairs[index].second])
            var energies = (0.0, 0.0)
            withUnsafeMutableBytes(of: &pairs[index].state) { state in
                withUnsafeMutableBytes(of: &energies) { energies in
                    guard let state = state.baseAddress, let energies = energies.baseAddress else { return }
                    let numbers = state.assumingMemoryBound(to: Double.self)
                    kernel_weigh(
                        first, second, frames, coefficients, numbers, energies.assumingMemoryBound(to: Double.self))
                    for k in 0..<16 where abs(numbers[k]) < Self.silence { numbers[k] = 0 }
                }
            }
            sum += energies.0 * pairs[index].weights.0 + energies.1 * pairs[index].weights.1
        }
        return sum / Double(frames) * Self.reference
    }

    /// The filters of BS.1770-4, which gives coefficients for 48 kHz alone, for any rate, as libebur128 designs them.
    private static func coefficients(sampleRate: Double) -> [Double] {
        let high = Design(frequency: 1681.974450955533, q: 0.7071752369554196, sampleRate: sampleRate)
        let gain = pow(10, 3.999843853973347 / 20), middle = pow(gain, 0.4996667741545416)
        let (k, q) = (high.k, high.q)
        let shelf = [
            (gain + middle * k / q + k * k) / high.a0, 2 * (k * k - gain) / high.a0, (gain - middle * k / q + k * k) / high.a0,
            high.a1, high.a2,
        ]
        let low = Design(frequency: 38.13547087602444, q: 0.5003270373238773, sampleRate: sampleRate)
        return zip(shelf, [1, -2, 1, low.a1, low.a2]).flatMap { [$0, $0, $1, $1] }
    }

    private struct Design {
        let k: Double, q: Double, a0: Double, a1: Double, a2: Double

        init(frequency: Double, q: Double, sampleRate: Double) {
            let k = tan(Double.pi * frequency / sampleRate)
            (self.k, self.q, a0) = (k, q, 1 + k / q + k * k)
            (a1, a2) = (2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0)
        }
    }
}
