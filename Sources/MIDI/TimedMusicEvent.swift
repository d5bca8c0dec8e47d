import RealtimeCore

// [render]

/// A music event with the moment it happens: what a timeline is made of, and what the render side walks.
///
/// Trivial. A unit receives the event alone, between two calls of `render`.
@frozen public struct TimedMusicEvent: Hashable, BitwiseCopyable, Sendable {
    /// The frame on which the event takes effect.
    public var time: SampleTime
    /// The event that happens.
    public var event: MusicEvent

    @_noLocks @inlinable @inline(__always)
    public init(time: SampleTime, event: MusicEvent) {
        self.time = time
        self.event = event
    }
}
