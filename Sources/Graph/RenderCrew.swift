// [render]
import CRealtime
import RealtimeCore
import Synchronization

/// The threads that help a render callback: it opens a round for each slice, they join in, and it ends when all steps of the
/// plan are done.
///
/// The crew has no threads of its own; those that call `help` are its. The one that renders waits for the helpers that are
/// still at a step, without a lock: a helper that the system takes from its processor then holds it up.
public final class RenderCrew: @unchecked Sendable {
    /// What there is to do in a round.
    struct Round: BitwiseCopyable {
        let plan: PlanTables
        let frames: Int
        let time: SampleTime

        /// Takes steps until none is left.
        ///
        /// Returns whether it did any.
        @_noLocks func work() -> Bool {
            var hasWorked = false
            let followers = plan.followers.baseAddress.unsafelyUnwrapped
            var index = plan.queue.take()
            while index >= 0 {
                hasWorked = true
                plan.run(index, frames, at: time)
                let first = Int(plan.steps[index].firstFollower), count = Int(plan.steps[index].followerCount)
                index = plan.queue.finish(followers + first, count)
                if index < 0 { index = plan.queue.take() }
            }
            return hasWorked
        }
    }

    /// Whether a round is open, and below that bit how many help.
    private let state = Atomic<Int>(0)
    /// Written while no round is open.
    private let round: UnsafeMutablePointer<Round?>

    private var isOpen: Int { @_noLocks get { 1 &<< 32 } }

    /// A crew without a round. Control side.
    public init() {
        round = .allocate(capacity: 1)
        round.initialize(to: nil)
    }

    deinit { round.deallocate() }

    /// Renders a slice with whoever helps. Render thread.
    @_noLocks func render(_ plan: PlanTables, _ frames: Int, at time: SampleTime) {
        let work = Round(plan: plan, frames: frames, time: time)
        plan.queue.open(plan.steps)
        round.pointee = work
        state.store(isOpen, ordering: .releasing)
        _ = work.work()
        _ = state.bitwiseAnd(~isOpen, ordering: .relaxed)
        var looks: Int32 = 0
        while state.load(ordering: .acquiring) != 0 { rt_wait(&looks) }
    }

    /// Takes part in the round that is open until nothing is left to take. Returns whether it did anything: who did not lets
    /// others have the processor before it asks again. Any thread but the one that renders.
    @_noLocks public func help() -> Bool {
        let before = state.load(ordering: .relaxed)
        if before & isOpen == 0 { return false }
        let (hasJoined, _) = state.compareExchange(expected: before, desired: before &+ 1, ordering: .acquiring)
        if !hasJoined { return false }
        rt_enter()
        let floatingPoint = rt_denormals_off()
        let hasWorked = round.pointee.map { $0.work() } ?? false
        rt_denormals_restore(floatingPoint)
        rt_leave()
        state.subtract(1, ordering: .releasing)
        return hasWorked
    }
}
