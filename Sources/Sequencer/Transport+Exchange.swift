import MIDI
import RealtimeCore

extension Transport {
    /// Goes on in another version of the song: the same tempos, bars and length, with other events, such as a layer more.
    ///
    /// Sound goes on, and no state is sent; so the two versions have to be alike in what was played so far, but for notes.
    /// `advance` has to have been called up to `now`, with the version before.
    ///
    /// - Parameters:
    ///   - now, lookahead: as in `take`.
    ///   - releases: true ends the notes that sound.
    /// - Returns: segments of the new version to post, in this order.
    package mutating func exchange(
        _ timeline: Timeline, now: SampleTime, lookahead: Int, releases: Bool = false
    ) -> [ScoreStretch] {
        let former = self.timeline.events
        self.timeline = timeline
        let countsStrikes = chase.countsStrikes
        chase = Chase(timeline.events)
        chase.countsStrikes = countsStrikes
        seam = nil
        chasedTo = chasedTo.map { $0 < former.count ? chase.index(at: former[$0].time.rawValue) : timeline.events.count }
        for place in legs.indices where legs[place].isRunning {
            let leg = legs[place]
            let isRound = leg.isLooping && leg.position == loop?.lowerBound
            let first = isRound ? loop.map { chase.firstEvent(ofRound: $0) } : nil
            let last = leg.isLooping || leg.end < length ? chase.index(at: leg.end) : timeline.events.count
            let begin = first ?? chase.index(at: leg.position)
            legs[place].events = begin..<max(begin, last)
        }
        return goOn(at: now + max(lookahead, 0), releases: releases)
    }
}
