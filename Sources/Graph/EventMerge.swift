// [render]
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

/// Commands, live events and the score become one stream in the order of time.
extension Renderer {
    /// Sorts the events of the next `limit` frames into the plan. Returns the frames they are complete for: fewer than
    /// `limit` when the plan's room for events is used up, 0 when there are that many at one moment.
    ///
    /// At one time commands come first, then what is played live, then the score. What is late takes effect at once, but
    /// never before what was taken already: so the frame on which each takes effect is known, and is what the journal
    /// says.
    @_noLocks func collectEvents(_ plan: PlanTables, _ limit: Int) -> Int {
        let now = state.pointee.now, end = now + limit
        var reached = now
        if state.pointee.shedding >= 0 {
            let event = UnitEvent.shed(level: UInt8(truncatingIfNeeded: state.pointee.shedding))
            state.pointee.shedding = -1
            add(RenderCommand(time: now, node: nil, event: event), to: plan, 0, at: now)
        }
        while true {
            var source: PerformedEvent.Source?
            var time = end
            let command = commands.peek(), live = liveEvents.peek()
            if let command, command.time < time {
                time = command.time
                source = .command
            }
            if let live, live.time < time {
                time = live.time
                source = .live
            }
            if let scored = state.pointee.player.nextTime(before: end, returned: returned), scored < time {
                time = scored
                source = .score
            }
            guard let source else { return limit }
            if !plan.hasRoom() { return max(time, reached) - now }
            count(source, time, reached: reached)
            reached = max(time, reached)
            let offset = reached - now
            switch source {
            case .command:
                if let command { add(command, to: plan, offset, at: reached) }
                commands.drop()
            case .live:
                if let live {
                    state.pointee.player.notes.observe(live.event)
                    let lateness = live.time.rawValue == 0 ? 0 : reached - live.time
                    add(live.event, to: plan, offset, at: reached, source: .live, lateness: lateness)
                }
                liveEvents.drop()
            case .score:
                if let music = state.pointee.player.take() { add(music, to: plan, offset, at: reached, source: .score) }
            }
        }
    }

    /// Counts what is late; commands and live events without a time are not.
    @_noLocks private func count(_ source: PerformedEvent.Source, _ time: SampleTime, reached: SampleTime) {
        guard time < reached else { return }
        if case .score = source {} else if time.rawValue == 0 { return }
        guard case .live = source else {
            lateEvents.add(1, ordering: .relaxed)
            return
        }
        lateEvents.add(1, ordering: .relaxed)
        lateLiveEvents.add(1, ordering: .relaxed)
        if reached - time > state.pointee.worstLiveLateness {
            state.pointee.worstLiveLateness = reached - time
            worstLiveLateness.store(reached - time, ordering: .relaxed)
        }
    }

    @_noLocks private func add(_ command: RenderCommand, to plan: PlanTables, _ offset: Int, at time: SampleTime) {
        if let node = command.node {
            if plan.add(command.event, to: node, offset: offset) {
                record(command, at: time, source: .command)
            } else {
                lostEvents.add(1, ordering: .relaxed)
            }
        } else if case .music(let music) = command.event {
            state.pointee.player.notes.observe(music)
            add(music, to: plan, offset, at: time, source: .command)
        } else if case .shed(let level) = command.event {
            plan.shed(level, offset: offset)
            record(command, at: time, source: .command)
        } else if case .adopted = command.event {
            // Told by a journal; the plan itself has to be posted.
        } else {
            lostEvents.add(1, ordering: .relaxed)
        }
    }

    @_noLocks private func add(
        _ music: MusicEvent, to plan: PlanTables, _ offset: Int, at time: SampleTime, source: PerformedEvent.Source,
        lateness: Int = 0
    ) {
        plan.add(music, offset: offset)
        record(
            RenderCommand(time: time, node: nil, event: .music(music)), at: time, source: source, lateness: lateness)
    }

    @_noLocks func record(
        _ command: RenderCommand, at time: SampleTime, source: PerformedEvent.Source, lateness: Int = 0
    ) {
        if case .score = source, !recordsScore { return }
        var command = command
        command.time = time
        let lateness = Int32(truncatingIfNeeded: min(lateness, Int(Int32.max)))
        let event = PerformedEvent(command, source: source, lateness: lateness)
        if !performed.push(event) { unrecordedEvents.add(1, ordering: .relaxed) }
    }
}
