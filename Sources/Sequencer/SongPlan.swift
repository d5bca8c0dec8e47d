import MIDI
import RealtimeCore
import Reports

/// A song, or a passage of it, planned from the beginning to the end, to render it to a file.
///
/// ```
/// |-- before --|-- loop --|-- loop --|-- after --|       3 rounds would have one loop more
/// |-- before --|-- loop --|-- loop --|-- lo ... |        with a fade: it goes on looping until it is silent
///         :.....|-- passage --|                          instruments settle for a second before anything is heard
/// ```
/// The range that is repeated is the one that the song asks for (`LoopPoints`), else all of it; for a passage with an end,
/// the passage. At a seam keys go up, ringing notes ring on, and the instruments are sent the state that they have in the
/// song where the loop begins. Source: the customs of game music.
///
/// A passage has the frames of the clock that it has in the whole song, so that effects that depend on the clock sound alike:
/// after the last tail its frames are the song's.
package struct SongPlan: Sendable {
    /// The part of the song that is played, its repeats left out. Unit: frames of the timeline.
    package let part: Range<Int64>
    /// True if the song is played from its beginning to its end.
    package let isWhole: Bool
    /// The range that is repeated. Unit: frames of the timeline.
    package let loop: Range<Int64>
    /// The stretches to play, in the order of their start; their events are those of `events`.
    package let stretches: [ScoreStretch]
    /// The frame of the clock from which it is heard; what the stretches play before that is not.
    package let start: Int64
    /// The frame of the clock at which all is over: the song's end after the last round, or the fade's.
    package let end: Int64
    /// The frames of the clock in which it fades; nil if it does not.
    package let fade: Range<Int64>?
    /// The events of the song, followed by those of a beginning in its middle.
    package let events: [TimedMusicEvent]
    /// Events at the end of `events` that begin in the middle of the song, and the song's events that the last of them repeat.
    let own: Int
    let repeated: Range<Int>

    /// Shortest loop, in seconds; a shorter one is lengthened.
    package static let shortest = Transport.shortestLoop
    /// Seconds that instruments have to settle before the middle of a song, so that nothing glides where it begins.
    static let settling = 1.0
    /// Seconds that are played before a loop that is heard alone, so that all that rings on in it is there.
    static let ringing = 30.0

    /// Plans a passage of a song. - Throws: what the song does not have of it.
    ///
    /// - Parameter countsStrikes: whether instruments count what is struck (`Chase`).
    package init(_ timeline: Timeline, _ passage: SongPassage, countsStrikes: Bool = false) throws(Fault) {
        let (from, to) = try passage.frames(in: timeline)
        let fade = passage.fade.map { max(Int64($0 * Double(timeline.sampleRate)), 1) }
        self.init(
            timeline, from: from, to: to, rounds: passage.loops, fade: fade, rate: PlaybackRate(nearest: passage.tempo),
            transpose: passage.transpose, chasesNotes: passage.chasesNotes, isLoop: passage.isLoop,
            countsStrikes: countsStrikes)
    }

    /// Plans a whole song, with its loop played `rounds` times, at least once.
    ///
    /// - Parameter fade: frames after the last round in which the sound fades while the loop goes on; nil means the song goes
    ///   on to its own end.
    package init(_ timeline: Timeline, rounds: Int, fade: Int64? = nil) {
        self.init(timeline, from: 0, to: nil, rounds: rounds, fade: fade)
    }

    private init(
        _ timeline: Timeline, from wanted: Int64, to: Int64?, rounds wantedRounds: Int, fade: Int64?,
        rate: PlaybackRate = .nominal, transpose: Int = 0, chasesNotes: Bool = false, isLoop: Bool = false,
        countsStrikes: Bool = false
    ) {
        let length = timeline.length
        var chase = Chase(timeline.events)
        chase.countsStrikes = countsStrikes
        loop = Self.loop(of: timeline, from: wanted, to: to)
        let playsOnce = to == nil && LoopPoints(timeline)?.playsOnce == true
        var from = wanted, rounds = playsOnce ? 1 : Int64(max(wantedRounds, 1))
        let span = max(rate.clockFrames(ofScore: loop.upperBound - loop.lowerBound), 1)
        if isLoop {
            let ringing = Int64(Self.ringing * Double(timeline.sampleRate))
            from = max(loop.lowerBound, loop.upperBound - rate.scoreFrames(ofClock: ringing))
            rounds = 1 + (from > loop.lowerBound ? 1 : (ringing + span - 1) / span)
        }
        let isRepeated = rounds > 1 || (fade != nil && to == nil && !playsOnce)
        // A fade without repeats goes on after its end.
        let legEnd = isRepeated ? loop.upperBound : fade == nil ? to ?? length : length
        let last = isRepeated || legEnd < length ? chase.index(at: legEnd) : timeline.events.count

        let first = chase.index(at: from)
        repeated = from == 0 ? 0..<0 : first..<max(first, last)
        var stretches = [Self.opening(timeline, chase, from: from, before: last, rate, chasesNotes: chasesNotes)]
        own = stretches[0].own.count
        let begin = stretches[0].stretch.position, origin = stretches[0].stretch.start.rawValue
        func clock(_ frame: Int64) -> Int64 { origin + rate.clockFrames(ofScore: frame - begin) }
        let lastRound = clock(legEnd) + (isRepeated ? (rounds - 1) * span : 0)
        if isRepeated {
            let first = chase.firstEvent(ofRound: loop)
            let seam =
                chase.prologue(at: first, from: last) + timeline.time(at: loop.lowerBound)
            let more = rounds - 1 + (fade.map { ($0 + span - 1) / span } ?? 0)
            for round in 0..<more {
                stretches.append(
                    (
                        ScoreStretch(
                            start: SampleTime(clock(loop.upperBound) + round * span), position: loop.lowerBound,
                            events: first..<max(first, last), releases: true, prologue: seam), []
                    ))
            }
        }
        let goesOn = isRepeated && fade == nil && to == nil && !isLoop
        if goesOn {
            stretches.append(
                (
                    ScoreStretch(start: SampleTime(lastRound), position: legEnd, events: last..<timeline.events.count), []
                ))
        } else if fade == nil, isRepeated || legEnd < length {
            stretches.append(
                (
                    ScoreStretch(
                        start: SampleTime(lastRound), position: legEnd, events: 0..<0, releases: true,
                        prologue: chase.pedalsUp(at: last) + [.time(.stopped)]), []
                ))
        }
        let fadeStart = isRepeated ? lastRound : clock(to ?? length)
        self.fade = fade.map { fadeStart..<fadeStart + $0 }
        end = self.fade?.upperBound ?? lastRound + (goesOn ? rate.clockFrames(ofScore: max(length - legEnd, 0)) : 0)
        start = isLoop ? lastRound - span : clock(from)
        isWhole = !isLoop && from == 0 && to ?? length >= length
        part = isLoop ? loop : from..<max(to ?? length, from)
        events = timeline.events + stretches[0].own
        self.stretches = stretches.map { planned in
            var stretch = planned.stretch
            (stretch.rate, stretch.transpose) = (rate, transpose)
            return stretch
        }
    }

    private static func loop(of timeline: Timeline, from: Int64, to: Int64?) -> Range<Int64> {
        var loop = from..<max(to ?? timeline.length, from)
        if to == nil, let points = LoopPoints(timeline), !points.playsOnce, from < points.frames.upperBound {
            loop = points.frames
        }
        return loop.lowerBound..<max(loop.upperBound, loop.lowerBound + timeline.shortestLoop)
    }

    /// The stretch that begins at a place of a song and goes up to an event; and events of its own, which follow the song's.
    /// In the middle of a song it begins a little earlier, at a place that is a whole number of frames in both song and
    /// clock, so that every event falls on the frame that it has in the whole song.
    private static func opening(
        _ timeline: Timeline, _ chase: Chase, from: Int64, before last: Int, _ rate: PlaybackRate, chasesNotes: Bool
    ) -> (stretch: ScoreStretch, own: [TimedMusicEvent]) {
        if from == 0 { return (ScoreStretch(start: .zero, events: 0..<last, prologue: timeline.opening), []) }
        let early = max(from - rate.scoreFrames(ofClock: Int64(settling * Double(timeline.sampleRate))), 0)
        let begin = early - early % rate.numerator, first = chase.index(at: from)
        let restored = timeline.time(at: from) + (chasesNotes ? chase.heldNotes(at: from) : [])
        let own = restored.map { TimedMusicEvent(time: SampleTime(from), event: $0) } + timeline.events[first..<max(first, last)]
        let count = timeline.events.count
        let stretch = ScoreStretch(
            start: SampleTime(rate.clockFrames(ofScore: begin)), position: begin, events: count..<count + own.count,
            prologue: chase.prologue(at: first, from: 0) + timeline.time(at: begin))
        return (stretch, own)
    }

    /// Notes that begin before a frame of the clock, of those that are heard from their beginning.
    ///
    /// - Parameter silent: parts, port * 16 + channel, whose notes are not played.
    package func notes(before frame: Int64, silencing silent: Set<Int> = []) -> Int {
        var count = 0
        forEachNote { note in if note.time >= start, note.time < frame, !silent.contains(note.message.part) { count += 1 } }
        return count
    }
}
