import CRealtime
import Glibc

/// A thread of the control side that repeats its work at an interval, until it is ended.
package final class PeriodicThread: Sendable {
    private let event: Int32
    private let thread: PlainThread

    /// Calls `body` every `milliseconds`, on a thread that the system shows as `name`. - Throws: `noThread`.
    package init(name: String, milliseconds: Int, _ body: @escaping @Sendable () -> Void) throws(DeviceError) {
        let event = rt_event_make()
        if event < 0 { throw .noThread(code: errno) }
        self.event = event
        do {
            thread = try PlainThread(name: name) {
                repeat { body() } while !rt_event_wait(event, rt_monotonic_nanoseconds() + Int64(milliseconds) * 1_000_000)
            }
        } catch {
            rt_event_close(event)
            throw error
        }
    }

    /// Ends it and waits until it has. Once.
    package func stop() {
        rt_event_signal(event)
        thread.join()
        rt_event_close(event)
    }
}
