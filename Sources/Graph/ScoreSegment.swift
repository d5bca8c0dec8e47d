import MIDI
import RealtimeCore

/// A stretch of a score, and how it is played: from when on, from where in the score, how fast, how high.
///
/// An event of the score at frame x sounds at `start` + (x - `position`) / `rate`, in exact integers. What sounds before
/// `start` is the business of the segment before. Control side makes and frees it.
public final class ScoreSegment: Retirable, @unchecked Sendable {
    /// What the render thread walks. [render]
    let tables: SegmentTables
    /// Keeps the events alive.
    private let score: Score

    /// The sample time at which the segment takes over.
    public var start: SampleTime { tables.start }

    /// A segment.
    ///
    /// - Parameters:
    ///   - position: the frame of the score, at the rate 1, that sounds at `start`.
    ///   - events: indices of the score's events to play; those before `position` would sound at `start`. nil: all.
    ///   - transpose: semitones, -48...48 (brought to the bound), by which notes of melodic parts are shifted.
    ///   - releases: whether the score's own sounding notes end at `start`, before the prologue. Where not, they go on
    ///     until their note-off.
    ///   - prologue: what takes effect at `start` before the first event, in this order: pedals up, chased state.
    public init(
        _ score: Score, start: SampleTime, position: Int64 = 0, rate: PlaybackRate = .nominal,
        events: Range<Int>? = nil, transpose: Int = 0, releases: Bool = false, prologue: [MusicEvent] = []
    ) {
        self.score = score
        let events = (events ?? 0..<score.count).clamped(to: 0..<score.count)
        let memory = UnsafeMutablePointer<MusicEvent>.allocate(capacity: max(prologue.count, 1))
        memory.initialize(from: prologue, count: prologue.count)
        tables = SegmentTables(
            events: score.events, first: events.lowerBound, end: events.upperBound, start: start, position: position,
            rate: rate, transpose: Int8(min(max(transpose, -48), 48)), releases: releases,
            prologue: UnsafePointer(memory), prologueCount: prologue.count)
    }

    deinit { tables.prologue.deallocate() }
}

/// A segment as the render thread sees it.
struct SegmentTables: BitwiseCopyable {
    let events: UnsafePointer<TimedMusicEvent>
    let first: Int
    /// The index after the last event.
    let end: Int
    let start: SampleTime
    let position: Int64
    let rate: PlaybackRate
    let transpose: Int8
    let releases: Bool
    let prologue: UnsafePointer<MusicEvent>
    let prologueCount: Int

    /// When the event with index `index` sounds.
    @_noLocks func time(of index: Int) -> SampleTime {
        let passed = rate.clockFrames(ofScore: max(events[index].time.rawValue &- position, 0))
        return SampleTime(start.rawValue &+ passed)
    }
}
