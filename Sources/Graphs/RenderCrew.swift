// [render]
import CRealtime
import RealtimeCore
import Synchronization

/// The threads that help a render callback: it opens a round of some slices, they join in, and it ends when all steps of the
/// plan are done in all of them.
///
/// The crew has no threads of its own: the threads that call `attend` are its helpers. There are no locks: a helper that
/// finds nothing to do for some 20 microseconds sleeps, and is woken by the thread that has work for it. The render thread
/// waits for helpers that are still at a step: if the system takes a helper off its processor then, it delays the render
/// thread.
package final class RenderCrew: @unchecked Sendable {
    struct Slice: BitwiseCopyable {
        let offset: Int, frames: Int
        let time: SampleTime
        let number: Int
        /// True if anything of the slice is heard: written by the thread that has rendered it.
        var sounds = false

        @_noLocks init(offset: Int, frames: Int, time: SampleTime, number: Int) {
            (self.offset, self.frames, self.time, self.number) = (offset, frames, time, number)
        }
    }

    struct Round: BitwiseCopyable {
        let plan: PlanTables
        let slices: UnsafeMutablePointer<Slice>
        let channels: UnsafePointer<UnsafeMutablePointer<Float>>
        let channelCount: Int

        @_noLocks init(
            _ plan: PlanTables, _ slices: UnsafeMutablePointer<Slice>,
            to channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int
        ) {
            (self.plan, self.slices, self.channels, self.channelCount) = (plan, slices, channels, channelCount)
        }

        /// Takes tasks until none is left; returns whether it did any.
        @_noLocks func work() -> Bool {
            let count = plan.steps.count
            var hasWorked = false
            var task = plan.queue.take()
            while task >= 0 {
                hasWorked = true
                let place = task / count, index = task % count
                let slice = slices + place
                plan.run(
                    index, slice: place, slice.pointee.frames, at: slice.pointee.time, number: slice.pointee.number)
                if index == plan.outside {
                    slice.pointee.sounds = plan.write(
                        to: channels, channelCount, from: slice.pointee.offset, slice.pointee.frames)
                }
                task = plan.queue.finish(task, plan)
                if task < 0 { task = plan.queue.take() }
            }
            return hasWorked
        }
    }

    /// Slices of a round, at most. Control side.
    package static var sliceLimit: Int { PlanTables.sliceLimit }

    /// A bit while a round is open, one while the render thread sleeps, and below them the number of helpers.
    private let state: UnsafeMutablePointer<Atomic<Int32>>
    /// The number of rounds so far: helpers wait for the next.
    let rounds = EventCount()
    private let isOver = AtomicFlag()
    /// Written while no round is open.
    private let round: UnsafeMutablePointer<Round?>
    let slices: UnsafeMutablePointer<Slice>

    private var isOpen: Int32 { @_noLocks get { 1 &<< 30 } }
    private var isAwaited: Int32 { @_noLocks get { 1 &<< 29 } }

    /// Creates a crew without a round. Control side.
    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: Atomic(0))
        round = .allocate(capacity: 1)
        round.initialize(to: nil)
        slices = .allocate(capacity: PlanTables.sliceLimit)
        slices.initialize(repeating: Slice(offset: 0, frames: 0, time: .zero, number: 0), count: PlanTables.sliceLimit)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        round.deallocate()
        slices.deallocate()
    }

    /// Renders slices together with the helpers. Render thread.
    @_noLocks func render(_ work: Round, count: Int) {
        work.plan.state.pointee.isAtRest = false
        work.plan.queue.open(work.plan.steps, slices: count)
        work.plan.queue.weights.begin(count)
        defer { work.plan.queue.weights.end(count) }
        round.pointee = work
        // It opens before it is counted: a helper that sees the number finds the round, or knows that it is over.
        state.pointee.store(isOpen, ordering: .releasing)
        rounds.advance()
        _ = work.work()
        _ = state.pointee.bitwiseAnd(~isOpen, ordering: .relaxed)
        var looks: Int32 = 0
        while true {
            let now = state.pointee.load(ordering: .acquiring)
            if now & ~isAwaited == 0 { return }
            if rt_look(&looks) { continue }
            if now & isAwaited == 0 {
                _ = state.pointee.bitwiseOr(isAwaited, ordering: .relaxed)
            } else {
                // Each that leaves makes another word of it, and the last one wakes.
                rt_sleep(UnsafeMutableRawPointer(state).assumingMemoryBound(to: Int32.self), now)
            }
        }
    }

    /// Takes part in every round, and sleeps between two, until `dismiss`. A thread that does nothing else.
    package func attend() {
        while true {
            let number = rounds.number
            if isOver.isSet { return }
            _ = help()
            rounds.wait(past: number)
        }
    }

    /// Makes all helpers return from `attend`, now and from now on. Only while no round is open, and no more will be.
    package func dismiss() {
        isOver.publish(true)
        rounds.announce()
    }

    /// Takes part in the round that is open until nothing is left to take. Returns whether it did anything: a thread that did
    /// nothing yields the processor before it asks again. Any thread but the one that renders.
    @_noLocks package func help() -> Bool {
        var before = state.pointee.load(ordering: .acquiring), hasJoined = false
        while !hasJoined {
            if before & isOpen == 0 { return false }
            (hasJoined, before) = state.pointee.compareExchange(
                expected: before, desired: before &+ 1, ordering: .acquiring)
        }
        rt_enter()
        let floatingPoint = rt_denormals_off()
        let hasWorked = round.pointee.map { $0.work() } ?? false
        rt_denormals_restore(floatingPoint)
        if state.pointee.subtract(1, ordering: .acquiringAndReleasing).newValue == isAwaited {
            rt_wake(UnsafeMutableRawPointer(state).assumingMemoryBound(to: Int32.self))
        }
        rt_leave()
        return hasWorked
    }
}
