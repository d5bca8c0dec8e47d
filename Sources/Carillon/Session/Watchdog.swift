import Glibc
import Synchronization

/// Notices that a thread computes without getting anywhere: a library call that never returns must not hang a batch of
/// ten thousand songs.
///
/// What counts is the processor time that the watched thread spends between two beats, not the time on the wall: a
/// thread that waits for a slow disk, a full pipe or its turn on a busy machine is not stuck.
public final class Watchdog: Sendable {
    private let patience: Duration
    private let onStuck: @Sendable () -> Void
    private let beats = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let clock: clockid_t

    /// A watchdog over the calling thread.
    ///
    /// - Parameters:
    ///   - patience: processor time without a beat after which the thread counts as stuck.
    ///   - onStuck: called once, on a thread of the watchdog's own, while the stuck one goes on: it cannot be unwound,
    ///     so what is left is to tidy up and end the process.
    public init(patience: Duration, onStuck: @escaping @Sendable () -> Void) {
        self.patience = patience
        self.onStuck = onStuck
        var clock = CLOCK_THREAD_CPUTIME_ID
        pthread_getcpuclockid(pthread_self(), &clock)
        self.clock = clock
    }

    /// Starts watching. Returns 0, or the system's error code where it gives no thread.
    public func start() -> Int32 {
        // Signals belong to the program's own threads.
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Watchdog>.fromOpaque(context).takeRetainedValue().watch()
                return nil
            }, context)
        if code == 0 { pthread_detach(thread) } else { Unmanaged<Watchdog>.fromOpaque(context).release() }
        return code
    }

    /// Says that the thread gets on. Watched thread.
    public func beat() { beats.add(1, ordering: .relaxed) }

    /// Ends the watch. Any thread.
    public func stop() { isOver.store(true, ordering: .relaxed) }

    private func watch() {
        var last = beats.load(ordering: .relaxed)
        guard var mark = processorTime else { return }
        while !isOver.load(ordering: .relaxed) {
            usleep(20_000)
            guard let now = processorTime else { return }
            let count = beats.load(ordering: .relaxed)
            if count != last {
                (last, mark) = (count, now)
            } else if now - mark >= patience && !isOver.load(ordering: .relaxed) {
                onStuck()
                return
            }
        }
    }

    /// What the watched thread has used; nil when it has ended.
    private var processorTime: Duration? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
