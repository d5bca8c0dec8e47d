// [render]

/// A parameter's value on its way: where it started, how fast it moves, where it stops.
///
/// The value of frame k after a change is computed from k alone, never by adding steps up, so that it is the same
/// however the renderer cuts time into slices.
@frozen public struct ParameterRamp: BitwiseCopyable, Sendable {
    /// The value when the change came.
    @usableFromInline var origin: Float
    /// Change per frame.
    @usableFromInline var slope: Float
    /// The value from frame `length` on.
    public var target: Float
    /// Frames since the change, at the first frame of this call.
    @usableFromInline var position: Int32
    /// Frames that the change takes.
    @usableFromInline var length: Int32

    /// A value at rest.
    @_noLocks @inlinable @inline(__always)
    public init(_ value: Float) {
        origin = value
        slope = 0
        target = value
        position = 0
        length = 0
    }

    /// Whether the value stays `target` from here on.
    @inlinable
    public var isSteady: Bool { @_noLocks @inline(__always) get { position >= length } }

    /// The value at the first frame of this call.
    @inlinable
    public var value: Float { @_noLocks @inline(__always) get { self[0] } }

    /// The value at frame `i` of this call.
    @inlinable @inline(__always)
    public subscript(i: Int) -> Float {
        @_noLocks get {
            let k = position &+ Int32(truncatingIfNeeded: i)
            return k >= length ? target : origin + slope * Float(k)
        }
    }

    /// Starts towards `target`, to arrive after `frames` frames. Renderer only.
    @_noLocks @inlinable @inline(__always)
    public mutating func move(to target: Float, over frames: Int32) {
        let now = self[0]
        self.target = target
        position = 0
        length = now == target ? 0 : frames
        origin = now
        slope = frames > 0 ? (target - now) / Float(frames) : 0
    }

    /// Lets `frames` frames pass. Renderer only.
    @_noLocks @inlinable @inline(__always)
    public mutating func advance(_ frames: Int) {
        if position < length { position = min(position &+ Int32(truncatingIfNeeded: frames), length) }
    }
}
