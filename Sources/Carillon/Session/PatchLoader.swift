import Graph
import RemoteIO
import SoundFonts
import Synchronization
import UnitAPI

/// Where patches of a set list are made ready, and where units die that are not needed any more: both may take seconds, for
/// which the control side does not wait. Any thread; one does the work.
final class PatchLoader: Sendable {
    /// A patch that is to be made.
    struct Job: Sendable {
        let index: Int
        /// The number of this version of the patch, among several.
        let revision: Int
        let listed: ListedPatch
        let options: LiveOptions
        let keyboards: [String]
        let kept: PreparedPatch.Kept?
    }

    /// The outcome of a job.
    struct Outcome: Sendable {
        let index: Int
        let revision: Int
        let result: Result<PreparedPatch, LiveError>
    }

    private struct State {
        var job: Job?
        var isBusy = false
        var outcomes: [Outcome] = []
        var remains: [PreparedPatch] = []
        var units: [UnitInstance] = []
        var sizes: [String: Int] = [:]
    }
    private let state = Mutex(State())

    /// True while nothing waits or is being made.
    var isFree: Bool { state.withLock { $0.job == nil && !$0.isBusy } }

    /// Takes a job; only where it is free.
    func post(_ job: Job) { state.withLock { $0.job = job } }

    /// Takes out what has been made since the last time.
    func takeOutcomes() -> [Outcome] {
        state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Lets a patch that nobody asked for die here.
    func discard(_ patch: PreparedPatch) { state.withLock { $0.remains.append(patch) } }

    /// Lets units die here that only the caller still knows.
    func discard(_ units: [UnitInstance]) { state.withLock { $0.units += units } }

    /// Does what there is to do. The working thread; or whoever has no other, in simulated time.
    func work() {
        let (job, remains, units) = state.withLock { state in
            defer { (state.job, state.remains, state.units, state.isBusy) = (nil, [], [], state.job != nil) }
            return (state.job, state.remains, state.units)
        }
        // They die with this scope, outside of the lock.
        withExtendedLifetime((remains, units)) {}
        guard let job else { return }
        let outcome = Outcome(index: job.index, revision: job.revision, result: make(job))
        state.withLock { state in
            state.outcomes.append(outcome)
            state.isBusy = false
        }
    }

    /// Makes a patch ready, on this thread.
    func make(_ job: Job) -> Result<PreparedPatch, LiveError> {
        do throws(LiveError) {
            return .success(
                try PreparedPatch(
                    job.listed, options: job.options, keyboards: job.keyboards, kept: job.kept
                ) { (path) throws(SoundFontError) in try size(of: path) })
        } catch { return .failure(error) }
    }

    private func size(of path: String) throws(SoundFontError) -> Int {
        if let size = state.withLock({ $0.sizes[path] }) { return size }
        let size = try SoundFontFile(path: path).sampleMemory
        state.withLock { $0.sizes[path] = size }
        return size
    }
}
