import Glibc

/// Wakes a thread that waits in `poll`. Any thread calls `wake`; the waiting one polls `descriptor` and calls `WakePipe.clear`.
struct WakePipe: ~Copyable, Sendable {
    /// Readable after `wake`.
    let descriptor: Int32
    private let writing: Int32

    /// Throws `system` when there are no descriptors left.
    init() throws(SequencerError) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { throw .system("pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writing = ends[1]
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// A full pipe has woken the thread already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Makes a pipe's `descriptor` wait for the next `wake`.
    static func clear(_ descriptor: Int32) {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(descriptor, &bytes, 16) > 0 {}
    }
}
