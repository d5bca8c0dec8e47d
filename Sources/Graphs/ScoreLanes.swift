// [render]
import MIDI
import RealtimeCore

/// The render side's place in the score and in the lane of loops beside it, and what the lane and all others hold.
struct ScoreLanes {
    private(set) var score = ScorePlayer()
    private var lane = ScorePlayer()
    private let ledger = LaneLedger()

    /// Control side, once; returns what has to be released.
    mutating func dispose() -> [UnsafeMutableRawPointer] {
        ledger.deallocate()
        return score.dispose() + lane.dispose()
    }

    /// Takes the new segments. With no room to give back what they replace, they wait.
    @_noLocks mutating func fetch(
        _ segments: borrowing SPSCQueue<UnsafeMutableRawPointer?>, inLane: Bool,
        returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>
    ) {
        // Room for all that wait in both, those that sound, and the new one: a switch never has to wait for room.
        while (inLane ? lane.waitingCount : score.waitingCount) < ScorePlayer.capacity,
            returned.room > 2 &* ScorePlayer.capacity &+ 3, let segment = segments.peek(), let segment
        {
            segments.drop()
            let tables = Unmanaged<ScoreSegment>.fromOpaque(segment)._withUnsafeGuaranteedRef { $0.tables }
            if inLane {
                lane.schedule(tables, segment, returned: returned)
            } else {
                score.schedule(tables, segment, returned: returned)
            }
        }
    }

    /// The next event, if it is before `end`, and whether it is the lane's. What is late is due when `reached`; at one time the score
    /// comes first.
    @_noLocks mutating func nextTime(
        before end: SampleTime, reached: SampleTime, returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>
    ) -> (time: SampleTime, isLane: Bool)? {
        let scored = score.nextTime(before: end, returned: returned)
        guard let laned = lane.nextTime(before: end, returned: returned) else { return scored.map { ($0, false) } }
        if let scored, max(scored, reached) <= max(laned, reached) { return (scored, false) }
        return (laned, true)
    }

    /// Takes the event that `nextTime` announced.
    @_noLocks mutating func take(fromLane isLane: Bool) -> MusicEvent? { isLane ? lane.take() : score.take() }

    /// Enters what is sent; false if units receive nothing of it.
    @_noLocks func passes(_ music: inout MusicEvent, _ source: PerformedEvent.Source) -> Bool {
        if case .lane = source { return ledger.take(&music, isLane: true) }
        return ledger.take(&music, isLane: false)
    }
}
