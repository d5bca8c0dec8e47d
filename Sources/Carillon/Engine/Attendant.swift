import Graph
import RemoteIO
import Synchronization
import UnitAPI

/// Serves the companions of the units in an engine's graph: by a thread of its own while a device plays, else when called.
final class Attendant: Sendable {
    private let companions = Mutex<[UnitCompanion]>([])
    /// Whether a thread of its own serves them: then nobody who asks one of them for something waits for its file.
    private let isLive = Atomic<Bool>(false)

    /// Serves the units of `graph` from now on.
    func adopt(_ graph: Graph) {
        let found = graph.nodes.compactMap(\.instance.companion)
        companions.withLock { $0 = found }
        if isLive.load(ordering: .relaxed) { look() }
    }

    /// Serves all of them once.
    func attend() {
        isLive.store(false, ordering: .relaxed)
        for companion in companions.withLock({ $0 }) { companion.attend() }
    }

    /// Serves all of them once, and waits for no file.
    func look() { for companion in companions.withLock({ $0 }) { companion.look() } }

    /// Serves them every 10 ms, without waiting for a file: one slow disk concerns nobody else. - Throws: `noThread`.
    func makeThread() throws(DeviceError) -> PeriodicThread {
        let thread = try PeriodicThread(name: "carillon-feeder", milliseconds: 10) { [self] in look() }
        // Each learns at once that nobody may wait, and not with the thread's first turn.
        isLive.store(true, ordering: .relaxed)
        look()
        return thread
    }
}
