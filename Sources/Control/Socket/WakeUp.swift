import Glibc

/// A descriptor to poll that another thread makes readable: a pipe with any byte in it.
public final class WakeUp: Sendable {
    public let descriptor: Int32
    private let writer: Int32

    /// Nil where the system has none; `errno` says why.
    public init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writer) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    /// Makes it readable. Any thread, never waits: a full pipe is readable already.
    public func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Makes it wait for the next call of `wake`.
    public func take() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
