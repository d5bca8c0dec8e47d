// [render]
import MIDI
import RealtimeCore

/// The render side's place in each lane, and what the lane of loops and all others hold.
struct ScoreLanes {
    private(set) var score = ScorePlayer()
    private var beside = ScorePlayer(), loops = ScorePlayer()
    private let ledger = LaneLedger()

    /// Control side, once; returns what has to be released.
    mutating func dispose() -> [UnsafeMutableRawPointer] {
        ledger.deallocate()
        return score.dispose() + beside.dispose() + loops.dispose()
    }

    /// Takes the new segments of a lane. With no room to give back what they replace, they wait.
    @_noLocks mutating func fetch(
        _ segments: borrowing SPSCQueue<UnsafeMutableRawPointer?>, _ lane: ScoreLane,
        returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>
    ) {
        // Room for all that wait in every lane, those that sound, and the new one: a switch never has to wait for room.
        while waitingCount(lane) < ScorePlayer.capacity,
            returned.room > 3 &* ScorePlayer.capacity &+ 4, let segment = segments.peek(), let segment
        {
            segments.drop()
            let tables = Unmanaged<ScoreSegment>.fromOpaque(segment)._withUnsafeGuaranteedRef { $0.tables }
            switch lane {
            case .score: score.schedule(tables, segment, returned: returned)
            case .beside: beside.schedule(tables, segment, returned: returned)
            case .loops: loops.schedule(tables, segment, returned: returned)
            }
        }
    }

    @_noLocks private func waitingCount(_ lane: ScoreLane) -> Int {
        switch lane {
        case .score: score.waitingCount
        case .beside: beside.waitingCount
        case .loops: loops.waitingCount
        }
    }

    /// The next event, if it is before `end`, and its lane. What is late is due when `reached`; at one time the lanes come in their
    /// order.
    @_noLocks mutating func nextTime(
        before end: SampleTime, reached: SampleTime, returned: borrowing SPSCQueue<UnsafeMutableRawPointer?>
    ) -> (time: SampleTime, lane: ScoreLane)? {
        var next: (time: SampleTime, lane: ScoreLane)?
        if let time = score.nextTime(before: end, returned: returned) { next = (time, .score) }
        if let time = beside.nextTime(before: end, returned: returned) { Self.take(time, .beside, reached, &next) }
        if let time = loops.nextTime(before: end, returned: returned) { Self.take(time, .loops, reached, &next) }
        return next
    }

    @_noLocks private static func take(
        _ time: SampleTime, _ lane: ScoreLane, _ reached: SampleTime, _ next: inout (time: SampleTime, lane: ScoreLane)?
    ) {
        if let next, max(next.time, reached) <= max(time, reached) { return }
        next = (time, lane)
    }

    /// Takes the event that `nextTime` announced.
    @_noLocks mutating func take(from lane: ScoreLane) -> MusicEvent? {
        switch lane {
        case .score: score.take()
        case .beside: beside.take()
        case .loops: loops.take()
        }
    }

    /// Enters what is sent; false if units receive nothing of it.
    @_noLocks func passes(_ music: inout MusicEvent, _ source: PerformedEvent.Source) -> Bool {
        if case .lane = source { return ledger.take(&music, isLane: true) }
        return ledger.take(&music, isLane: false)
    }
}
