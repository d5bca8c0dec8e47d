import Glibc
import Reports
import Synchronization

/// Signals as bytes in a pipe, for commands that end in order: notes released, files and device closed.
///
/// The first SIGINT, SIGTERM or SIGHUP is left to the command; a second of the same kind ends the program at once, and so
/// does the watchdog if the end hangs.
enum SignalPipe {
    /// Ends the program if its end hangs. Bytes that files have got until then are on the disk, as far as their writers have
    /// flushed them.
    private static let watchdog = Watchdog(patience: nil) { _ in
        Interruption.end("the session did not end in time; given up", exitCode: 70)
    }
    /// Seconds that the end may take from a signal on, until `expectEnd` sets more.
    private static let first = Atomic<UInt64>(0)

    private static let writer = Atomic<Int32>(-1)
    /// Signals that have asked for the end, as a bit set.
    private static let seen = Atomic<UInt64>(0)

    /// Ignored signals stay ignored, for `nohup`. Without `hangUpEnds` SIGHUP is a message as any other. `seconds` is the time
    /// that the command may take from a signal on, until `expectEnd`. Returns where to poll; then call `next`.
    static func install(hangUpEnds: Bool = true, endingWithin seconds: Double = 0) throws(Fault) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .noSignals(errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writer.store(ends[1], ordering: .releasing)
        first.store(seconds.bitPattern, ordering: .releasing)
        let numbers = ([SIGINT, SIGTERM] + (hangUpEnds ? [SIGHUP] : [])).filter { !Interruption.isIgnored($0) }
        do { try watchdog.start(signals: numbers) } catch { throw .noSignals(error.code) }
        for number in numbers {
            handle(number) { number in
                let bit = UInt64(1) << UInt64(number)
                let before = SignalPipe.seen.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
                if before & bit != 0 { Interruption.end("interrupted", exitCode: 128 + number) }
                if before == 0 { SignalPipe.expectEnd(within: Double(bitPattern: SignalPipe.first.load(ordering: .acquiring))) }
                SignalPipe.send(number)
            }
        }
        for number in [SIGTSTP, SIGCONT, SIGWINCH] where !Interruption.isIgnored(number) {
            handle(number) { SignalPipe.send($0) }
        }
        // If it is a message, it is one under `nohup` too.
        if !hangUpEnds { handle(SIGHUP) { SignalPipe.send($0) } }
        // Output to a terminal that belongs to another program now must not stop the sound.
        signal(SIGTTOU, SIG_IGN)
        return ends[0]
    }

    /// Gives the program, or the stage of its end that begins now, this many seconds to end; if it hangs two seconds longer,
    /// while no file takes a byte, it is ended with 70.
    static func expectEnd(within seconds: Double) { watchdog.expectEnd(within: seconds) }

    static func next(from reader: Int32) -> Int32? {
        var byte: UInt8 = 0
        return read(reader, &byte, 1) == 1 ? Int32(byte) : nil
    }

    /// Stops this program as Ctrl-Z does without a handler, and returns once it goes on.
    static func suspend() {
        signal(SIGTSTP, SIG_DFL)
        // Every thread stops in this call.
        raise(SIGTSTP)
        handle(SIGTSTP) { SignalPipe.send($0) }
    }

    private static func send(_ number: Int32) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writer.load(ordering: .acquiring), &byte, 1)
        errno = before
    }

    /// Sets a handler without SA_RESTART: a write that waits for a slow terminal must give up.
    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(number, &action, nil)
    }
}

extension Fault {
    /// The system had no pipe, or no thread.
    fileprivate static func noSignals(_ code: Int32) -> Fault {
        Fault("no pipe or thread for signals: \(String(cString: strerror(code)))", .system)
    }
}
