import Glibc
import Synchronization

/// The end of the program from outside, or from within by a fault: unfinished files are removed, one line gives the reason,
/// and the exit code shows it too.
///
/// Everything that a handler does here is safe in the middle of anything: `unlink`, `write`, `_exit`.
enum Interruption {
    /// Handles signals but those that the caller has had ignored, as `nohup` does, and shells that start something in
    /// the background.
    static func install() {
        UnfinishedOutput.prepare()
        RenderPlace.prepare()
        handle { number in Interruption.end("interrupted", exitCode: 128 + number) }
        // With SWIFT_BACKTRACE set, the Swift runtime handles faults and prints a backtrace.
        if getenv("SWIFT_BACKTRACE") == nil { installFaults() }
        // A file that outgrows its limit is an error of the write.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// The signal that has asked for an end, if parts of files are kept; 0: none.
    private static let asked = Atomic<Int32>(0)

    /// True once a signal has asked for the end of a run that keeps what it has written.
    static var isAsked: Bool { asked.load(ordering: .relaxed) != 0 }

    /// The exit code of a run that was ended so; that of Ctrl-C if a caller's own stop has ended it.
    static var exitCode: Int32 { isAsked ? 128 + asked.load(ordering: .relaxed) : 128 + SIGINT }

    /// Makes the first signal a request to end, which renders check (`isAsked`); a second signal ends at once.
    static func waitForParts() {
        handle { number in
            let before = Interruption.asked.exchange(number, ordering: .relaxed)
            if before != 0 { Interruption.end("interrupted", exitCode: 128 + number) }
        }
    }

    private static let outside = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// A second signal waits until the handler has returned: on the same thread it would wait for itself.
    private static func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigemptyset(&action.sa_mask)
        for number in outside { sigaddset(&action.sa_mask, number) }
        for number in outside where !isIgnored(number) { sigaction(number, &action, nil) }
    }

    /// Makes a closed pipe an error of the write from here on, instead of a silent end.
    static func reportClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// Gives the calling thread a stack for the handler of faults, an overflow of its own stack among them, and makes it take
    /// these signals.
    static func prepareThread() {
        let size = 65_536
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        if stack.ss_sp != nil { _ = sigaltstack(&stack, nil) }
        var set = sigset_t()
        sigemptyset(&set)
        for number in faults { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// A trap or a failed allocation inside this program or a library.
    private static func installFaults() {
        prepareThread()
        var action = sigaction()
        action.sa_flags = SA_ONSTACK
        // errno is that of the last call of this thread that failed.
        action.__sigaction_handler.sa_handler = { number in Interruption.endAfter(fault: number, lacksMemory: errno == ENOMEM) }
        for number in faults { sigaction(number, &action, nil) }
    }

    /// Returns true if the parent process has had the signal ignored.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        // SIG_IGN is 1, a pointer that Swift can only compare by its bits.
        return sigaction(number, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// True once a thread is ending the program: another signal may reach another thread meanwhile.
    private static let isEnding = Atomic<Bool>(false)

    /// Prints which song was rendered, and where the fault was.
    private static func endAfter(fault number: Int32, lacksMemory: Bool) -> Never {
        RenderPlace.note(number, lacksMemory: lacksMemory)
        end(exitCode: 70) {
            let record = RenderPlace.atFault(), death = RenderDeath(number, lacksMemory: lacksMemory)
            if let name = record?.pointee.songName {
                write(UnsafeRawBufferPointer(start: name, count: strlen(name)))
                write(": ")
            }
            death.write(record, signal: number, to: { write($0) })
            if case .memoryLimit = death {
                write("; raise its bound, or render fewer songs at a time (--jobs)")
            } else {
                write("; please report this with the song")
            }
        }
    }

    /// Ends at once: the terminal as it was, no unfinished file, one line. Safe in a signal handler.
    static func end(_ reason: StaticString, exitCode: Int32) -> Never { end(exitCode: exitCode) { write(reason) } }

    private static func end(exitCode: Int32, _ tell: () -> Void) -> Never {
        while isEnding.exchange(true, ordering: .acquiringAndReleasing) { pause() }
        RawTerminal.restore()
        UnfinishedOutput.removeAll()
        // A line that cannot be written at once is dropped.
        if !StandardError.canWrite { _exit(exitCode) }
        // On a terminal the line takes the place of the progress bar.
        if isatty(2) == 1 { write("\r\u{1B}[K") }
        write("carillon: ")
        tell()
        write("\n")
        _exit(exitCode)
    }

    private static func write(_ text: StaticString) { RenderDeath.write(text, to: { write($0) }) }

    private static func write(_ bytes: UnsafeRawBufferPointer) { _ = Glibc.write(2, bytes.baseAddress, bytes.count) }
}
