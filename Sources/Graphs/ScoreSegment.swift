import MIDI
import RealtimeCore

/// A stretch of a score in memory that the render thread may walk. Control side makes and frees it.
package final class ScoreSegment: Retirable, @unchecked Sendable {
    /// The tables that the render thread walks. [render]
    let tables: SegmentTables
    /// The score that the segment is a stretch of; keeps the events alive.
    package let score: Score
    /// The stretch as it was given.
    package let stretch: ScoreStretch
    /// Where it is played.
    package let lane: ScoreLane

    /// The sample time at which the segment takes over.
    package var start: SampleTime { tables.start }

    /// Creates a stretch of `score`: events that the score does not have are left out, the transposition is brought to its
    /// bound.
    package init(_ score: Score, _ stretch: ScoreStretch, lane: ScoreLane = .score) {
        (self.score, self.stretch, self.lane) = (score, stretch, lane)
        let events = stretch.events.clamped(to: 0..<score.count)
        let memory = UnsafeMutablePointer<MusicEvent>.allocate(capacity: max(stretch.prologue.count, 1))
        memory.initialize(from: stretch.prologue, count: stretch.prologue.count)
        tables = SegmentTables(
            events: score.events, first: events.lowerBound, end: events.upperBound, start: stretch.start,
            position: stretch.position, rate: stretch.rate, transpose: Int8(min(max(stretch.transpose, -48), 48)),
            releases: stretch.releases, prologue: UnsafePointer(memory), prologueCount: stretch.prologue.count)
    }

    /// Creates a stretch in words: see `ScoreStretch`. All of the score's events by default.
    package convenience init(
        _ score: Score, start: SampleTime, position: Int64 = 0, rate: PlaybackRate = .nominal,
        events: Range<Int>? = nil, transpose: Int = 0, releases: Bool = false, prologue: [MusicEvent] = [],
        lane: ScoreLane = .score
    ) {
        self.init(
            score,
            ScoreStretch(
                start: start, position: position, rate: rate, events: events ?? 0..<score.count, transpose: transpose,
                releases: releases, prologue: prologue), lane: lane)
    }

    deinit { tables.prologue.deallocate() }
}

struct SegmentTables: BitwiseCopyable {
    let events: UnsafePointer<TimedMusicEvent>
    let first: Int
    let end: Int
    let start: SampleTime
    let position: Int64
    let rate: PlaybackRate
    let transpose: Int8
    let releases: Bool
    let prologue: UnsafePointer<MusicEvent>
    let prologueCount: Int

    @_noLocks func time(of index: Int) -> SampleTime {
        let passed = rate.clockFrames(ofScore: max(events[index].time.rawValue &- position, 0))
        return SampleTime(start.rawValue &+ passed)
    }

    /// Returns an event as it is heard: tempos and frames are scaled to the speed of playing.
    @_noLocks func played(_ music: MusicEvent?) -> MusicEvent? {
        switch music {
        case .time(.tempo(let tempo)):
            return .time(.tempo(Float(Double(tempo) * (Double(rate.numerator) / Double(rate.denominator)))))
        case .time(.frame(let frame)):
            let passed = rate.clockFrames(ofScore: Int64(frame))
            return .time(.frame(Int32(truncatingIfNeeded: min(passed, Int64(Int32.max)))))
        default: return music
        }
    }
}
