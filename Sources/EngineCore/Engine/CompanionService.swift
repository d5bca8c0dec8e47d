import Graphs
import RemoteIO
import Synchronization
import UnitAPI

/// Serves the companions of the units in an engine's graph: by a thread of its own while a device plays, else when called.
///
/// A companion that may have to wait for foreign code then has a thread of its own, so that it delays no file.
package final class CompanionService: Sendable {
    private struct Care {
        var companions: [UnitCompanion] = []
        /// All companions that it ever served: those that have left the graph end with the engine too.
        var served: [ObjectIdentifier: Served] = [:]
        var threads: [ObjectIdentifier: WakingThread] = [:]
    }

    private struct Served { weak var companion: UnitCompanion? }

    private let care = Mutex(Care())
    /// True if a thread of its own serves the companions: then no call of a companion waits for its file.
    private let isLive = Atomic<Bool>(false)

    deinit { for served in care.withLock({ Array($0.served.values) }) { served.companion?.end() } }

    private var companions: [UnitCompanion] { care.withLock { $0.companions } }

    func adopt(_ graph: Graph) {
        let found = graph.nodes.compactMap(\.instance.companion), places = Set(found.map(ObjectIdentifier.init))
        care.withLock { care in
            care.companions = found
            care.served = care.served.filter { $0.value.companion != nil }
            for companion in found { care.served[ObjectIdentifier(companion)] = Served(companion: companion) }
            care.threads = care.threads.filter { places.contains($0.key) }
        }
        if isLive.load(ordering: .relaxed) { look() }
    }

    package func attend() {
        isLive.store(false, ordering: .relaxed)
        for companion in companions { companion.attend() }
    }

    /// Serves all of them once, and waits for no file and no plug-in.
    func look() {
        for companion in companions { if companion.mayWait { wake(companion) } else { companion.look() } }
    }

    /// Every 10 ms, without waiting for a file: one slow disk does not delay the others. `before` is called first. - Throws:
    /// `noThread`.
    func makeThread(before: @escaping @Sendable () -> Void = {}) throws(DeviceError) -> PeriodicThread {
        let thread = try PeriodicThread(name: "carillon-feeder", milliseconds: 10) { [self] in
            before()
            look()
        }
        // Each companion learns at once that no call may wait, and not with the thread's first turn.
        isLive.store(true, ordering: .relaxed)
        for companion in companions { companion.beginLive() }
        look()
        return thread
    }

    private func wake(_ companion: UnitCompanion) {
        care.withLock { care in
            let place = ObjectIdentifier(companion)
            // A companion that has left meanwhile needs no thread.
            guard care.companions.contains(where: { $0 === companion }) else { return }
            if care.threads[place] == nil {
                // If no thread can be started, the next turn tries again.
                do throws(DeviceError) {
                    care.threads[place] = try WakingThread(name: "carillon-unit") { [weak companion] in companion?.look() }
                } catch {}
            }
            care.threads[place]?.wake()
        }
    }
}
