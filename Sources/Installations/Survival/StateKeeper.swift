import Carillon
import Glibc
import Synchronization

/// Writes states on a thread of its own: a disk that takes seconds must not delay the session's work.
///
/// Only the newest state is written. If there is no thread, the caller of `keep` writes the state.
package final class StateKeeper: Sendable {
    private let writer: StateWriter
    private let thread: Mutex<PlainThread?> = Mutex(nil)

    package init(_ store: StateFile, isThreaded: Bool) {
        let writer = StateWriter(store)
        self.writer = writer
        guard isThreaded else { return }
        // The system may have no thread: then it is as if none were wanted.
        do throws(DeviceError) {
            let made = try PlainThread { writer.work() }
            thread.withLock { $0 = made }
        } catch { return }
    }

    deinit { finish() }

    /// Returns what went wrong with the state before, or with this if there is no thread.
    package func keep(_ text: String) -> Fault? {
        thread.withLock { $0 == nil } ? writer.write(text) : writer.post(text)
    }

    package func finish() {
        thread.withLock { thread in
            guard thread != nil else { return }
            writer.end()
            thread?.join()
            thread = nil
        }
    }
}

/// The work of the thread, which keeps this alive until its end.
private final class StateWriter: @unchecked Sendable {
    private struct Pending {
        var waiting: String?
        var fault: Fault?
        var isOver = false
    }

    private let store: StateFile
    private let pending = Mutex(Pending())
    private let bell: UnsafeMutablePointer<sem_t>

    init(_ store: StateFile) {
        self.store = store
        bell = .allocate(capacity: 1)
        sem_init(bell, 0, 0)
    }

    deinit {
        sem_destroy(bell)
        bell.deallocate()
    }

    func post(_ text: String) -> Fault? {
        let fault = pending.withLock { pending in
            pending.waiting = text
            return pending.fault
        }
        sem_post(bell)
        return fault
    }

    func end() {
        pending.withLock { $0.isOver = true }
        sem_post(bell)
    }

    func work() {
        while true {
            while sem_wait(bell) != 0 {}
            let (text, isOver) = pending.withLock { pending in
                defer { pending.waiting = nil }
                return (pending.waiting, pending.isOver)
            }
            if let text {
                let fault = write(text)
                pending.withLock { $0.fault = fault }
            }
            if isOver { return }
        }
    }

    func write(_ text: String) -> Fault? {
        do throws(Fault) {
            try store.write(text)
            return nil
        } catch { return error }
    }
}
