// [render]

/// A moment on the one clock of the engine: a count of frames, the `mSampleTime` of its render callback. A renderer starts at
/// 0 by default.
///
/// 64 bits: at 192 kHz it wraps after 1.5 million years, so no code asks whether it has.
@frozen public struct SampleTime: RawRepresentable, Comparable, Hashable, BitwiseCopyable, Sendable {
    /// Frames since moment 0.
    public var rawValue: Int64

    @_noLocks @inlinable @inline(__always)
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @_noLocks @inlinable @inline(__always)
    public init(_ frames: Int64) { rawValue = frames }

    @_noLocks @inlinable @inline(__always) @_disfavoredOverload
    public init(_ frames: Int) { rawValue = Int64(frames) }

    /// The frame from which a renderer counts: its first, by default.
    @inlinable
    public static var zero: SampleTime { @_noLocks @inline(__always) get { SampleTime(0) } }

    /// Not a moment but a wish, of commands and live events: the first frame of the next slice, before all that waits.
    @inlinable
    public static var immediately: SampleTime { @_noLocks @inline(__always) get { SampleTime(.min) } }

    /// The wish to be as early as possible, but not before what the same sender has sent before: so an ending never
    /// overtakes its note.
    @inlinable
    public static var inTurn: SampleTime { @_noLocks @inline(__always) get { SampleTime(.min + 1) } }

    /// True if the time is a frame, and not one of the wishes above.
    @inlinable
    public var isFrame: Bool { @_noLocks @inline(__always) get { rawValue > .min + 1 } }

    @_noLocks @inlinable @inline(__always)
    public static func < (a: SampleTime, b: SampleTime) -> Bool { a.rawValue < b.rawValue }

    /// Returns the moment `frames` frames later; beyond the last one there is, that one.
    @_noLocks @inlinable @inline(__always)
    public static func + (time: SampleTime, frames: Int) -> SampleTime {
        let (sum, overflows) = time.rawValue.addingReportingOverflow(Int64(frames))
        return SampleTime(overflows ? frames < 0 ? .min : .max : sum)
    }

    /// Returns the moment `frames` frames earlier; before the first one there is, that one.
    @_noLocks @inlinable @inline(__always)
    public static func - (time: SampleTime, frames: Int) -> SampleTime {
        let (rest, overflows) = time.rawValue.subtractingReportingOverflow(Int64(frames))
        return SampleTime(overflows ? frames < 0 ? .max : .min : rest)
    }

    /// Returns the number of frames by which `a` is later than `b`. Of moments more than `Int64.max` frames apart it wraps.
    @_noLocks @inlinable @inline(__always)
    public static func - (a: SampleTime, b: SampleTime) -> Int { Int(truncatingIfNeeded: a.rawValue &- b.rawValue) }
}
