/// A second-order filter. Source: Robert Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients".
public struct Biquad {
    private let b0: Double, b1: Double, b2: Double, a1: Double, a2: Double

    /// The response of a filter.
    public enum Shape { case lowpass, highpass, bandpass }

    /// `frequency` in hertz is held below 0.49 of `rate`; `q` 0.5 is flat and wide, above 5 it rings.
    public init(_ shape: Shape, frequency: Double, q: Double, rate: Double) {
        let turns = min(frequency / rate, 0.49)
        let cosine = ExactMath.cosine(turns: turns)
        let alpha = ExactMath.sine(turns: turns) / (2 * q)
        let a0 = 1 + alpha
        switch shape {
        case .lowpass:
            b1 = (1 - cosine) / a0
            b0 = b1 / 2
            b2 = b0
        case .highpass:
            b1 = -(1 + cosine) / a0
            b0 = -b1 / 2
            b2 = b0
        case .bandpass:
            b0 = alpha / a0
            b1 = 0
            b2 = -b0
        }
        a1 = -2 * cosine / a0
        a2 = (1 - alpha) / a0
    }

    /// Filters `frames` from a silent start.
    public func filter(_ frames: [Double]) -> [Double] {
        var result = frames
        run(&result, passes: 1)
        return result
    }

    /// Filters `frames` as one turn of an endless loop: the first pass settles the filter, the second is kept.
    public func filterLoop(_ frames: [Double]) -> [Double] {
        var result = frames
        run(&result, passes: 2)
        return result
    }

    private func run(_ frames: inout [Double], passes: Int) {
        var x1 = 0.0
        var x2 = 0.0
        var y1 = 0.0
        var y2 = 0.0
        let source = frames
        source.withUnsafeBufferPointer { input in
            frames.withUnsafeMutableBufferPointer { output in
                for _ in 0..<passes {
                    var i = 0
                    while i < input.count {
                        let x = input[i]
                        let y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
                        x2 = x1
                        x1 = x
                        y2 = y1
                        y1 = y
                        output[i] = y
                        i += 1
                    }
                }
            }
        }
    }
}
