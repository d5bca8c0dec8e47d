import MIDI
import RealtimeCore

/// The tape transport of a song: a pure state machine. Commands and the time go in, segments for the renderer and the
/// position come out; nothing here waits, reads a clock or makes a sound.
///
/// A command takes effect at `now` + `lookahead`: far enough ahead that the renderer has the segment in time, so that the
/// position that is shown is the one that sounds. Segments are posted in the order in which they are returned; one takes
/// the place of all that were posted for its start or later. What comes by itself, the next round of a loop and the end
/// of the song, is posted ahead by `advance`. Control side.
public struct Transport: Sendable {
    /// The state of a transport, as soon as a command is given.
    public enum State: Hashable, Sendable, CaseIterable { case stopped, playing, paused }

    struct Leg: Hashable {
        var start: SampleTime
        /// The frame of the timeline at `start`.
        var position: Int64
        var rate: PlaybackRate
        var isRunning: Bool
        /// The frame at which it ends: a loop's, the song's.
        var end: Int64
        var isLooping = false
        /// The number of times that the loop is repeated after this leg; nil means without end.
        var roundsLeft: Int?
        var fadeStart: SampleTime?
        var events: Range<Int>

        /// The clock when the end is reached, at least a frame after `start`; meaningful while it runs.
        var endTime: SampleTime { SampleTime(start.rawValue + max(rate.clockFrames(ofScore: end - position), 1)) }

        /// The frame of the timeline at a time from `start` on.
        func frame(at time: SampleTime) -> Int64 {
            guard isRunning, time > start else { return position }
            return min(position + rate.scoreFrames(ofClock: time.rawValue - start.rawValue), max(end, position))
        }
    }

    /// The song.
    package internal(set) var timeline: Timeline
    /// The settings that the song has given its instruments.
    package internal(set) var chase: Chase
    /// True if instruments count what is struck (`Chase`).
    package var countsStrikes: Bool {
        get { chase.countsStrikes }
        set {
            if newValue != chase.countsStrikes { seam = nil }
            chase.countsStrikes = newValue
        }
    }
    package private(set) var state = State.stopped
    /// True while the song stands still because it has come to its end, and nothing was commanded since.
    package private(set) var hasEnded = false
    /// The factor of the tempo.
    package private(set) var rate = PlaybackRate.nominal
    /// Semitones.
    package private(set) var transpose = 0
    /// The range that is played again and again. Unit: frames of the timeline.
    package private(set) var loop: Range<Int64>?
    /// The number of times that the loop is played; nil means without end.
    package private(set) var rounds: Int?
    /// Frames of the clock after the last round in which the song is to fade, looping on, and then ends; nil means it goes on
    /// to its own end.
    package private(set) var fade: Int64?
    /// The frame of the timeline on which the song is to end early; nil means it plays on to its own end.
    package private(set) var cue: Int64?
    /// Shortest loop, in seconds of the song; a shorter range is lengthened, so that posting ahead keeps up.
    package static let shortestLoop = 0.1
    /// Rounds of a loop that are posted in one go at most.
    static let roundsAhead = 8
    /// True if the instruments are as after power-on where the song begins, and what rings on them is to ring on: resets
    /// that come before its first note would cut that off.
    package var letsRing = false
    /// The stretches that are planned, in the order of time, never empty; the last one lasts until further notice.
    var legs: [Leg]
    /// The event up to which the state has been sent to the instruments; nil means they may be in any state.
    var chasedTo: Int?
    /// The events that the instruments are sent at the seam of the loop; made once a loop.
    var seam: [MusicEvent]?

    /// Creates a song, stopped at its beginning.
    package init(_ timeline: Timeline) {
        self.timeline = timeline
        chase = Chase(timeline.events)
        legs = [Leg(start: .zero, position: 0, rate: .nominal, isRunning: false, end: 0, events: 0..<0)]
    }

    /// The last frame of the song; if it ends by itself.
    package var length: Int64 { timeline.length }

    /// The time at which the song will end by itself; nil if it does not play, or if the time is not known because it loops.
    package var endTime: SampleTime? {
        guard let leg = legs.last(where: \.isRunning), state == .playing else { return nil }
        return fading(leg)?.upperBound ?? (leg.isLooping ? nil : leg.endTime)
    }

    /// True once the end that `endTime` names has been posted: what follows the song may be posted after it.
    package var isEndPosted: Bool { state == .playing && legs.last?.isRunning == false }

    /// The time in which the song is to fade, which the caller has to do; nil if it does not fade, or if the time is not
    /// known.
    package var fading: Range<SampleTime>? {
        guard let leg = legs.last(where: \.isRunning), state == .playing else { return nil }
        return fading(leg)
    }

    private func fading(_ leg: Leg) -> Range<SampleTime>? {
        guard let start = leg.fadeStart, let fade else { return nil }
        return start..<SampleTime(start.rawValue + max(fade, 1))
    }

    /// Obeys a command.
    ///
    /// - Parameters:
    ///   - now: the sample time of the renderer's next slice; never goes back.
    ///   - lookahead: frames until it takes effect, at least a slice, so that the segments come in time.
    /// - Returns: segments to post, in this order; none if nothing changes for the renderer.
    package mutating func take(_ command: TransportCommand, now: SampleTime, lookahead: Int) -> [ScoreStretch] {
        advance(now: now, horizon: 0) + obey(command, at: now + max(lookahead, 0))
    }

    private mutating func obey(_ command: TransportCommand, at time: SampleTime) -> [ScoreStretch] {
        switch command {
        case .play: return state == .playing ? [] : play(at: time)
        case .pause: return state == .playing ? halt(.paused, at: time) : []
        case .togglePlay: return state == .playing ? halt(.paused, at: time) : play(at: time)
        case .stop: return halt(.stopped, at: time)
        case .seek(let target): return seek(target, at: time)
        case .tempo(let factor):
            let new = PlaybackRate(nearest: factor.isNaN ? 1 : min(max(factor, 0.1), 10))
            if new == rate { return [] }
            rate = new
            return goOn(at: time)
        case .transpose(let semitones):
            let new = min(max(semitones, -48), 48)
            if new == transpose { return [] }
            transpose = new
            return goOn(at: time)
        case .end(let frame):
            if frame == cue { return [] }
            cue = frame
            return goOn(at: time)
        case .loop(let range): return loop(range.flatMap { frames(of: $0) }, rounds: nil, fade: nil, at: time)
        case .rounds(let range, let count, let fade):
            let seconds = fade.map { $0.isNaN ? 0 : min(max($0, 0), 3600) }
            let frames = seconds.map { Int64(($0 * Double(timeline.sampleRate)).rounded()) }
            return loop(self.frames(of: range), rounds: max(count, 1), fade: frames, at: time)
        }
    }

    private mutating func loop(_ range: Range<Int64>?, rounds: Int?, fade: Int64?, at time: SampleTime) -> [ScoreStretch] {
        if range == loop, rounds == self.rounds, fade == self.fade { return [] }
        (loop, self.rounds, self.fade) = (range, range == nil ? nil : rounds, range == nil ? nil : fade)
        seam = nil
        if let last = legs.indices.last { legs[last].roundsLeft = fullRounds }
        return goOn(at: time, roundsLeft: fullRounds)
    }

    private var fullRounds: Int? { rounds.map { $0 - 1 } }

    /// Advances the transport: posts ahead what comes by itself in the next `horizon` frames, at least the next item, and
    /// notices the end of the song. Call it now and then, several times within `horizon`.
    package mutating func advance(now: SampleTime, horizon: Int) -> [ScoreStretch] {
        let segments = plan(until: now + max(horizon, 0), now: now)
        // What is heard may be a little older than what is rendered: a second of the past stays known.
        while legs.count > 1, legs[1].start + timeline.sampleRate <= now { legs.removeFirst() }
        if state == .playing, let last = legs.last, !last.isRunning, last.start <= now {
            state = .stopped
            hasEnded = true
        }
        return segments
    }

    private mutating func play(at time: SampleTime) -> [ScoreStretch] {
        let position = leg(at: time).frame(at: time)
        let left = leg(at: time).roundsLeft
        state = .playing
        return jump(to: position >= length ? 0 : position, at: time, roundsLeft: left)
    }

    private mutating func halt(_ new: State, at time: SampleTime) -> [ScoreStretch] {
        let old = leg(at: time)
        let position = new == .stopped ? 0 : old.frame(at: time)
        let index = old.isRunning ? event(of: old, at: time) : chasedTo ?? 0
        let wasRunning = state == .playing
        state = new
        (hasEnded, cue) = (false, nil)
        cut(at: time)
        var leg = Leg(start: time, position: position, rate: rate, isRunning: false, end: position, events: 0..<0)
        leg.roundsLeft = new == .stopped ? fullRounds : old.roundsLeft
        legs.append(leg)
        guard wasRunning else { return [] }
        chasedTo = index
        return [segment(legs[legs.count - 1], releases: true, prologue: chase.pedalsUp(at: index) + [.time(.stopped)])]
    }

    private mutating func seek(_ target: TransportTarget, at time: SampleTime) -> [ScoreStretch] {
        let old = leg(at: time), here = old.frame(at: time)
        guard let frame = frame(of: target, from: here) else { return [] }
        (hasEnded, cue) = (false, nil)
        if state == .playing {
            let index = old.isRunning ? event(of: old, at: time) : chasedTo ?? 0
            chasedTo = index
            return jump(to: frame, at: time, roundsLeft: old.roundsLeft)
        }
        cut(at: time)
        var leg = Leg(start: time, position: frame, rate: rate, isRunning: false, end: frame, events: 0..<0)
        leg.roundsLeft = old.roundsLeft
        legs.append(leg)
        return []
    }

    /// Plays from another place on: notes end, and the state of that place is sent.
    private mutating func jump(to frame: Int64, at time: SampleTime, roundsLeft: Int?) -> [ScoreStretch] {
        hasEnded = false
        cut(at: time)
        let opens = letsRing && chasedTo == nil
        let first = opens ? chase.firstEvent(ofRound: frame..<max(length, frame)) : chase.index(at: frame)
        let prologue = opens ? chase.opening(at: first) : chase.prologue(at: first, from: chasedTo)
        chasedTo = first
        append(from: frame, at: time, first: first, roundsLeft: roundsLeft)
        let state = prologue + timeline.time(at: frame)
        return [segment(legs[legs.count - 1], releases: true, prologue: state)]
            + plan(until: time)
    }

    /// Plays on from here, at another rate or transposition or to another end: no notes end unless it `releases` them, no state
    /// is sent.
    mutating func goOn(at time: SampleTime, roundsLeft: Int?? = nil, releases: Bool = false) -> [ScoreStretch] {
        guard state == .playing else { return [] }
        let old = leg(at: time)
        guard old.isRunning else { return [] }
        let first = event(of: old, at: time), frame = old.frame(at: time)
        cut(at: time)
        // What fades already goes on fading.
        let fadeStart = roundsLeft == nil ? old.fadeStart.flatMap { $0 <= time ? $0 : nil } : nil
        append(from: frame, at: time, first: first, roundsLeft: roundsLeft ?? old.roundsLeft, fadeStart: fadeStart)
        // At another rate the tempo is another one.
        return [segment(legs[legs.count - 1], releases: releases, prologue: timeline.time(at: frame))] + plan(until: time)
    }

    func leg(at time: SampleTime) -> Leg { legs.last { $0.start <= time } ?? legs[0] }

    private mutating func cut(at time: SampleTime) {
        legs.removeAll { $0.start >= time }
    }

    private mutating func append(
        from frame: Int64, at time: SampleTime, first: Int, roundsLeft: Int?, fadeStart: SampleTime? = nil
    ) {
        // The last round runs on to the end of the song, without a seam.
        let isLast = roundsLeft == 0 && fade == nil
        let cue = cue.flatMap { $0 > frame && $0 <= loop?.upperBound ?? length ? $0 : nil }
        let isLooping = !isLast && cue == nil && loop.map { frame < $0.upperBound } ?? false
        let end = isLooping ? loop?.upperBound ?? length : cue ?? length
        let last = end < length || isLooping ? chase.index(at: end) : timeline.events.count
        var leg = Leg(
            start: time, position: frame, rate: rate, isRunning: true, end: end, isLooping: isLooping, roundsLeft: roundsLeft,
            events: first..<max(first, last))
        leg.fadeStart = fadeStart ?? (isLooping && roundsLeft == 0 ? leg.endTime : nil)
        legs.append(leg)
    }

    /// Up to `time`, and at least the next thing. Rounds that have passed unseen are left out, so that a late one is in time.
    private mutating func plan(until time: SampleTime, now: SampleTime = .zero) -> [ScoreStretch] {
        var segments: [ScoreStretch] = []
        while let last = legs.last, last.isRunning, segments.count < Self.roundsAhead {
            // One leg ahead of the one that sounds then is enough.
            if last.start > time { break }
            if let end = fading(last)?.upperBound, end <= last.endTime {
                segments.append(planEnd(at: end, index: event(of: last, at: end)))
            } else if last.isLooping, let loop {
                let first = chase.firstEvent(ofRound: loop)
                let prologue =
                    seam ?? chase.prologue(at: first, from: last.events.upperBound)
                    + timeline.time(at: loop.lowerBound)
                seam = prologue
                let length = rate.clockFrames(ofScore: loop.upperBound - loop.lowerBound)
                var missed = max(now - last.endTime, 0) / max(Int(length), 1)
                if let left = last.roundsLeft { missed = min(missed, max(left - 1, 0)) }
                append(
                    from: loop.lowerBound, at: last.endTime + missed * Int(length), first: first,
                    roundsLeft: last.roundsLeft.map { max($0 - 1 - missed, 0) }, fadeStart: last.fadeStart)
                chasedTo = first
                segments.append(segment(legs[legs.count - 1], releases: true, prologue: prologue))
            } else {
                segments.append(planEnd(at: last.endTime, index: last.events.upperBound))
            }
        }
        return segments
    }

    /// The song comes to its end at `time`, before the event `index`.
    private mutating func planEnd(at time: SampleTime, index: Int) -> ScoreStretch {
        var leg = Leg(start: time, position: 0, rate: rate, isRunning: false, end: 0, events: 0..<0)
        leg.roundsLeft = fullRounds
        legs.append(leg)
        chasedTo = index
        return segment(leg, releases: true, prologue: chase.pedalsUp(at: index) + [.time(.stopped)])
    }

    private func segment(_ leg: Leg, releases: Bool, prologue: [MusicEvent]) -> ScoreStretch {
        ScoreStretch(
            start: leg.start, position: leg.position, rate: leg.rate, events: leg.events, transpose: transpose,
            releases: releases, prologue: prologue)
    }

    private func event(of leg: Leg, at time: SampleTime) -> Int {
        timeline.events[leg.events].partitioningIndex {
            leg.start.rawValue + leg.rate.clockFrames(ofScore: max($0.time.rawValue - leg.position, 0)) >= time.rawValue
        }
    }
}
