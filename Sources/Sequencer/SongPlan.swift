import MIDI
import RealtimeCore

/// A song whose loop is played so many times, planned from the beginning to the end: for whoever renders it to a file.
///
/// ```
/// |-- before --|-- loop --|-- loop --|-- behind --|      3 rounds would have one loop more
/// |-- before --|-- loop --|-- loop --|-- lo ... |        with a fade: it goes on looping until it is silent
/// ```
/// What is repeated is what the song asks for (`LoopPoints`), else all of it. At a seam keys go up, what rings rings on,
/// and the instruments are told what the song had told them where the loop begins. Source: the customs of game music.
public struct LoopPlan: Sendable {
    /// The range that is repeated. Unit: frames of the timeline.
    public let loop: Range<Int64>
    /// The stretches to play, in the order of their start.
    public let stretches: [ScoreStretch]
    /// The frame of the clock at which all is over: the song's end behind the last round, or the fade's.
    public let end: Int64
    /// The frames of the clock in which it fades; nil where it does not.
    public let fade: Range<Int64>?
    private let events: [TimedMusicEvent]

    /// Shortest loop, in seconds; a shorter one is lengthened.
    public static let shortest = Transport.shortestLoop

    /// Plans a song.
    ///
    /// - Parameters:
    ///   - rounds: how often the loop is played, at least once.
    ///   - fade: frames behind the last round in which the sound fades while the loop goes on; nil: the song goes on to its
    ///     own end.
    public init(_ timeline: Timeline, rounds: Int, fade: Int64? = nil) {
        events = timeline.events
        let length = timeline.summary.end.rawValue, written = LoopPoints(timeline)?.frames ?? 0..<length
        let least = max(Int64(Self.shortest * Double(timeline.sampleRate)), 1)
        loop = written.lowerBound..<max(written.upperBound, written.lowerBound + least)
        let span = loop.upperBound - loop.lowerBound, rounds = Int64(max(rounds, 1))
        let lastRound = loop.upperBound + (rounds - 1) * span
        self.fade = fade.map { lastRound..<lastRound + $0 }
        end = self.fade?.upperBound ?? lastRound + max(length - loop.upperBound, 0)

        let chase = Chase(timeline.events), last = chase.index(at: loop.upperBound)
        var stretches = [ScoreStretch(start: .zero, events: 0..<last, prologue: timeline.opening)]
        let first = chase.firstEvent(ofRound: loop)
        let seam = chase.prologue(at: first, from: last) + timeline.time(at: loop.lowerBound)
        let more = rounds - 1 + (fade.map { ($0 + span - 1) / span } ?? 0)
        for round in 0..<more {
            stretches.append(
                ScoreStretch(
                    start: SampleTime(loop.upperBound + round * span), position: loop.lowerBound,
                    events: first..<max(first, last), releases: true, prologue: seam))
        }
        if fade == nil {
            stretches.append(
                ScoreStretch(start: SampleTime(lastRound), position: loop.upperBound, events: last..<timeline.events.count))
        }
        self.stretches = stretches
    }

    /// Notes that begin before a frame of the clock.
    public func notes(before frame: Int64) -> Int {
        var count = 0
        for (index, stretch) in stretches.enumerated() {
            let next = index + 1 < stretches.count ? stretches[index + 1].start.rawValue : Int64.max
            let limit = min(frame, next) - stretch.start.rawValue
            for place in stretch.events {
                guard case .message(let message) = events[place].event, message.kind == .noteOn, message.data2 > 0 else {
                    continue
                }
                if max(events[place].time.rawValue - stretch.position, 0) < limit { count += 1 }
            }
        }
        return count
    }
}
