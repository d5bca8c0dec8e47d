// [render]
import CRealtime

/// A ring of samples that is written and read in runs of up to `DelayLine.run` frames, each one piece of memory.
///
/// The caller keeps the position, a running count of frames, and cuts time so that no run crosses a multiple of `run` in it.
/// The first samples of the ring are repeated after its end, so that a read never wraps.
public struct DelayLine: ~Copyable {
    /// The longest run, in frames.
    @inlinable public static var run: Int { @_noLocks @inline(__always) get { 64 } }
    /// Frames after the end of a run that may be read too: for interpolation.
    @inlinable public static var margin: Int { @_noLocks @inline(__always) get { 16 } }

    private let samples: UnsafeMutablePointer<Float>
    private let capacity: Int

    /// Silence, with room for delays of up to `longest` frames. Control side.
    public init(longest: Int) {
        var capacity = 2 * Self.run
        while capacity < longest + Self.run + Self.margin { capacity *= 2 }
        self.capacity = capacity
        // Eight samples are written at a time: none of these writes lies in two lines of the cache.
        let size = capacity + Self.run + Self.margin
        samples = UnsafeMutableRawPointer.allocate(byteCount: 4 * size, alignment: 64)
            .initializeMemory(as: Float.self, repeating: 0, count: size)
    }

    deinit { UnsafeMutableRawPointer(samples).deallocate() }

    /// Returns the sample of `delay` frames before `position`, followed by later ones: `run + margin` in all, as far as they
    /// have been written.
    @_noLocks public func read(_ delay: Int, before position: Int) -> UnsafePointer<Float> {
        UnsafePointer(samples + ((position &- delay) & (capacity &- 1)))
    }

    /// The ring as a whole, for what reads it at moving delays: `mask` + 1 samples, and the first of them once more.
    package var ring: UnsafePointer<Float> { @_noLocks get { UnsafePointer(samples) } }
    /// The mask that makes a position an index into the ring.
    package var mask: Int { @_noLocks get { capacity &- 1 } }

    /// Returns where the samples from `position` on belong; call `close` after writing them.
    @_noLocks public func open(_ position: Int) -> UnsafeMutablePointer<Float> {
        samples + (position & (capacity &- 1))
    }

    /// Completes the writing of `count` samples from `position` on.
    @_noLocks public func close(_ position: Int, _ count: Int) {
        let index = position & (capacity &- 1)
        if index < Self.run &+ Self.margin {
            rt_copy(samples + capacity + index, samples + index, min(count, Self.run &+ Self.margin &- index))
        }
    }

    /// Writes `count` samples from `position` on.
    @_noLocks public func write(_ from: UnsafePointer<Float>, _ count: Int, at position: Int) {
        rt_copy(open(position), from, count)
        close(position, count)
    }

    /// Silence again.
    @_noLocks public func clear() { rt_zero(samples, capacity &+ Self.run &+ Self.margin) }
}
