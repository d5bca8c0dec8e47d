// [render]
import MIDI
import RealtimeCore
import Synchronization

extension Renderer {
    /// Sorts the events of the next `limit` frames into the plan. Returns the frames they are complete for: fewer than `limit`
    /// when the plan's room for events is used up, 0 when there are that many at one moment. `isCrowded` is the result of
    /// `schedule`.
    ///
    /// At one frame commands come first, then what is played live, then the score, then the lane; each in its own order. A late
    /// event takes effect at once, but never before those that were taken already: so its frame is known, and is in the journal.
    @_noLocks func collectEvents(_ plan: PlanTables, _ limit: Int, isCrowded: Bool) -> Int {
        let now = state.pointee.now, end = now + limit
        var reached = now
        plan.part()
        plan.tell(state.pointee.clock, at: now)
        if state.pointee.shedding >= 0 {
            let event = UnitEvent.shed(level: UInt8(truncatingIfNeeded: state.pointee.shedding))
            state.pointee.shedding = -1
            add(RenderCommand(time: now, node: nil, event: event), to: plan, 0, at: now)
        }
        if isCrowded { crowdedSlices.add(1, ordering: .relaxed) }
        while true {
            var source: PerformedEvent.Source?
            var time = end
            if state.pointee.scheduledCommands.nextTime < time {
                time = state.pointee.scheduledCommands.nextTime
                source = .command
            }
            // What waits for its length comes before what is played now.
            let late = state.pointee.lateNotes.nextTime, live = state.pointee.scheduledLive.nextTime
            let isLate = max(late, reached) <= max(live, reached), played = isLate ? late : live
            if !state.pointee.holdsLive, played < time {
                time = played
                source = .live
            }
            let scored = state.pointee.player.nextTime(before: end, reached: reached, returned: returned)
            if let scored, max(scored.time, reached) < time {
                time = max(scored.time, reached)
                switch scored.lane {
                case .score, .beside: source = .score
                case .loops: source = .lane
                }
            }
            guard let source else { return limit }
            if !plan.hasRoom() { return max(time, reached) - now }
            // Solo is obeyed where a slice begins, by all edges at once; slices that are rendered in one go share their edges.
            if max(time, reached) > now || plan.slice > 0 {
                if nextSolos(source, isLate: isLate, plan) { return max(time, reached) - now }
            }
            reached = max(time, reached)
            let offset = reached - now
            switch source {
            case .command:
                let command = state.pointee.scheduledCommands.take()
                _ = countLateness(of: command.time, reached)
                add(command, to: plan, offset, at: reached)
            case .live:
                if isLate {
                    perform(state.pointee.lateNotes.take(), to: plan, offset, at: reached)
                } else {
                    let next = state.pointee.scheduledLive.next
                    if state.pointee.lateNotes.giveWay(to: next, at: reached) { continue }
                    let command = state.pointee.scheduledLive.take()
                    if state.pointee.lateNotes.takes(next, at: reached) { continue }
                    state.pointee.lateNotes.observe(next, at: reached)
                    perform(command, to: plan, offset, at: reached)
                }
            case .score, .lane:
                guard let scored else { continue }
                _ = countLateness(of: scored.time, reached)
                guard let music = state.pointee.player.take(from: scored.lane) else { break }
                add(music, to: plan, offset, at: reached, source: source)
            }
            // What found no room moves up as soon as there is some.
            if isCrowded { _ = schedule(at: reached) }
        }
    }

    @_noLocks private func nextSolos(_ source: PerformedEvent.Source, isLate: Bool, _ plan: PlanTables) -> Bool {
        switch source {
        case .command:
            let command = state.pointee.scheduledCommands.next.command
            return plan.solos(command)
        case .live:
            if isLate { return false }
            let command = state.pointee.scheduledLive.next.command
            return plan.solos(command)
        case .score, .lane: return false
        }
    }

    /// Returns true if something had to stay in its queue. It runs before plans are adopted: a sender posts the plan of a unit
    /// before events for it, and so no event comes before its unit.
    @_noLocks func schedule(at now: SampleTime) -> Bool {
        while !state.pointee.scheduledCommands.isFull, let command = commands.pop() {
            state.pointee.scheduledCommands.add(command, now: now)
        }
        while !state.pointee.scheduledLive.isFull, let live = liveEvents.pop() {
            state.pointee.scheduledLive.add(live, now: now)
        }
        // If there is room, the queue may have been filled again meanwhile: that is the next slice's.
        if state.pointee.scheduledCommands.isFull, !commands.isEmpty { return true }
        if state.pointee.scheduledLive.isFull, !liveEvents.isEmpty { return true }
        return false
    }

    /// Counts what is late, and returns by how many frames. What was meant for no frame of its own is not.
    @_noLocks private func countLateness(of time: SampleTime, _ reached: SampleTime) -> Int {
        guard time.isFrame && time < reached else { return 0 }
        lateEvents.add(1, ordering: .relaxed)
        return reached - time
    }

    @_noLocks private func countLive(_ lateness: Int) {
        lateLiveEvents.add(1, ordering: .relaxed)
        if lateness > state.pointee.worstLiveLateness {
            state.pointee.worstLiveLateness = lateness
            worstLiveLateness.store(lateness, ordering: .relaxed)
        }
    }

    @_noLocks private func perform(_ command: RenderCommand, to plan: PlanTables, _ offset: Int, at time: SampleTime) {
        let lateness = countLateness(of: command.time, time)
        if lateness > 0 { countLive(lateness) }
        if let node = command.node {
            if plan.add(command.event, to: node, offset: offset) {
                record(command, at: time, source: .live, lateness: lateness, isPlayed: plan.plays(command.event, node))
            } else {
                lostEvents.add(1, ordering: .relaxed)
            }
        } else if case .music(let music) = command.event {
            state.pointee.player.score.notes.observe(music)
            add(music, to: plan, offset, at: time, source: .live, lateness: lateness)
        } else {
            lostEvents.add(1, ordering: .relaxed)
        }
    }

    @_noLocks private func add(_ command: RenderCommand, to plan: PlanTables, _ offset: Int, at time: SampleTime) {
        if let node = command.node {
            if plan.add(command.event, to: node, offset: offset) {
                if case .music(let music) = command.event, music.beginsNote, !plan.hears(music, node) {
                    unheardEvents.add(1, ordering: .relaxed)
                }
                record(command, at: time, source: .command, isPlayed: plan.plays(command.event, node))
            } else {
                lostEvents.add(1, ordering: .relaxed)
            }
        } else if case .music(let music) = command.event {
            state.pointee.player.score.notes.observe(music)
            add(music, to: plan, offset, at: time, source: .command)
        } else if case .shed(let level) = command.event {
            plan.shed(level, offset: offset)
            record(command, at: time, source: .command)
        } else if case .adopted = command.event {
            // Only journals contain it; the plan itself has to be posted.
        } else {
            lostEvents.add(1, ordering: .relaxed)
        }
    }

    @_noLocks private func add(
        _ music: MusicEvent, to plan: PlanTables, _ offset: Int, at time: SampleTime, source: PerformedEvent.Source,
        lateness: Int = 0
    ) {
        var music = music
        if !state.pointee.player.passes(&music, source) { return }
        let reach = plan.add(music, offset: offset)
        if !reach.isHeard && music.beginsNote { unheardEvents.add(1, ordering: .relaxed) }
        if case .time(let said) = music {
            state.pointee.clock.follow(said, at: time, sampleRate: plan.sampleRate)
            plan.tell(state.pointee.clock, at: time, isSaid: true)
        }
        record(
            RenderCommand(time: time, node: nil, event: .music(music)), at: time, source: source, lateness: lateness,
            isPlayed: reach.isPlayed)
    }

    @_noLocks func record(
        _ command: RenderCommand, at time: SampleTime, source: PerformedEvent.Source, lateness: Int = 0, isPlayed: Bool = false
    ) {
        if !recordsScore, source.isScored { return }
        var command = command
        command.time = time
        let lateness = Int32(truncatingIfNeeded: min(lateness, Int(Int32.max)))
        let event = PerformedEvent(command, source: source, lateness: lateness, isPlayed: isPlayed)
        if !performed.push(event) { unrecordedEvents.add(1, ordering: .relaxed) }
    }
}

extension PlanTables {
    @_noLocks private func place(of node: NodeID) -> UnsafeMutablePointer<RenderStep>? {
        let step = step(of: node)
        return step < 0 ? nil : steps.baseAddress.unsafelyUnwrapped + step
    }

    @_noLocks fileprivate func hears(_ music: MusicEvent, _ node: NodeID) -> Bool {
        guard let step = place(of: node) else { return false }
        return step.hears(music)
    }
}
