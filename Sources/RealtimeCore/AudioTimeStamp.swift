// [render]

/// When a slice is rendered: the one thing a render callback is told about time.
@frozen public struct AudioTimeStamp: BitwiseCopyable, Sendable {
    /// The sample time of the slice's first frame. It grows by exactly the number of frames asked for.
    public var sampleTime: SampleTime

    @_noLocks @inlinable @inline(__always)
    public init(sampleTime: SampleTime) { self.sampleTime = sampleTime }

    /// The same under Core Audio's name.
    @inlinable
    public var mSampleTime: Double { @_noLocks @inline(__always) get { Double(sampleTime.rawValue) } }
}
