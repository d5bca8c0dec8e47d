// [render]

/// A moment on the one clock of the engine: a count of frames, the `mSampleTime` of its render callback. A renderer starts
/// at 0 unless it is told otherwise.
///
/// 64 bits: at 192 kHz it wraps after 1.5 million years, so no code asks whether it has.
@frozen public struct SampleTime: RawRepresentable, Comparable, Hashable, BitwiseCopyable, Sendable {
    /// Frames since moment 0.
    public var rawValue: Int64

    @_noLocks @inlinable @inline(__always)
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @_noLocks @inlinable @inline(__always)
    public init(_ frames: Int64) { rawValue = frames }

    /// The first frame that a renderer makes; for live events and commands "at once".
    @inlinable
    public static var zero: SampleTime { @_noLocks @inline(__always) get { SampleTime(0) } }

    @_noLocks @inlinable @inline(__always)
    public static func < (a: SampleTime, b: SampleTime) -> Bool { a.rawValue < b.rawValue }

    /// The moment `frames` frames later.
    @_noLocks @inlinable @inline(__always)
    public static func + (time: SampleTime, frames: Int) -> SampleTime { SampleTime(time.rawValue &+ Int64(frames)) }

    /// How many frames `a` is later than `b`.
    @_noLocks @inlinable @inline(__always)
    public static func - (a: SampleTime, b: SampleTime) -> Int { Int(truncatingIfNeeded: a.rawValue &- b.rawValue) }
}
