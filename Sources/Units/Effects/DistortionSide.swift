// [render]
import DSP

/// One side of a distortion: eight times the rate, the curve, and back.
struct DistortionSide: ~Copyable {
    /// Frames from going in to coming out: the two filters, the curve, and what is missing to a whole frame.
    static var delay: Int { @_noLocks get { (Oversampler.delay + 2) / Oversampler.factor } }
    /// Frames that a change of the curve is cross-faded.
    static var fade: Int { @_noLocks get { 16 * DelayLine.run } }

    private var oversampler = Oversampler()
    private var now = Waveshaper(.soft), before = Waveshaper(.soft)
    /// The last bent sample, one sample late.
    private var last: Float = 0
    /// The part of the signal that does not move any more: the mean that an asymmetric curve adds.
    private var mean = 0.0

    init() {}

    @_noLocks mutating func bend(_ curve: Waveshaper.Curve) {
        before = now
        now = Waveshaper(curve, after: before)
    }

    /// Processes `count` frames. `faded`: frames since the curve changed; `meanShare`: how fast the mean is found.
    @_noLocks mutating func process(_ x: UnsafeMutablePointer<Float>, _ count: Int, faded: Int, meanShare: Double) {
        let high = oversampler.rise(UnsafePointer(x), count)
        for k in 0..<(count &* Oversampler.factor) {
            let wave = Double(high[k])
            var bent = now.next(wave)
            if faded < Self.fade {
                let share = Double(Int32(truncatingIfNeeded: faded &* Oversampler.factor &+ k)) * (1.0 / 8192)
                let old = before.next(wave)
                bent = old + (bent - old) * share
            }
            high[k] = last
            last = Float(bent)
        }
        oversampler.fall(x, count)
        for k in 0..<count {
            let sample = Double(x[k])
            mean += (sample - mean) * meanShare
            x[k] = Float(sample - mean)
        }
    }

    /// Silence; the curve stays.
    @_noLocks mutating func clear() {
        oversampler.clear()
        now = Waveshaper(now.curve)
        before = now
        last = 0
        mean = 0
    }
}
