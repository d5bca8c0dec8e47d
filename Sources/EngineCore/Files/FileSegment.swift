import RealtimeCore

/// A part of a file that a player plays or will play, in frames of the file.
public struct FileSegment: Sendable, Hashable {
    /// The number of times that a segment is played before the next one follows.
    public enum Passes: Sendable, Hashable {
        case once
        /// A number of times, 1 or more.
        case times(Int)
        /// Again and again, until something else is requested.
        case endless
    }

    /// The number of the segment among the player's, counted from 1 in the order in which they were requested.
    public let number: Int
    /// The first frame.
    public let start: Int64
    /// The number of frames; nil for all to the end.
    public let frames: Int64?
    /// The number of times that it is played.
    public let passes: Passes
}

/// An event of a file player, reported in the order in which it happened; the times are those of the frames concerned.
public enum FilePlayerEvent: Sendable, Equatable {
    /// A request to play has begun to sound, on this frame.
    case began(at: SampleTime)
    /// All of a segment has been read: it no longer needs the file.
    case read(FileSegment)
    /// All of a segment has been played: the first frame after it.
    case played(FileSegment, at: SampleTime)
    /// Nothing more is to be played: the first frame after the last segment.
    case ended(at: SampleTime)
    /// The disk is too slow: from this frame on there is silence.
    case starved(at: SampleTime)
    /// The sound goes on, after `missing` silent frames.
    case recovered(at: SampleTime, missing: Int)
    /// The file could not be read to its end.
    case failed(Fault)
}
