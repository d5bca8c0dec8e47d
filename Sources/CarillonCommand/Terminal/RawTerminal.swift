import Glibc
import Synchronization

/// The terminal while keys are read one by one: no line editing, no echo, no cursor, pasted text marked as such.
///
/// Keys that send signals keep doing so: Ctrl-C works when nothing else does any more. Whatever ends the program gives
/// the terminal back as it was: `restore` is safe in a signal handler.
enum RawTerminal {
    private static let isRaw = Atomic<Bool>(false)
    /// How the terminal was; written before `isRaw` is set.
    private nonisolated(unsafe) static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// Whether standard input is a terminal and this program may change and read it now: the shell may have put it into
    /// the background, where touching the terminal would stop it.
    static var isInForeground: Bool { tcgetpgrp(0) == getpgrp() }

    /// Whether keys are read one by one.
    static var isEntered: Bool { isRaw.load(ordering: .acquiring) }

    /// Takes the terminal; false when standard input is none, or belongs to another program now. Entering twice is
    /// entering once.
    static func enter() -> Bool {
        if isEntered { return true }
        guard isInForeground, tcgetattr(0, saved) == 0 else { return false }
        var raw = saved.pointee
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // Ctrl-S would stop the screen, and with it whoever draws on it.
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        isRaw.store(true, ordering: .releasing)
        if tcsetattr(0, TCSANOW, &raw) != 0 {
            isRaw.store(false, ordering: .releasing)
            return false
        }
        if isatty(2) == 1 { write("\u{1B}[?25l\u{1B}[?2004h") }
        return true
    }

    /// Gives the terminal back. Safe in a signal handler, and when it was never taken.
    static func restore() {
        if !isRaw.exchange(false, ordering: .acquiringAndReleasing) { return }
        if isatty(2) == 1 { write("\u{1B}[?2004l\u{1B}[?25h") }
        // Without waiting: a terminal that hangs must not keep the program.
        if isInForeground { tcsetattr(0, TCSANOW, saved) }
    }

    private static func write(_ text: StaticString) {
        _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount)
    }
}
