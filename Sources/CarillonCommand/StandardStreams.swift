import ArgumentParser
import Glibc

/// Standard input, output and error, of which a caller may have closed any.
enum StandardStreams {
    /// Fills closed ones with something that fails, so that no file of ours gets their number: a message would be
    /// written into the audio file.
    static func occupy() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // open() takes the lowest number that is free, which is this one. Reads fail, or writes do.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns the system's error code.
    fileprivate static func write(_ bytes: String.UTF8View, to descriptor: Int32) -> Int32 {
        var bytes = Array(bytes)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            if written <= 0 { return errno }
            bytes = bytes.dropFirst(written)
        }
        return 0
    }
}

/// Standard output for reports: a report that cannot be written is an error.
enum StandardOutput {
    /// Writes lines. Returns 0, or the system's error number.
    static func write(_ text: String) -> Int32 { StandardStreams.write((text + "\n").utf8, to: 1) }

    /// Writes lines. Throws exit code 74 when they cannot be written.
    static func print(_ text: String) throws(ExitCode) {
        let code = write(text)
        if code != 0 {
            throw Failure.report("standard output: writing failed (\(String(cString: strerror(code))))", exitCode: 74)
        }
    }
}

/// Standard error, unbuffered: it never waits for standard output.
enum StandardError {
    static var isTerminal: Bool { isatty(2) == 1 }
    static func print(_ text: String) { write(text + "\n") }

    /// Writes text as it is. An error here has nowhere to be reported and changes nothing.
    static func write(_ text: String) { _ = StandardStreams.write(text.utf8, to: 2) }
}

extension StandardError {
    /// True if standard error takes more without waiting: a stalled line or pipe must not block the caller.
    static var canWrite: Bool {
        var waiting = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLOUT) != 0
    }
}

/// A clock that is never set.
enum SteadyClock {
    static var seconds: Double { seconds(of: CLOCK_MONOTONIC) }

    /// Seconds in which a processor has worked for the calling thread.
    static var processorSeconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
