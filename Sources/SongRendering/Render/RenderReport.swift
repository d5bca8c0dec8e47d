import Graphs
import Reports
import Sequencer

/// The result of rendering a song.
public struct RenderReport: Sendable {
    /// Frames handed to the sink.
    public var frames: Int64 = 0
    /// Frames per second.
    public var sampleRate = 0
    /// The part of the song that was played, at its own tempo; nil where that is all of it. Unit: frames of the song.
    public var part: Range<Int64>?
    /// Frames of silence that were left out before the sound and after it, if it was trimmed.
    public var silenceBefore: Int64 = 0
    public var silenceBehind: Int64 = 0
    /// The limit at which the sound was cut: `maximumDuration`, or `longestTail` while something still sounded; nil means none.
    public var cut: Cut?
    /// Seconds over which the sound was faded out before the cut; 0 if none was needed.
    public var fade = 0.0
    /// Note-ons that were played: fewer than the song has, if it was cut.
    public var notesPlayed = 0
    /// The amount that the limiter took away.
    public var limiter = LimiterWork()
    /// The level, if the render was brought to a loudness.
    package var level: RenderLevel?
    /// Counts of late, lost and muted events.
    public var counters = RenderCounters()
    /// Faults inside a render that ended well: units that were muted, notes without a preset.
    public var remarks: [Remark] = []
    /// Note-ons that came before the sound ended: with a track chosen, that track's.
    public var notes = 0
    /// A summary of the song's requests.
    package var summary = TimelineSummary()

    /// The reason why the sound ended before it was silent.
    public enum Cut: String, Sendable, Hashable {
        /// `RenderOptions.maximumDuration` was reached.
        case maximumDuration = "max-duration"
        /// `RenderOptions.longestTail` was reached.
        case longestTail = "longest-tail"
    }

    /// Seconds of sound.
    public var duration: Double { sampleRate == 0 ? 0 : Double(frames) / Double(sampleRate) }
}

/// The progress of a render.
public struct RenderProgress: Sendable, Hashable {
    /// The stages of a render.
    public enum Stage: Sendable, Hashable {
        case rendering
        /// All frames are there, and the gain is looked for.
        case measuring
        /// Frames that have waited for their gain are given on.
        case writing
    }

    /// Frames handed to the sink.
    public var frames: Int64
    /// Frames that will be, as far as is known: the song's end, without an automatic tail.
    public var expectedFrames: Int64
    /// The stage that the render has come to.
    public var stage: Stage

    /// Creates a report of `frames` frames out of `expectedFrames`.
    public init(frames: Int64, expectedFrames: Int64, stage: Stage = .rendering) {
        (self.frames, self.expectedFrames, self.stage) = (frames, expectedFrames, stage)
    }
}
