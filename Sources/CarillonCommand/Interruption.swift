import Glibc
import Synchronization

/// Ctrl-C and its relatives: the first asks the render loop to stop and clean up, a second ends the program at once.
enum Interruption {
    private static let received = Atomic<Int32>(0)

    /// Lets SIGINT, SIGTERM and SIGHUP ask for the end instead of ending the program in the middle of a file; a closed
    /// pipe becomes an error of the write instead of a silent end.
    static func install() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                // A handler may only do what is safe anywhere: an atomic and _exit are.
                if Interruption.received.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
            }
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Whether the end has been asked for.
    static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

    /// 130 for Ctrl-C, as a shell counts; 128 + the signal's number for the others.
    static var exitCode: Int32 { 128 + max(received.load(ordering: .relaxed), SIGINT) }
}
