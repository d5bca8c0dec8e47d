// [render]
import CKernels
import RealtimeCore

/// Six allpass filters in a row: one click becomes a dense burst with a flat spectrum.
///
/// It works on 64 frames at a time, in a kernel. Source: M. R. Schroeder, "Natural Sounding Artificial Reverberation",
/// J. Audio Eng. Soc. 10 (1962).
public struct Diffuser: ~Copyable {
    private var owned = OwnedMemory()
    private let lines: UnsafeMutablePointer<DelayLine>
    private let delays: UnsafeMutablePointer<Int>
    private let old: UnsafeMutablePointer<UnsafePointer<Float>>, fresh: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let gain: Float

    /// Allpasses of `delays` frames each (shorter ones are lengthened to one run and a little more, no two alike); |gain| is
    /// below 1. Control side.
    ///
    /// Precondition: there are six delays.
    public init(delays lengths: [Int], gain: Float) {
        precondition(lengths.count == 6)
        lines = owned.room(for: 6)
        delays = owned.room(for: 6)
        old = owned.room(for: 6)
        fresh = owned.room(for: 6)
        for (i, length) in lengths.enumerated() {
            let length = max(length, DelayLine.run + 7 * i)
            (delays + i).initialize(to: length)
            (lines + i).initialize(to: DelayLine(longest: length))
            (old + i).initialize(to: lines[i].read(length, before: 0))
            (fresh + i).initialize(to: lines[i].open(0))
        }
        self.gain = gain
    }

    deinit { lines.deinitialize(count: 6) }

    /// Filters the 64 samples from `position` on, a multiple of 64; `to` may be `from`.
    @_noLocks public func process(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, at position: Int) {
        for i in 0..<6 {
            old[i] = lines[i].read(delays[i], before: position)
            fresh[i] = lines[i].open(position)
        }
        kernel_diffuse(from, to, old, fresh, gain)
        for i in 0..<6 { lines[i].close(position, DelayLine.run) }
    }

    /// Silence again.
    @_noLocks public func clear() { for i in 0..<6 { lines[i].clear() } }
}
