// [render]
import CRealtime
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

/// THE render callback: events in, one slice of sound out.
///
/// One control thread posts plans, segments of scores and commands; one thread of live input sends what is played; one
/// render thread calls `render`. They meet in a queue each for plans, segments, commands and live events, a queue each of
/// what is returned and of what was performed, and counters. All stored properties that the render thread sees are `let`.
///
/// Sendable: outside of the package only atomic counters can be read. Inside, the engine's thread writes what it posts, the
/// thread of live input what is played, and the holder of the `PullClaim` the state of the render side.
package final class Renderer: @unchecked Sendable {
    struct State {
        /// The tables that are walked, and the object to give back when they are replaced.
        var tables: PlanTables?
        var plan: UnsafeMutableRawPointer?
        var player = ScoreLanes()
        /// The events that were fetched from the queues of commands and of live events.
        var scheduledCommands = EventSchedule(), scheduledLive = EventSchedule()
        /// True while live events wait because the output is not audible; and the notes that were late because of that.
        var holdsLive = false
        var lateNotes = LateNotes()
        var now = SampleTime.zero
        var number = 0
        var clock = MusicClock()
        var worstLiveLateness = 0
        /// The level of shedding that the units have not been sent yet, or -1.
        var shedding = -1
        /// The tables that `tables` gives way to when its fades are over; see `RenderPlan.Stages`.
        var lastStage: PlanTables?
        /// True while no edge fades; else, when everything crosses over, and when that is done.
        var isSettled = true
        var crossing = SampleTime.zero
        var crossingEnd = SampleTime.zero
        var serial = 0
        /// True once a plan has rendered anything: the plans before that are what the performance starts from.
        var hasBegun = false
    }

    /// Pushed by the control side, popped by the render side.
    let plans = SPSCQueue<UnsafeMutableRawPointer?>(capacity: 4096, filler: nil)
    private let segments = SPSCQueue<UnsafeMutableRawPointer?>(capacity: 64, filler: nil),
        besideSegments = SPSCQueue<UnsafeMutableRawPointer?>(capacity: 64, filler: nil),
        laneSegments = SPSCQueue<UnsafeMutableRawPointer?>(capacity: 64, filler: nil)
    let commands = SPSCQueue<RenderCommand>(capacity: 4096, filler: RenderCommand(time: .zero, node: nil, event: .reset))
    /// Pushed by the thread of live input, popped by the render side.
    let liveEvents = SPSCQueue<RenderCommand>(
        capacity: 4096, filler: RenderCommand(time: .zero, node: nil, event: .reset))
    /// Pushed by the render side, popped by the control side.
    let returned = SPSCQueue<UnsafeMutableRawPointer?>(capacity: 4096, filler: nil)
    let adoptions = SPSCQueue<PlanAdoption>(capacity: 256, filler: PlanAdoption(plan: 0, time: .zero))
    let performed = SPSCQueue<PerformedEvent>(
        capacity: 16_384,
        filler: PerformedEvent(RenderCommand(time: .zero, node: nil, event: .reset), source: .command))
    private let faults = SPSCQueue<RenderFault>(
        capacity: 256, filler: RenderFault(.notFinite, node: NodeID(rawValue: 0), time: .zero))
    let state: UnsafeMutablePointer<State>
    let number = RendererNumbers.take()
    let recordsScore: Bool
    let isClaimed = Atomic<Bool>(false)
    /// The next slice's sample time, for the control side to read.
    private let clock = Atomic<Int64>(0)
    /// Written by the render side, read by anyone: counts, and the place, among all plans posted, of the newest plan that has
    /// finished its fades (`settled`).
    private let slices = Atomic<Int>(0), faultCount = Atomic<Int>(0)
    let lateEvents = Atomic<Int>(0), lateLiveEvents = Atomic<Int>(0), worstLiveLateness = Atomic<Int>(0)
    let lostEvents = Atomic<Int>(0), unheardEvents = Atomic<Int>(0), unrecordedEvents = Atomic<Int>(0)
    let crowdedSlices = Atomic<Int>(0), settled = Atomic<Int>(0)
    private let burden = RenderBurden()
    /// The sound that a device plays beside the output.
    package let monitor = Monitor()
    /// The place of the newest plan among all plans posted, and the number of those that are reported. Control side.
    var newestPlan = 0, numbered: Int32 = 0

    /// Creates a renderer without a plan: silence. `recordsScore`: the score's events are among the performed ones too;
    /// `start`: the sample time of its first slice, not negative.
    package init(recordsScore: Bool = false, start: SampleTime = .zero) {
        self.recordsScore = recordsScore
        state = .allocate(capacity: 1)
        state.initialize(to: State(now: start))
        clock.store(start.rawValue, ordering: .relaxed)
    }

    deinit {
        RendererNumbers.giveBack(number)
        collect()
        while let plan = plans.pop() { release(plan) }
        while let segment = segments.pop() { release(segment) }
        while let segment = besideSegments.pop() { release(segment) }
        while let segment = laneSegments.pop() { release(segment) }
        release(state.pointee.plan)
        for object in state.pointee.player.dispose() { release(object) }
        state.pointee.scheduledCommands.deallocate()
        state.pointee.scheduledLive.deallocate()
        state.pointee.lateNotes.deallocate()
        state.deallocate()
    }

    /// The most plans that can wait.
    package static let planLimit = 64

    /// Makes `plan` sound from `time` on, exact to the frame, or with the next slice (nil, or if that time has passed).
    /// Plans take effect in the order in which they are posted: one waits for those before it.
    ///
    /// - Parameters:
    ///   - isReported: false for a plan that changes nothing that is heard.
    ///   - former: the number of a plan that was withdrawn and whose place this one takes; nil means a new number.
    /// - Returns: its number, from 1 on, by which `nextAdoption` and the performed events report when it has happened; 0 for
    ///   one that is not reported; nil, and nothing has changed, when 4096 wait for a renderer that does not run.
    @discardableResult
    package func adopt(
        _ plan: RenderPlan, at time: SampleTime? = nil, isReported: Bool = true, instead former: Int? = nil
    ) -> Int? {
        if plans.isFull { return nil }
        newestPlan += 1
        if isReported, former == nil { numbered += 1 }
        let number = former ?? (isReported ? Int(numbered) : 0)
        plan.ticket.pointee.time = time ?? .zero
        plan.ticket.pointee.serial = newestPlan
        plan.ticket.pointee.number = Int32(number)
        let isPosted = plans.push(Unmanaged<Retirable>.passRetained(plan).toOpaque())
        precondition(isPosted, "one thread posts plans")
        return number
    }

    /// The oldest adoption of a plan that has not been read yet.
    package func nextAdoption() -> PlanAdoption? { adoptions.pop() }

    /// True while no plan waits and no edge fades. Control side.
    var isSettled: Bool { settledPlan == newestPlan }
    /// The place of the newest plan that has finished its fades. Control side.
    var settledPlan: Int { settled.load(ordering: .acquiring) }

    /// Plays `score` as a whole from its origin on, instead of what was scheduled from then on; if that time has passed,
    /// at once, and the events that are late take effect at once and are counted. False as below.
    @discardableResult
    package func play(_ score: Score) -> Bool { play(ScoreSegment(score, start: score.origin)) }

    /// Schedules `segment` in its lane: at its start, or at once if that has passed, it takes over from the one before, exact to
    /// the frame. What was scheduled for that start or later is dropped, what was scheduled before it is played first: so
    /// the next round of a loop is posted ahead. False when 64 wait for a renderer that does not run.
    @discardableResult
    package func play(_ segment: ScoreSegment) -> Bool {
        let object = Unmanaged<Retirable>.passRetained(segment)
        let isTaken =
            switch segment.lane {
            case .score: segments.push(object.toOpaque())
            case .beside: besideSegments.push(object.toOpaque())
            case .loops: laneSegments.push(object.toOpaque())
            }
        if isTaken { return true }
        object.release()
        return false
    }

    /// Sends a command, in any order of time; false when the queue is full: a renderer that runs empties it once a slice, as
    /// far as no more than 16 384 commands wait for their time.
    package func send(_ command: RenderCommand) -> Bool { commands.push(command) }

    /// The number of commands that `send` would still take. The thread that sends them.
    package var commandRoom: Int { commands.room }

    /// The oldest event of the journal that has not been read yet: one that has reached the units.
    package func nextPerformed() -> PerformedEvent? { performed.pop() }

    /// Frees what the render thread has given back.
    package func collect() { while let object = returned.pop() { release(object) } }

    /// The oldest fault that has not been read yet.
    package func nextFault() -> RenderFault? { faults.pop() }

    /// The counts of what was late, lost or muted so far. Any thread.
    package var counters: RenderCounters {
        RenderCounters(
            slices: slices.load(ordering: .relaxed), lateEvents: lateEvents.load(ordering: .relaxed),
            lateLiveEvents: lateLiveEvents.load(ordering: .relaxed),
            worstLiveLateness: worstLiveLateness.load(ordering: .relaxed),
            lostEvents: lostEvents.load(ordering: .relaxed), unheardEvents: unheardEvents.load(ordering: .relaxed),
            crowdedSlices: crowdedSlices.load(ordering: .relaxed),
            unrecordedEvents: unrecordedEvents.load(ordering: .relaxed), faults: faultCount.load(ordering: .relaxed))
    }

    /// True while `renderTime` counts: two looks at the clock a call. Any thread.
    package var measuresTime: Bool {
        get { burden.isMeasured.load(ordering: .relaxed) }
        set { burden.isMeasured.store(newValue, ordering: .relaxed) }
    }

    /// Nanoseconds that render calls took, while `measuresTime`. Any thread.
    package var renderTime: Int { burden.nanoseconds.load(ordering: .relaxed) }

    /// The sample time of the next slice. Any thread.
    package var sampleTime: SampleTime { @_noLocks get { SampleTime(clock.load(ordering: .acquiring)) } }

    private func release(_ object: UnsafeMutableRawPointer?) {
        if let object { Unmanaged<Retirable>.fromOpaque(object).release() }
    }

    /// Sends what is played now to the units of its part; false when the queue is full. One thread, that of live input, in
    /// any order of time; events for one frame take effect in the order in which they were sent.
    ///
    /// `event.time` is the frame on which it takes effect, `SampleTime.immediately` (the start of the next slice) or
    /// `.inTurn`. A frame that has passed means the next slice too, and is counted as late.
    package func sendLive(_ event: TimedMusicEvent) -> Bool {
        sendLive(RenderCommand(time: event.time, node: nil, event: .music(event.event)))
    }

    /// Sends music, or what a controller of a keyboard makes of a unit's parameter: each takes effect on its frame, in one
    /// order.
    package func sendLive(_ command: RenderCommand) -> Bool { liveEvents.push(command) }

    /// Makes every unit work less from the start of the next slice: 0...3, see `AudioUnit.shed`. The journal records it as a
    /// command to all. Render thread, between two slices; others send the command.
    @_noLocks package func shed(_ level: Int) { state.pointee.shedding = min(max(level, 0), 3) }

    /// Makes every live note sound for `shortest` frames at least: a machine that was held up delivers its beginning and its
    /// end together. 0, as at first: each is as short as it was played. Render thread, between two slices.
    @_noLocks package func keepLive(shortest: Int) { state.pointee.lateNotes.keep(shortest: shortest) }

    /// Holds live events from the next slice on, because the slices that follow are not audible. Commands and the score go
    /// on. Render thread, between two slices.
    @_noLocks package func holdLive() {
        if !state.pointee.holdsLive { state.pointee.lateNotes.close(at: state.pointee.now) }
        state.pointee.holdsLive = true
    }

    /// Releases the held events at the next slice, which is audible: all that waited take effect on its first frame, in
    /// order, late and counted as such; but each note ends as long after its beginning as it was played. That holds for all
    /// late notes of the next `window` frames; a note of unknown length, because its events have no frame of their own,
    /// sounds for `least` frames at least. A note that had begun just before the stretch is heard for so long, or for its
    /// length. Render thread, between two slices.
    @_noLocks package func resumeLive(window: Int, least: Int) {
        guard state.pointee.holdsLive else { return }
        state.pointee.holdsLive = false
        let now = state.pointee.now
        state.pointee.lateNotes.open(at: now, until: now + window, least: least)
    }

    /// Renders the next `block.frames` frames into `block`: channel by channel the plan's output, silence beyond it;
    /// an output of one channel on all.
    ///
    /// Returns `.silent` when every sample is zero. Render thread.
    ///
    /// - Parameter crew: the helpers; nil means none. It changes no sample.
    @_noLocks package func render(into block: borrowing AudioBlock, with crew: Unmanaged<RenderCrew>? = nil) -> RenderStatus {
        rt_enter()
        let start = burden.isMeasured.load(ordering: .relaxed) ? rt_monotonic_nanoseconds() : 0
        let floatingPoint = rt_denormals_off()
        fetch()
        let status = renderSlices(block, crew)
        clock.store(state.pointee.now.rawValue, ordering: .releasing)
        slices.add(1, ordering: .relaxed)
        if start != 0 { burden.nanoseconds.add(Int(rt_monotonic_nanoseconds() &- start), ordering: .relaxed) }
        rt_denormals_restore(floatingPoint)
        rt_leave()
        return status
    }

    /// The straight line: events of the slice -> units, sources first -> the block.
    @_noLocks private func renderSlices(_ block: borrowing AudioBlock, _ crew: Unmanaged<RenderCrew>?) -> RenderStatus {
        var done = 0
        var status = RenderStatus.silent
        while done < block.frames {
            let isCrowded = schedule(at: state.pointee.now)
            adoptDuePlans()
            let limit = framesOfPlan(block.frames &- done)
            guard let plan = state.pointee.tables else {
                for c in 0..<block.channelCount { rt_zero(block.channel(c).base + done, limit) }
                done &+= limit
                state.pointee.now = state.pointee.now + limit
                continue
            }
            state.pointee.hasBegun = true
            plan.clearEvents()
            let rendered: (frames: Int, sounds: Bool)
            // A loop needs the end of a slice before the next can begin, and 64 frames are too few to share out. Without
            // helpers, then or if there is nothing to share, the samples are the same.
            if let crew, !plan.hasLoops, plan.queue.weights.isShared {
                rendered = renderRound(crew, plan, block, from: done, limit, isCrowded: isCrowded)
            } else {
                let weights = crew == nil ? nil : plan.queue.weights
                weights?.begin(1)
                rendered = renderSlice(plan, block, from: done, limit, isCrowded: isCrowded)
                weights?.end(1)
            }
            if rendered.sounds { status = .sounding }
            done &+= rendered.frames
        }
        return status
    }

    @_noLocks private func fetch() {
        state.pointee.player.fetch(segments, .score, returned: returned)
        state.pointee.player.fetch(besideSegments, .beside, returned: returned)
        state.pointee.player.fetch(laneSegments, .loops, returned: returned)
    }

    @_noLocks private func renderSlice(
        _ plan: PlanTables, _ block: borrowing AudioBlock, from done: Int, _ limit: Int, isCrowded: Bool
    ) -> (frames: Int, sounds: Bool) {
        let now = state.pointee.now
        let frames = collectEvents(plan.begin(0), min(limit, plan.maximumFrames), isCrowded: isCrowded)
        plan.render(frames, at: now, number: state.pointee.number)
        state.pointee.number &+= 1
        report(plan, slice: 0, at: now)
        state.pointee.now = now + frames
        return (frames, plan.write(to: block.channels, block.channelCount, from: done, frames))
    }

    /// Renders as many slices as possible in one round, `limit` frames at most, with the helpers.
    @_noLocks private func renderRound(
        _ crew: Unmanaged<RenderCrew>, _ plan: PlanTables, _ block: borrowing AudioBlock, from done: Int, _ limit: Int,
        isCrowded: Bool
    ) -> (frames: Int, sounds: Bool) {
        let slices = crew._withUnsafeGuaranteedRef { $0.slices }
        var count = 0, frames = 0, isCrowded = isCrowded, isCut = false
        while frames < limit && count < PlanTables.sliceLimit && !isCut {
            if count > 0 { isCrowded = schedule(at: state.pointee.now) }
            let wanted = min(limit &- frames, plan.maximumFrames)
            let complete = collectEvents(plan.begin(count), wanted, isCrowded: isCrowded)
            slices[count] = RenderCrew.Slice(
                offset: done &+ frames, frames: complete, time: state.pointee.now, number: state.pointee.number)
            state.pointee.number &+= 1
            isCut = complete < wanted
            count &+= 1
            frames &+= complete
            state.pointee.now = state.pointee.now + complete
        }
        let round = RenderCrew.Round(plan, slices, to: block.channels, block.channelCount)
        crew._withUnsafeGuaranteedRef { $0.render(round, count: count) }
        var sounds = false
        for number in 0..<count {
            report(plan, slice: number, at: slices[number].time)
            if slices[number].sounds { sounds = true }
        }
        return (frames, sounds)
    }

    @_noLocks private func report(_ plan: PlanTables, slice: Int, at time: SampleTime) {
        let lost = plan.takeLostMusic()
        if lost > 0 { lostEvents.add(lost, ordering: .relaxed) }
        let faulty = plan.report(slice: slice, at: time, to: faults)
        if faulty > 0 { faultCount.add(faulty, ordering: .relaxed) }
    }
}
