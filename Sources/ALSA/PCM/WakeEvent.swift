import CRealtime
import Glibc
import RemoteIO

/// Wakes a thread that waits in `poll`. Any thread calls `signal`; the waiting one polls `descriptor` and clears it.
struct WakeEvent: ~Copyable, Sendable {
    /// Readable after `signal`, until `rt_event_clear`.
    let descriptor: Int32

    /// Throws `system` when there are no descriptors left.
    init() throws(MIDIInletError) {
        descriptor = rt_event_make()
        if descriptor < 0 { throw .system("eventfd", code: errno) }
    }

    deinit { close(descriptor) }

    func signal() { rt_event_signal(descriptor) }
}
