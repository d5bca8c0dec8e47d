import Glibc
import Synchronization

/// The file that is being written and must not outlive a run that fails: known to whoever may have to end the program
/// where no `defer` is reached, in a signal handler or on the watchdog's thread.
enum UnfinishedOutput {
    /// Where its path stands as a C string; 0 for none.
    private static let address = Atomic<UInt>(0)

    /// Opens an output, with its path (nil for a stream) known before any signal can end the program.
    static func opening<Output, Fault: Error>(
        _ open: () throws(Fault) -> Output, path: (Output) -> String?
    ) throws(Fault) -> Output {
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let output = try open()
        address.store(path(output).map { UInt(bitPattern: strdup($0)) } ?? 0, ordering: .releasing)
        return output
    }

    /// Removes it. Safe in a signal handler.
    static func remove() {
        if let path = take() { unlink(path) }
    }

    /// There is nothing to remove any more.
    static func isFinished() { free(take()) }

    private static func take() -> UnsafeMutablePointer<CChar>? {
        UnsafeMutablePointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
    }
}
