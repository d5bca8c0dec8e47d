import CRealtime
import Glibc
import Synchronization

/// A thread that does one piece of work whenever it is woken, and may take as long as it likes: what a disk or a network
/// must not hold up is done by others.
package final class WakingThread: Sendable {
    /// The part that both sides hold: the thread may outlive its owner, by one call that does not return.
    private final class Bell: Sendable {
        let event: Int32
        let isOver = Atomic<Bool>(false)
        init(_ event: Int32) { self.event = event }
        deinit { rt_event_close(event) }
    }

    private let bell: Bell

    /// Starts a thread that the system shows as `name`; it sleeps until it is woken. - Throws: `noThread`.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(DeviceError) {
        let event = rt_event_make()
        if event < 0 { throw .noThread(code: errno) }
        let bell = Bell(event)
        self.bell = bell
        let thread = try PlainThread(name: name) {
            while true {
                while !rt_event_wait(bell.event, .max) {}
                rt_event_clear(bell.event)
                if bell.isOver.load(ordering: .acquiring) { return }
                body()
            }
        }
        thread.detach()
    }

    /// Ends it, after the piece of work that it may be at, without waiting for that.
    deinit {
        bell.isOver.store(true, ordering: .releasing)
        rt_event_signal(bell.event)
    }

    /// Makes it do its work once more, after this call. Never waits; any thread.
    package func wake() { rt_event_signal(bell.event) }
}
