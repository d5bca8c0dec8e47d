// [render]

/// A value that is worked out every 64 frames and goes from one to the next in a straight line.
///
/// Its value in a frame is computed from the frame's place in the grid alone, never by adding steps up, so that it is the
/// same for any slices.
public struct GlidingValue: BitwiseCopyable {
    /// The value at the start of the current 64 frames, and its growth per frame.
    private var start = 0.0, step = 0.0

    /// The value 0.
    @_noLocks public init() {}

    /// Goes to `value` in the 64 frames that begin.
    @_noLocks public mutating func aim(_ value: Double) {
        start = self[64]
        step = (value - start) * (1.0 / 64)
    }

    /// Is where it was going, at once.
    @_noLocks public mutating func settle() {
        start = self[64]
        step = 0
    }

    /// The value `frame` frames after a multiple of 64.
    @_noLocks public subscript(frame: Int) -> Double {
        @_noLocks get { start + step * Double(Int32(truncatingIfNeeded: frame)) }
    }
}
