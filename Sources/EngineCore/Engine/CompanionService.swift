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
        /// The thread that serves them; nil while none does.
        weak var feeder: PeriodicThread?
    }

    private struct Served { weak var companion: UnitCompanion? }

    private let care = Mutex(Care())

    deinit { for served in care.withLock({ Array($0.served.values) }) { served.companion?.end() } }

    private var companions: [UnitCompanion] { care.withLock { $0.companions } }
    /// True if a thread of its own serves the companions: then no call of a companion waits for its file.
    private var isLive: Bool { care.withLock { $0.feeder != nil } }

    func adopt(_ graph: Graph) {
        let found = graph.nodes.compactMap(\.instance.companion), places = Set(found.map(ObjectIdentifier.init))
        care.withLock { care in
            care.companions = found
            care.served = care.served.filter { $0.value.companion != nil }
            for companion in found { care.served[ObjectIdentifier(companion)] = Served(companion: companion) }
            care.threads = care.threads.filter { places.contains($0.key) }
        }
        if isLive { lookLive() }
    }

    /// Serves all of them once more: a device does not wait for a slow disk, and neither does its control side.
    func maintain() { if isLive { look() } else { attend() } }

    package func attend() {
        care.withLock { $0.feeder = nil }
        for companion in companions { companion.attend() }
    }

    /// Serves all of them once, and waits for no file and no plug-in.
    private func look() {
        for companion in companions { if companion.mayWait { wake(companion) } else { companion.look() } }
    }

    /// Every 10 ms, without waiting for a file: one slow disk does not delay the others. `before` is called first. - Throws:
    /// `noThread`.
    package func makeThread(before: @escaping @Sendable () -> Void = {}) throws(DeviceError) -> PeriodicThread {
        let thread = try PeriodicThread(name: "carillon-feeder", milliseconds: 10) { [self] in
            before()
            look()
        }
        care.withLock { $0.feeder = thread }
        lookLive()
        return thread
    }

    /// Each companion learns at once that no call may wait, and not with a turn of its thread.
    private func lookLive() {
        for companion in companions { companion.beginLive() }
        look()
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
