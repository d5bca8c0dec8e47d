// [render]
import CRealtime
import RealtimeCore

/// The signal that a compressor or a gate listens to: a copy of both sides without what is below a low cut.
public struct SideChainFilter: ~Copyable {
    private var owned = OwnedMemory()
    /// A run of the left and of the right side.
    package let left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    private var lowCut = EqualizerBand()

    /// Silence. Control side.
    public init() {
        left = owned.make(DelayLine.run, of: 0)
        right = owned.make(DelayLine.run, of: 0)
    }

    /// The frequency of the low cut at a multiple of 64 frames. Unit: hertz.
    @_noLocks public mutating func aim(_ frequency: Float, sampleRate: Double) {
        lowCut.aim(response: 5, frequency: frequency, gain: 0, quality: 0.7071068, sampleRate: sampleRate)
    }

    /// Arrives there at once.
    @_noLocks public mutating func settle() { lowCut.settle() }

    /// Takes in a run of up to 64 frames that begins `phase` frames after a multiple of 64.
    @_noLocks public mutating func take(
        _ fromLeft: UnsafePointer<Float>, _ fromRight: UnsafePointer<Float>, _ count: Int, phase: Int
    ) {
        rt_copy(left, fromLeft, count)
        rt_copy(right, fromRight, count)
        lowCut.process(left, right, count, phase: phase)
    }

    /// Returns the greater magnitude of both sides at frame `k` of the run.
    @_noLocks public func peak(_ k: Int) -> Float { max(abs(left[k]), abs(right[k])) }

    /// Forgets what it heard.
    @_noLocks public mutating func clear() { lowCut.clear() }
}
