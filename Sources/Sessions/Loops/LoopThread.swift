import RealtimeCore
import RemoteIO

/// Work on loops that takes long, on a thread of its own; where time is simulated, it is done at once. Session's thread.
final class LoopThread {
    private final class Flag: Sendable { let isSet = AtomicFlag() }

    private let ended = Flag()
    private var thread: PlainThread?

    init(_ core: SessionCore, _ body: @escaping @Sendable () -> Void) {
        let work = { @Sendable [ended] in
            body()
            ended.isSet.publish(true)
        }
        guard core.port.hasOwnThread else {
            work()
            return
        }
        do throws(DeviceError) { thread = try PlainThread(work) } catch { work() }
    }

    deinit { thread?.detach() }

    var isDone: Bool { ended.isSet.isSet }

    /// Waits until it is done.
    func wait() {
        thread?.join()
        thread = nil
    }
}
