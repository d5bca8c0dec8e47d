import DSP

/// Brings impulse responses from one rate to another: a sinc under a Hann window of 32 samples, in double precision.
///
/// Of arithmetic that is the same on every machine, and the same for every response, so its weights are worked out once.
struct ResponseResampler {
    let length: Int
    private let isSame: Bool
    /// The first sample that each of those that come out is made of, and the weights of 32.
    private var firsts: [Int] = []
    private var weights: [Double] = []
    private static let width = 32

    init(length: Int, from: Double, to: Double) {
        isSame = from == to
        self.length = isSame ? length : Int((Double(length) * to / from).rounded(.up))
        if isSame { return }
        // Downwards the sinc is lower and wider by the ratio; the sum of a response, its gain at 0 Hz, stays as it is.
        let step = from / to, cutoff = min(1, to / from), half = Double(Self.width / 2)
        for n in 0..<self.length {
            let place = Double(n) * step, first = Int(DeterministicMath.floor(place)) - Self.width / 2 + 1
            firsts.append(first)
            for k in 0..<Self.width {
                let x = place - Double(first + k)
                let sinc = x == 0 ? 1 : DeterministicMath.sine(turns: x * cutoff / 2) / (.pi * x * cutoff)
                let window = abs(x) < half ? 0.5 + 0.5 * DeterministicMath.cosine(turns: x / half / 2) : 0
                weights.append(sinc * window * cutoff * step)
            }
        }
    }

    func resampled(_ x: ArraySlice<Float>) -> [Float] {
        if isSame { return Array(x) }
        var result = [Float](repeating: 0, count: length)
        x.withUnsafeBufferPointer { x in
            weights.withUnsafeBufferPointer { weights in
                for n in 0..<length {
                    let first = firsts[n], row = n &* Self.width
                    var sum = 0.0
                    for k in max(-first, 0)..<max(min(Self.width, x.count - first), max(-first, 0)) {
                        sum += Double(x[first &+ k]) * weights[row &+ k]
                    }
                    result[n] = Float(sum)
                }
            }
        }
        return result
    }
}
