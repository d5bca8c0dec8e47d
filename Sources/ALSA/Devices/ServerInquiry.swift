import CRealtime
import Glibc
import RemoteIO
import Synchronization

/// A question to a sound server, asked by a thread of its own, so that an answer that never comes blocks no other thread.
final class ServerInquiry: Sendable {
    /// Nanoseconds.
    private static let patience: Int64 = 2_000_000_000

    /// 0 for no, 1 for yes, below 0 while it is not known.
    private let result = Atomic<Int>(-1)
    private let event: Int32

    init(_ question: @escaping @Sendable () -> Bool) throws(DeviceError) {
        event = rt_event_make()
        if event < 0 { throw .noThread(code: EMFILE) }
        try PlainThread { [self] in
            result.store(question() ? 1 : 0, ordering: .releasing)
            rt_event_signal(event)
        }.detach()
    }

    deinit { if event >= 0 { rt_event_close(event) } }

    /// The answer; nil if none came for a while, or before `stop` was signalled.
    func answer(orUntil stop: Int32) -> Bool? {
        var entries = [event, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = rt_poll(&entries, 2, rt_monotonic_nanoseconds() + Self.patience)
        let value = result.load(ordering: .acquiring)
        return value < 0 ? nil : value == 1
    }
}
