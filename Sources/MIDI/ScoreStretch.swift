import RealtimeCore

/// A stretch of a piece of music, and how it is played, as a value: from when on, from where, how fast, how high. A
/// `Transport` gives what to play as such stretches; a `ScoreSegment` is one in memory that the render thread may walk.
///
/// An event of the music at frame x sounds at `start` + (x - `position`) / `rate`, in exact integers.
public struct ScoreStretch: Hashable, Sendable {
    /// The sample time at which it takes over from the stretch before.
    public var start: SampleTime
    /// The frame of the music, at the rate 1, that sounds then.
    public var position: Int64
    /// Frames of the music to frames of the clock.
    public var rate: PlaybackRate
    /// Indices of the events to play; those before `position` would sound at `start`.
    public var events: Range<Int>
    /// Semitones, -48...48, by which notes of melodic parts are shifted.
    public var transpose: Int
    /// True if the music's own sounding notes end at `start`, before the prologue. If not, they go on until their
    /// note-off.
    public var releases: Bool
    /// The events that take effect at `start` before the first event, in this order: pedals up, chased state, the tempo and the
    /// place.
    public var prologue: [MusicEvent]

    /// Creates a stretch; by default from the beginning, as fast and as high as written.
    public init(
        start: SampleTime, position: Int64 = 0, rate: PlaybackRate = .nominal, events: Range<Int>, transpose: Int = 0,
        releases: Bool = false, prologue: [MusicEvent] = []
    ) {
        (self.start, self.position, self.rate, self.events, self.transpose) = (start, position, rate, events, transpose)
        (self.releases, self.prologue) = (releases, prologue)
    }

    /// Returns the sample time at which a frame of the music sounds; one before `position` sounds at `start`.
    public func time(of frame: SampleTime) -> SampleTime {
        SampleTime(start.rawValue + rate.clockFrames(ofScore: max(frame.rawValue - position, 0)))
    }
}
