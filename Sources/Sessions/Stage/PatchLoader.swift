import Reports
import SoundFonts
import Synchronization
import UnitAPI

/// Makes patches of a set list ready, and frees units that are no longer needed. Both may take seconds, for which the control
/// side does not wait. Any thread; one does the work.
final class PatchLoader: Sendable {
    struct Job: Sendable {
        let index: Int
        /// The number of this version of the patch, among several.
        let revision: Int
        let listed: ListedPatch
        /// Those of the session, with this patch.
        let options: LiveOptions
        let list: PreparedPatch.SetList
        let kept: PreparedPatch.Kept?
    }

    struct Outcome: Sendable {
        let index: Int
        let revision: Int
        let result: Result<PreparedPatch, Fault>
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

    func takeOutcomes() -> [Outcome] {
        state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Frees a patch here that is no longer wanted.
    func discard(_ patch: PreparedPatch) { state.withLock { $0.remains.append(patch) } }

    /// Frees units here to which only the caller still holds references.
    func discard(_ units: [UnitInstance]) { state.withLock { $0.units += units } }

    /// Does the pending work: called by the working thread, or, in simulated time, by the thread that has no other.
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
    func make(_ job: Job) -> Result<PreparedPatch, Fault> {
        if let fault = job.listed.fault { return .failure(Fault(fault)) }
        do throws(Fault) {
            return .success(
                try PreparedPatch(job.options, in: job.list, kept: job.kept) { (path) throws(SoundFontError) in
                    try size(of: path)
                })
        } catch { return .failure(error) }
    }

    private func size(of path: String) throws(SoundFontError) -> Int {
        if let size = state.withLock({ $0.sizes[path] }) { return size }
        // More than the budget is streamed.
        let size = min(try SoundFontFile(path: path).sampleMemory, SampleMemory.process.limit)
        state.withLock { $0.sizes[path] = size }
        return size
    }
}
