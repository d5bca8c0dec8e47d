// [render]

/// Four allpass filters in a row: one click becomes a dense burst with a flat spectrum.
///
/// Source: M. R. Schroeder, "Natural Sounding Artificial Reverberation", J. Audio Eng. Soc. 10 (1962).
public struct Diffuser: ~Copyable {
    private let lines: UnsafeMutablePointer<DelayLine>
    private let delays: UnsafeMutablePointer<Int>
    private let gain: Float

    /// Allpasses of `delays` frames each (shorter ones are lengthened to one run); |gain| is below 1. Control side.
    public init(delays lengths: [Int], gain: Float) {
        precondition(lengths.count == 4)
        lines = .allocate(capacity: 4)
        delays = .allocate(capacity: 4)
        for (i, length) in lengths.enumerated() {
            let length = max(length, DelayLine.run)
            (delays + i).initialize(to: length)
            (lines + i).initialize(to: DelayLine(longest: length))
        }
        self.gain = gain
    }

    deinit {
        lines.deinitialize(count: 4)
        lines.deallocate()
        delays.deallocate()
    }

    /// Filters `count` samples in place; they are those from `position` on.
    @_noLocks public func process(_ x: UnsafeMutablePointer<Float>, _ count: Int, at position: Int) {
        for i in 0..<4 {
            let old = lines[i].read(delays[i], before: position), new = lines[i].open(position)
            for k in 0..<count {
                let delayed = old[k]
                let inner = x[k] + gain * delayed
                new[k] = inner
                x[k] = delayed - gain * inner
            }
            lines[i].close(position, count)
        }
    }

    /// Silence again.
    @_noLocks public func clear() { for i in 0..<4 { lines[i].clear() } }
}
