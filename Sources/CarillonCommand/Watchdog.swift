import Glibc
import Synchronization

/// Ends the program when rendering has stopped moving: a library call that never returns must not hang a batch of ten
/// thousand songs.
///
/// A thread of its own looks at a counter that the render loop advances. It can only unlink the unfinished file and end
/// the process: the stuck thread cannot be unwound.
final class Watchdog: Sendable {
    /// Seconds without progress after which the program ends.
    static let patience = 4
    private let beats = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let unfinished: String?
    private let what: String

    /// Watches over `what` (a song's name); `unfinished` is the file to remove.
    init(over what: String, unfinished: String?) {
        self.what = Failure.oneLine(what)
        self.unfinished = unfinished
    }

    /// Starts watching. The thread ends with the process, or soon after `stop`.
    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(&thread, nil, { context in
            guard let context else { return nil }
            Unmanaged<Watchdog>.fromOpaque(context).takeRetainedValue().watch()
            return nil
        }, context)
        if status == 0 {
            pthread_detach(thread)
        } else {
            Unmanaged<Watchdog>.fromOpaque(context).release()
            StandardError.print("carillon: no watchdog: the system gives no thread (\(String(cString: strerror(status))))")
        }
    }

    /// Says that rendering moves on. Render loop.
    func beat() { beats.add(1, ordering: .relaxed) }

    /// Says that there is nothing to watch any more.
    func stop() { isOver.store(true, ordering: .relaxed) }

    private func watch() {
        var last = -1, stuckTenths = 0
        while !isOver.load(ordering: .relaxed) {
            usleep(100_000)
            let now = beats.load(ordering: .relaxed)
            stuckTenths = now == last ? stuckTenths + 1 : 0
            last = now
            if stuckTenths >= Self.patience * 10 && !isOver.load(ordering: .relaxed) {
                if let unfinished { unlink(unfinished) }
                StandardError.print(
                    "carillon: \(what): a library call has not returned for \(Self.patience) s; the render was given up. "
                        + "Try another --rate or SoundFont")
                _exit(70)
            }
        }
    }
}
