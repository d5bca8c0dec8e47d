// [render]
import CRealtime
import RealtimeCore

/// Eight times the sample rate and back, for what makes new frequencies: a distortion.
///
///     48 kHz -> octave 0 -> octave 1 -> octave 2 -> 384 kHz ... 384 kHz -> octave 2 -> octave 1 -> octave 0 -> 48 kHz
///
/// Three doublings, each with a linear-phase filter in two phases (a sinc under a Kaiser window, 100 dB). The two at the
/// higher rates are half-band filters, half of whose taps are 0. The first is none: a half-band filter is only half way down
/// at half the lower rate, and frequencies beyond would come back as aliases; this one stops there, and begins at 0.42 of the
/// lower rate (20 kHz of 48). Source: R. E. Crochiere, L. R. Rabiner, "Multirate Digital Signal Processing" (1983).
public struct Oversampler: ~Copyable {
    /// The number of samples that one becomes.
    @inlinable public static var factor: Int { @_noLocks @inline(__always) get { 8 } }
    /// Frames from going in to coming out, in samples of the high rate: up and down.
    @inlinable public static var delay: Int { @_noLocks @inline(__always) get { 2 * (80 * 4 + 13 * 2 + 9) } }

    private var owned = OwnedMemory()
    /// Two phases for each octave, on the way up and on the way down.
    private let rising: UnsafeMutablePointer<FIRFilter>, falling: UnsafeMutablePointer<FIRFilter>
    /// Runs of the high rate: what is worked on, and two phases of half its length.
    private let samples: UnsafeMutablePointer<Float>, even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>

    /// Silence, for runs of up to `DelayLine.run` frames. Control side.
    public init() {
        rising = owned.room(for: 6)
        falling = owned.room(for: 6)
        for octave in 0..<3 {
            let taps = octave == 0 ? Self.taps(160, edge: 0.2297) : Self.taps(octave == 1 ? 26 : 18, edge: 0.25)
            let longest = DelayLine.run << octave
            for phase in 0..<2 {
                let half = stride(from: phase, to: taps.count, by: 2).map { taps[$0] }
                (rising + 2 * octave + phase).initialize(to: FIRFilter(taps: half.map { 2 * $0 }, longest: longest))
                // The odd sample of a pair is older than the even one of the pair it belongs to.
                (falling + 2 * octave + phase).initialize(
                    to: FIRFilter(taps: phase == 0 ? half : [0] + half, longest: longest))
            }
        }
        let size = DelayLine.run * Self.factor
        samples = owned.make(size, of: 0)
        even = owned.make(size, of: 0)
        odd = owned.make(size, of: 0)
    }

    deinit {
        rising.deinitialize(count: 6)
        falling.deinitialize(count: 6)
    }

    private static func taps(_ order: Int, edge: Double) -> [Float] {
        let window = KaiserWindow(beta: 10.06), middle = Double(order) / 2
        let weights = (0...order).map { tap in
            let distance = Double(tap) - middle, share = distance / (middle + 1)
            if distance == 0 { return 2 * edge }
            let sinc = DeterministicMath.sine(turns: edge * distance) / (Double.pi * distance)
            return abs(sinc) < 1e-12 ? 0 : sinc * window.weight(share)
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }

    /// Eight samples for each of `count`; they may be changed where they are until `fall`.
    @_noLocks public mutating func rise(_ from: UnsafePointer<Float>, _ count: Int) -> UnsafeMutablePointer<Float> {
        rt_copy(samples, from, count)
        var length = count
        for octave in 0..<3 {
            rising[2 &* octave].process(UnsafePointer(samples), even, length)
            rising[2 &* octave &+ 1].process(UnsafePointer(samples), odd, length)
            for k in 0..<length {
                samples[2 &* k] = even[k]
                samples[2 &* k &+ 1] = odd[k]
            }
            length &*= 2
        }
        return samples
    }

    /// Makes `count` samples of what has become of those that `rise` gave.
    @_noLocks public mutating func fall(_ to: UnsafeMutablePointer<Float>, _ count: Int) {
        var length = count &* 4
        for octave in 0..<3 {
            for k in 0..<length {
                even[k] = samples[2 &* k]
                odd[k] = samples[2 &* k &+ 1]
            }
            falling[4 &- 2 &* octave].process(UnsafePointer(even), samples, length)
            falling[5 &- 2 &* octave].process(UnsafePointer(odd), even, length)
            rt_add(samples, UnsafePointer(even), length)
            length /= 2
        }
        rt_copy(to, samples, count)
    }

    /// Silence again.
    @_noLocks public mutating func clear() {
        for i in 0..<6 {
            rising[i].clear()
            falling[i].clear()
        }
    }
}
