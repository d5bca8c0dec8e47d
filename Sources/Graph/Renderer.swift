// [render]
import CRealtime
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

/// THE render callback: events in, one slice of sound out.
///
/// One control thread posts plans, scores and commands; one render thread calls `render`. They meet in a mailbox each
/// for plan and score, a queue of commands, a queue of what is returned, and counters. All stored properties are `let`.
public final class Renderer: @unchecked Sendable {
    /// What the render thread keeps between slices.
    struct State {
        /// What is walked, and the object to give back when it is replaced.
        var tables: PlanTables?
        var plan: UnsafeMutableRawPointer?
        var events: UnsafePointer<TimedMusicEvent>?
        var eventCount = 0
        var origin = SampleTime.zero
        var score: UnsafeMutableRawPointer?
        var cursor = 0
        var now = SampleTime.zero
    }

    /// Posted by the control side, fetched by the render side.
    private let newPlan = Mailbox(), newScore = Mailbox()
    /// Pushed by the control side, popped by the render side.
    private let commands = SPSCQueue<RenderCommand>(
        capacity: 4096, filler: RenderCommand(time: .zero, node: nil, event: .reset))
    /// Pushed by the render side, popped by the control side.
    private let returned = SPSCQueue<UnsafeMutableRawPointer?>(capacity: 64, filler: nil)
    private let faults = SPSCQueue<RenderFault>(
        capacity: 256, filler: RenderFault(.notFinite, node: NodeID(rawValue: 0), time: .zero))
    private let state: UnsafeMutablePointer<State>
    /// The next slice's sample time, for the control side to read.
    private let clock = Atomic<Int64>(0)
    /// Counted by the render side, read by anyone.
    private let slices = Atomic<Int>(0), lateEvents = Atomic<Int>(0), lostEvents = Atomic<Int>(0)
    private let faultCount = Atomic<Int>(0)

    /// A renderer without a plan: silence.
    public init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        collect()
        release(newPlan.fetch())
        release(newScore.fetch())
        release(state.pointee.plan)
        release(state.pointee.score)
        state.deallocate()
    }

    // MARK: - Control side

    /// Makes `plan` sound from the next slice on.
    public func adopt(_ plan: RenderPlan) { release(newPlan.post(Unmanaged<Retirable>.passRetained(plan).toOpaque())) }

    /// Plays `score` from the next slice on, instead of the one before; its events before that slice are late: they
    /// take effect at once and are counted.
    public func play(_ score: Score) { release(newScore.post(Unmanaged<Retirable>.passRetained(score).toOpaque())) }

    /// Sends a command; false when the queue is full. Send in order of time: a command waits for those before it.
    public func send(_ command: RenderCommand) -> Bool { commands.push(command) }

    /// Frees what the render thread has given back.
    public func collect() { while let object = returned.pop() { release(object) } }

    /// The oldest fault that nobody has read yet.
    public func nextFault() -> RenderFault? { faults.pop() }

    /// What was late, lost or muted so far. Any thread.
    public var counters: RenderCounters {
        RenderCounters(
            slices: slices.load(ordering: .relaxed), lateEvents: lateEvents.load(ordering: .relaxed),
            lostEvents: lostEvents.load(ordering: .relaxed), faults: faultCount.load(ordering: .relaxed))
    }

    /// The sample time of the next slice. Any thread.
    public var sampleTime: SampleTime { SampleTime(clock.load(ordering: .acquiring)) }

    private func release(_ object: UnsafeMutableRawPointer?) {
        if let object { Unmanaged<Retirable>.fromOpaque(object).release() }
    }

    // MARK: - Render side

    /// Renders the next `block.frames` frames into `block`: channel by channel the plan's output, silence beyond it.
    ///
    /// Returns `.silent` when every sample is zero. Render thread.
    @_noLocks public func render(into block: borrowing AudioBlock) -> RenderStatus {
        rt_enter()
        let floatingPoint = rt_denormals_off()
        fetch()
        let status = renderSlices(block)
        clock.store(state.pointee.now.rawValue, ordering: .releasing)
        slices.add(1, ordering: .relaxed)
        rt_denormals_restore(floatingPoint)
        rt_leave()
        return status
    }

    /// The straight line: events of the slice -> units, sources first -> the block.
    @_noLocks private func renderSlices(_ block: borrowing AudioBlock) -> RenderStatus {
        var done = 0
        var status = RenderStatus.silent
        guard let plan = state.pointee.tables else {
            for c in 0..<block.channelCount { rt_zero(block.channel(c).base, block.frames) }
            state.pointee.now = state.pointee.now + block.frames
            return .silent
        }
        while done < block.frames {
            plan.clearEvents()
            let frames = collectEvents(plan, min(block.frames &- done, plan.maximumFrames))
            let faulty = plan.render(frames, at: state.pointee.now, faults: faults)
            if faulty > 0 { faultCount.add(faulty, ordering: .relaxed) }
            if write(plan, to: block, from: done, frames) == .sounding { status = .sounding }
            done &+= frames
            state.pointee.now = state.pointee.now + frames
        }
        return status
    }

    /// Takes the newest plan and score, and gives the old ones back. With no room to give back, they stay a slice longer.
    @_noLocks private func fetch() {
        if returned.isFull { return }
        if let plan = newPlan.fetch() {
            if let old = state.pointee.plan { _ = returned.push(old) }
            state.pointee.plan = plan
            state.pointee.tables = Unmanaged<RenderPlan>.fromOpaque(plan)._withUnsafeGuaranteedRef { $0.tables }
            if let tables = state.pointee.tables { tables.adopt() }
        }
        if returned.isFull { return }
        if let score = newScore.fetch() {
            if let old = state.pointee.score { _ = returned.push(old) }
            state.pointee.score = score
            let new = Unmanaged<Score>.fromOpaque(score)
            state.pointee.events = new._withUnsafeGuaranteedRef { $0.events }
            state.pointee.eventCount = new._withUnsafeGuaranteedRef { $0.count }
            state.pointee.origin = new._withUnsafeGuaranteedRef { $0.origin }
            state.pointee.cursor = 0
        }
    }

    /// Sorts the events of the next `limit` frames into the plan. Returns the frames they are complete for: fewer than
    /// `limit` when the plan's room for events is used up, 0 when there are that many at one moment.
    @_noLocks private func collectEvents(_ plan: PlanTables, _ limit: Int) -> Int {
        let now = state.pointee.now, end = now + limit
        while true {
            let command = commands.peek()
            let music = nextMusic()
            let isCommand: Bool
            if let command {
                if let music { isCommand = command.time <= music.time } else { isCommand = true }
            } else {
                isCommand = false
            }
            let time: SampleTime
            if isCommand, let command { time = command.time } else if let music { time = music.time } else { return limit }
            if time >= end { return limit }
            let offset = max(time - now, 0)
            if !plan.hasRoom() { return offset }
            if time < now { lateEvents.add(1, ordering: .relaxed) }
            if isCommand, let command {
                add(command, to: plan, offset)
                commands.drop()
            } else if let music {
                plan.add(music.event, offset: offset)
                state.pointee.cursor &+= 1
            }
        }
    }

    @_noLocks private func nextMusic() -> TimedMusicEvent? {
        guard let events = state.pointee.events, state.pointee.cursor < state.pointee.eventCount else { return nil }
        var event = events[state.pointee.cursor]
        event.time = state.pointee.origin + Int(event.time.rawValue)
        return event
    }

    @_noLocks private func add(_ command: RenderCommand, to plan: PlanTables, _ offset: Int) {
        if let node = command.node {
            if !plan.add(command.event, to: node, offset: offset) { lostEvents.add(1, ordering: .relaxed) }
        } else if case .music(let music) = command.event {
            plan.add(music, offset: offset)
        } else {
            lostEvents.add(1, ordering: .relaxed)
        }
    }

    @_noLocks private func write(
        _ plan: PlanTables, to block: borrowing AudioBlock, from offset: Int, _ frames: Int
    ) -> RenderStatus {
        let output = plan.output
        for c in 0..<block.channelCount {
            let to = block.channel(c).base + offset
            if c < output.pointee.channelCount { rt_copy(to, output.pointee.channels[c], frames) } else { rt_zero(to, frames) }
        }
        return output.pointee.isSilent ? .silent : .sounding
    }
}
