import FoundationEssentials
import Glibc
import Synchronization

/// Threads that do numbered pieces of work, while the calling thread takes the signals, reports what is done, and shows
/// progress.
final class Workers: Sendable {
    /// Milliseconds between two looks.
    private static let interval: Int32 = 100

    private let count: Int
    private let work: @Sendable (Int) -> Void
    private let next = Atomic<Int>(0)
    /// The pipe through which a thread reports a piece that it has done.
    private let reports: Int32

    private init(count: Int, reports: Int32, work: @escaping @Sendable (Int) -> Void) {
        (self.count, self.reports, self.work) = (count, reports, work)
    }

    static var processors: Int { max(ProcessInfo.processInfo.activeProcessorCount, 1) }

    /// Calls `done` on the calling thread with the number of a `work` that has returned; `look` in between, ten times a
    /// second. Throws if there is not one thread to be had; fewer than asked for do all the work.
    static func run(
        count: Int, threads: Int, work: @escaping @Sendable (Int) -> Void, done: (Int) -> Void, look: () -> Void
    ) throws(SystemCode) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCode(value: errno) }
        defer { for end in ends { close(end) } }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let workers = Workers(count: count, reports: ends[1], work: work)
        var running: [pthread_t] = []
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        Interruption.leaveSignalsToOthers()
        var code: Int32 = 0
        while running.count < min(threads, count), code == 0 {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(workers)
            code = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Workers>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
            if code == 0 { running.append(thread) } else { context.release() }
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        if running.isEmpty && count > 0 { throw SystemCode(value: code) }
        var left = count
        while left > 0 {
            var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, interval) > 0 {
                var number = 0
                // So few bytes come whole.
                if read(ends[0], &number, MemoryLayout<Int>.size) == MemoryLayout<Int>.size {
                    done(number)
                    left -= 1
                }
            }
            look()
        }
        for thread in running { pthread_join(thread, nil) }
    }

    private func run() {
        Interruption.prepareThread()
        while true {
            var number = next.add(1, ordering: .relaxed).oldValue
            if number >= count { return }
            work(number)
            while write(reports, &number, MemoryLayout<Int>.size) < 0 && errno == EINTR {}
        }
    }
}

struct SystemCode: Error {
    let value: Int32

    /// The system's name of a code.
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
