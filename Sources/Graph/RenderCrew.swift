// [render]
import CRealtime
import RealtimeCore
import Synchronization

/// The threads that help a render callback: it opens a round for each slice, they join in, and it ends when all steps of the
/// plan are done.
///
/// The crew has no threads of its own; those that call `help` are its. The one that renders waits at a round's end for the
/// helpers that are still at a step, without a lock: a helper that the system takes from its processor then holds it up.
public final class RenderCrew: @unchecked Sendable {
    /// How a thread waits for another's step.
    public struct Patience: BitwiseCopyable, Sendable {
        /// Whether it offers its processor to others after a while: the one it waits for may need it.
        let yields: Bool

        /// Looks again and again: for a callback that somebody listens to.
        public static var live: Patience { @_noLocks get { Patience(yields: false) } }
        /// Offers its processor to others after some microseconds.
        public static var offline: Patience { @_noLocks get { Patience(yields: true) } }

        @_noLocks private init(yields: Bool) { self.yields = yields }

        @_noLocks func wait(_ looks: inout Int) {
            looks &+= 1
            if yields && looks > 1_000 { rt_yield() } else { rt_pause() }
        }
    }

    /// What there is to do in a round.
    struct Round: BitwiseCopyable {
        let plan: PlanTables
        let frames: Int
        let time: SampleTime

        /// Takes steps until none is left.
        @_noLocks func work(_ patience: Patience) {
            while true {
                let index = plan.queue.take(patience)
                if index < 0 { return }
                plan.run(index, frames, at: time)
                let step = plan.steps[index]
                for follower in 0..<Int(step.followerCount) {
                    plan.queue.count(down: plan.followers[Int(step.firstFollower) &+ follower])
                }
            }
        }
    }

    /// Whether a round is open, and below that bit how many help.
    private let state = Atomic<Int>(0)
    /// Written while no round is open.
    private let round: UnsafeMutablePointer<Round?>
    private let patience: Patience

    private var isOpen: Int { @_noLocks get { 1 &<< 32 } }

    /// A crew without a round. Control side.
    public init(_ patience: Patience) {
        self.patience = patience
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
        work.work(patience)
        _ = state.bitwiseAnd(~isOpen, ordering: .relaxed)
        var looks = 0
        while state.load(ordering: .acquiring) != 0 { patience.wait(&looks) }
    }

    /// Takes part in the round that is open until nothing is left to take. Returns whether one was. Any thread but the one
    /// that renders.
    @_noLocks public func help() -> Bool {
        let before = state.load(ordering: .relaxed)
        if before & isOpen == 0 { return false }
        guard state.compareExchange(expected: before, desired: before &+ 1, ordering: .acquiring).exchanged else { return true }
        rt_enter()
        let floatingPoint = rt_denormals_off()
        if let round = round.pointee { round.work(patience) }
        rt_denormals_restore(floatingPoint)
        rt_leave()
        state.subtract(1, ordering: .releasing)
        return true
    }
}
