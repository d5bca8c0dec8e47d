import MIDI
import RealtimeCore

/// A stretch of a timeline's events for the renderer to play, as a value: what `ScoreSegment` of the module Graph is made
/// of, field by field.
public struct TransportSegment: Hashable, Sendable {
    /// The sample time at which it takes over from the segment before.
    public var start: SampleTime
    /// The frame of the timeline that sounds then.
    public var position: Int64
    /// Frames of the timeline to frames of the clock.
    public var rate: PlaybackRate
    /// Indices of the timeline's events.
    public var events: Range<Int>
    /// Semitones.
    public var transpose: Int
    /// Whether the song's sounding notes end at `start`.
    public var releases: Bool
    /// What takes effect at `start` before the first event.
    public var prologue: [MusicEvent]
}
