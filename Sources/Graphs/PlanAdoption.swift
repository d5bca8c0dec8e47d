// [render]
import RealtimeCore
import Synchronization
import UnitAPI

/// The report that a plan has taken over.
@frozen public struct PlanAdoption: BitwiseCopyable, Sendable, Hashable {
    /// The number that `Renderer.adopt` returned.
    public var plan: Int
    /// The first frame rendered with it.
    public var time: SampleTime

    /// Plan `plan` from `time` on.
    @_noLocks public init(plan: Int, time: SampleTime) {
        self.plan = plan
        self.time = time
    }
}

extension PlanTables {
    /// `hold`: frames until everything crosses over. Returns whether any edge is under way to the gain it has in this plan.
    @_noLocks func adopt(hold: Int) -> Bool {
        adoptSolos()
        var isMoving = false
        for f in 0..<feeds.count {
            let gain = feeds[f].gain
            switch feeds[f].role {
            case .live:
                if gain.pointee.target == 1 && (gain.pointee.isSteady || gain.pointee.isPriming) { break }
                gain.pointee.move(to: 1, after: hold, over: fade)
            case .filling, .full:
                if gain.pointee.target == 1 && (gain.pointee.isSteady || gain.pointee.isPriming) { break }
                if gain.pointee.isWaiting {
                    // Of an edit that was about to cross over: what it leads to may be heard, beside what it replaces.
                    gain.pointee.move(to: 1, after: hold, over: fade)
                } else if case .full = feeds[f].role, gain.pointee.value == 0 {
                    gain.pointee.jump(to: 1)
                } else {
                    gain.pointee.move(to: 1, after: 0, over: fade, isPriming: true)
                }
            case .leaving:
                gain.pointee.move(to: 0, after: hold, over: fade)
            case .kept: continue
            }
            if !gain.pointee.isSteady { isMoving = true }
        }
        listen(isOver: false)
        return isMoving
    }

    /// Fades are over: what has left is at rest, and so is what is bypassed now.
    @_noLocks func settle() {
        state.pointee.isAtRest = false
        for f in 0..<feeds.count {
            switch feeds[f].role {
            case .leaving, .kept: feeds[f].gain.pointee.jump(to: 0)
            case .live, .filling, .full: break
            }
        }
        listen(isOver: true)
    }

    /// Finds out which of the steps that leave or rest are still heard. A bypassed unit starts afresh when its fade is over.
    @_noLocks private func listen(isOver: Bool) {
        let steps = steps.baseAddress.unsafelyUnwrapped
        for s in 0..<self.steps.count where steps[s].isLeaving || steps[s].isResting {
            steps[s].wasHeard = steps[s].isHeard
            steps[s].isHeard = false
        }
        // Backwards, so that a step's destinations are known before the step; repeated if a loop is fed by a later step.
        var isKnown = false
        while !isKnown {
            isKnown = true
            for s in stride(from: self.steps.count &- 1, through: 0, by: -1) where steps[s].isHeard {
                for b in 0..<steps[s].ports.pointee.inputCount {
                    if mark(steps[s].inlets[b], heardBy: s) { isKnown = false }
                }
            }
        }
        if !isOver { return }
        for s in 0..<self.steps.count {
            let step = steps + s
            if step.pointee.isResting && step.pointee.wasHeard && !step.pointee.isHeard && !step.pointee.isJoin {
                step.resetUnit()
                step.pointee.memory.pointee.isAsleep = false
            }
        }
    }

    /// Returns true if a source of an input bus of step `s` is a later step and was not marked.
    @_noLocks private func mark(_ inlet: Inlet, heardBy s: Int) -> Bool {
        var isNews = false
        for f in inlet.firstFeed..<(inlet.firstFeed &+ inlet.feedCount) {
            let gain = feeds[f].gain.pointee, source = Int(feeds[f].sourceStep)
            if gain.target == 0 && gain.isSteady { continue }
            if source > s && !steps[source].isHeard { isNews = true }
            steps[source].isHeard = true
        }
        return isNews
    }
}

extension Renderer {
    /// Ends the fades that are over, and adopts what is due. With no room to give back what it replaces, a plan waits.
    @_noLocks func adoptDuePlans() {
        let state = state
        while true {
            if !state.pointee.isSettled && state.pointee.crossingEnd <= state.pointee.now {
                endCrossing()
                continue
            }
            guard let waiting = waitingPlan, returned.room > ScorePlayer.capacity &+ 2 else { return }
            let object = plans.peek()
            if !waiting._withUnsafeGuaranteedRef({ $0.isWaiting }) {
                // It was withdrawn.
                plans.drop()
                if let object { _ = returned.push(object) }
                continue
            }
            let plan = waiting._withUnsafeGuaranteedRef { $0.ticket }
            guard plan.pointee.time <= state.pointee.now else { return }
            guard let stages = state.pointee.isSettled ? plan.pointee.settled : plan.pointee.fading else { return }
            if !waiting._withUnsafeGuaranteedRef({ $0.take() }) { continue }
            plans.drop()
            if let old = state.pointee.plan { _ = returned.push(old) }
            state.pointee.plan = object ?? nil
            state.pointee.serial = plan.pointee.serial
            state.pointee.lastStage = stages.last
            begin(stages.first)
            if plan.pointee.number > 0 { report(plan.pointee.number) }
        }
    }

    @_noLocks func framesOfPlan(_ limit: Int) -> Int {
        let now = state.pointee.now
        var frames = limit
        if !state.pointee.isSettled { frames = min(frames, state.pointee.crossingEnd - now) }
        if let time = waitingPlan?._withUnsafeGuaranteedRef({ $0.ticket.pointee.time }), time > now {
            frames = min(frames, time - now)
        }
        return frames
    }

    private var waitingPlan: Unmanaged<RenderPlan>? {
        @_noLocks get {
            guard let object = plans.peek(), let object else { return nil }
            return Unmanaged.fromOpaque(object)
        }
    }

    @_noLocks private func begin(_ tables: PlanTables) {
        let now = state.pointee.now
        // A crossing that has not begun begins no earlier because of another edit.
        let crossing = tables.fade == 0 ? now : max(state.pointee.crossing, now + tables.hold)
        state.pointee.tables = tables
        state.pointee.isSettled = false
        state.pointee.crossing = crossing
        state.pointee.crossingEnd = tables.adopt(hold: crossing - now) ? crossing + Int(tables.fade) : now
    }

    @_noLocks private func endCrossing() {
        if let tables = state.pointee.tables { tables.settle() }
        if let last = state.pointee.lastStage {
            state.pointee.lastStage = nil
            begin(last)
        } else {
            state.pointee.isSettled = true
            settled.store(state.pointee.serial, ordering: .releasing)
        }
    }

    @_noLocks private func report(_ number: Int32) {
        let now = state.pointee.now
        if state.pointee.hasBegun || number > 1 {
            record(RenderCommand(time: now, node: nil, event: .adopted(plan: number)), at: now, source: .command)
        }
        _ = adoptions.push(PlanAdoption(plan: Int(number), time: now))
    }
}
