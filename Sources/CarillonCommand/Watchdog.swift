import AudioFiles
import Carillon
import Glibc
import Synchronization

/// A thread that ends what cannot end by itself: a library call that never returns must hang neither a batch of ten thousand
/// songs nor a session that was asked to end. It uses nothing of what it watches: no lock, no queue, no other thread.
///
/// Of a thread that works, what counts is the processor time that it spends between two beats, not the time on the wall: one that
/// waits for a slow disk, a full pipe or its turn on a busy machine is not stuck. Of a requested end, what counts is the
/// time on the wall.
final class Watchdog: Sendable {
    private let patience: Int64?
    private let progress: @Sendable () -> Int
    private let helperTime: @Sendable () -> Int64
    private let onFault: @Sendable (WatchdogState.Fault) -> Void
    private let beats = Atomic<Int>(0)
    /// When the program was to be over, nanoseconds of CLOCK_MONOTONIC; 0: no end was requested.
    private let due = Atomic<Int64>(0)
    private let isOver = Atomic<Bool>(false)
    private let clock: clockid_t
    /// The pipe that wakes the thread: its end for reading, and its end for writing.
    private let bell: (reader: Int32, writer: Int32)

    /// Creates a watchdog over the calling thread and over the program's end.
    /// `patience` is processor time without a beat after which the thread counts as stuck; nil means it never does.
    /// What changes `progress`, on any thread, counts as a beat. `helperTime` says how long a thread that works for the caller has
    /// computed for one thing, in nanoseconds of processor time: it is stuck after `patience` too, beat or not.
    /// `onFault` is called once, on a thread of the watchdog's own, while what is stuck stays so: it cannot be unwound, so what
    /// is left is to tidy up and end the process.
    init(
        patience: Duration?, progress: @escaping @Sendable () -> Int = { 0 },
        helperTime: @escaping @Sendable () -> Int64 = { 0 },
        onFault: @escaping @Sendable (WatchdogState.Fault) -> Void
    ) {
        (self.progress, self.helperTime) = (progress, helperTime)
        self.patience = patience.map { Int64($0 / .nanoseconds(1)) }
        self.onFault = onFault
        var clock = CLOCK_THREAD_CPUTIME_ID
        pthread_getcpuclockid(pthread_self(), &clock)
        self.clock = clock
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        bell = (ends[0], ends[1])
    }

    deinit { for end in [bell.reader, bell.writer] where end >= 0 { close(end) } }

    /// - Throws: `noThread`. `signals` are taken by the watchdog's thread if no other takes them: libraries change the signal
    /// mask of the calling thread, and a signal that every thread blocks ends nothing.
    func start(signals: [Int32] = []) throws(DeviceError) {
        if bell.reader < 0 { throw .noThread(code: EMFILE) }
        try PlainThread { [self] in
            var own = sigset_t()
            sigemptyset(&own)
            for number in signals { sigaddset(&own, number) }
            pthread_sigmask(SIG_UNBLOCK, &own, nil)
            watch()
        }.detach()
    }

    /// Reports that the thread makes progress. Watched thread.
    func beat() { beats.add(1, ordering: .relaxed) }

    /// Gives the program, or the stage of its end that begins now, this many seconds to end. Any thread, and signal handlers.
    func expectEnd(within seconds: Double) {
        due.store(Self.time(CLOCK_MONOTONIC).map { $0 + Int64(seconds * 1e9) } ?? 0, ordering: .releasing)
        wake()
    }

    /// Ends the watch. Any thread.
    func stop() {
        isOver.store(true, ordering: .releasing)
        wake()
    }

    private func wake() {
        let before = errno
        var byte: UInt8 = 0
        _ = write(bell.writer, &byte, 1)
        errno = before
    }

    private func watch() {
        var state = WatchdogState(patience: patience)
        while !isOver.load(ordering: .acquiring) {
            let due = due.load(ordering: .acquiring), used = Self.time(clock)
            if patience != nil && used == nil && due == 0 { return }
            let fault = state.look(
                WatchdogState.Sight(
                    now: Self.time(CLOCK_MONOTONIC) ?? 0, processorTime: used, helperTime: helperTime(),
                    beats: beats.load(ordering: .relaxed) &+ progress(), due: due == 0 ? nil : due,
                    written: AudioFileWriter.bytesTakenByAll))
            if let fault, !isOver.load(ordering: .acquiring) { return onFault(fault) }
            // What neither computes nor ends is not looked at.
            var waiting = pollfd(fd: bell.reader, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, patience == nil && due == 0 ? -1 : 20) > 0 {
                var bytes = (UInt64(0), UInt64(0))
                _ = read(bell.reader, &bytes, 16)
            }
        }
    }

    /// Nanoseconds of a clock; nil when its thread has ended.
    private static func time(_ clock: clockid_t) -> Int64? {
        var time = timespec()
        return clock_gettime(clock, &time) == 0 ? Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) : nil
    }
}
