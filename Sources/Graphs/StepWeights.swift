// [render]
import CRealtime

/// The cost of a plan's steps, measured now and then: it shows whether several threads find enough to do in the plan.
///
/// If sound begins in two places or more, as in the shares of a sampler, they always do, and nothing is measured. If it
/// begins in one, as in a synthesizer that one thread plays, the other threads would idle while that unit works, unless the
/// effects after it cost enough: those can be at one slice while it is at the next.
struct StepWeights: BitwiseCopyable {
    private struct State: BitwiseCopyable {
        /// Slices until the next weighing.
        var left = 0
        var isWeighing = false
        var isShared: Bool
    }

    /// Slices from one weighing to the next: soon enough for a session to which notes come.
    private static var interval: Int { @_noLocks get { 16 } }
    /// Nanoseconds of a slice that are worth waking a thread for.
    private static var least: Int64 { @_noLocks get { 20_000 } }

    private let count: Int
    /// Nanoseconds of each step, while it is weighed; a step is at one slice at a time.
    private let nanoseconds: UnsafeMutablePointer<Int64>
    private let state: UnsafeMutablePointer<State>
    private let hasSources: Bool

    init(_ steps: [RenderStep], in memory: PlanMemory) {
        let sources = steps.count { step in
            let ports = step.bothPorts.pointee
            return !step.isWire && ports.inputCount == 0 && ports.outputCount > 0
        }
        count = steps.count
        hasSources = sources > 1
        nanoseconds = memory.allocate(steps.count, 0)
        state = memory.allocate(1, State(isShared: hasSources))
    }

    var isShared: Bool { @_noLocks get { state.pointee.isShared } }

    /// Returns true while steps are weighed: from the time at which one begins, 0 else, `add` finds what it took.
    @_noLocks func start() -> Int64 { state.pointee.isWeighing ? rt_monotonic_nanoseconds() : 0 }

    /// Adds the time of a finished step. Any thread.
    @_noLocks func add(_ step: Int, since start: Int64) {
        if start != 0 { nanoseconds[step] &+= rt_monotonic_nanoseconds() &- start }
    }

    /// Prepares for rendering `slices` slices. Render thread, while no helper runs.
    @_noLocks func begin(_ slices: Int) {
        if hasSources { return }
        state.pointee.left &-= slices
        if state.pointee.left > 0 { return }
        state.pointee.left = Self.interval
        for step in 0..<count { nanoseconds[step] = 0 }
        state.pointee.isWeighing = true
    }

    @_noLocks func end(_ slices: Int) {
        if !state.pointee.isWeighing { return }
        state.pointee.isWeighing = false
        var whole: Int64 = 0, heaviest: Int64 = 0
        for step in 0..<count {
            whole &+= nanoseconds[step]
            heaviest = max(heaviest, nanoseconds[step])
        }
        let rest = whole &- heaviest
        state.pointee.isShared = rest > Self.least &* Int64(slices) && rest > whole / 8
    }
}
