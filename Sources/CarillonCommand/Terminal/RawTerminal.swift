import Glibc
import Synchronization

/// The terminal while keys are read one by one: no line editing, no echo, no cursor, pasted text marked as such.
///
/// Keys that send signals keep doing so: Ctrl-C works when nothing else does. However the program ends, it restores the
/// terminal: `restore` is safe in a signal handler.
enum RawTerminal {
    private static let isRaw = Atomic<Bool>(false)
    /// The terminal's settings as they were; written before `isRaw` is set.
    private nonisolated(unsafe) static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private nonisolated(unsafe) static var hasSaved = false

    /// The shell may have put this program into the background, where it would be stopped for it. A terminal without a
    /// foreground group may be changed.
    static func isInForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    static var isEntered: Bool { isRaw.load(ordering: .acquiring) }

    /// Takes the terminal; false when standard input is none, or belongs to another program now. Entering twice is
    /// entering once.
    static func enter() -> Bool {
        if isEntered { return true }
        var now = termios()
        guard isatty(0) == 1, isInForeground(0), tcgetattr(0, &now) == 0 else { return false }
        // After a stop without a warning it may still be as we made it: that is not how it was.
        if now.c_lflag & tcflag_t(ICANON) != 0 || !hasSaved { saved.pointee = now }
        hasSaved = true
        now = saved.pointee
        now.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // Ctrl-S would stop the screen and block the thread that draws on it.
        now.c_iflag &= ~tcflag_t(IXON | ICRNL)
        withUnsafeMutableBytes(of: &now.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        isRaw.store(true, ordering: .releasing)
        if tcsetattr(0, TCSANOW, &now) != 0 {
            isRaw.store(false, ordering: .releasing)
            return false
        }
        if ScreenStyle.canRedraw { write("\u{1B}[?25l\u{1B}[?2004h") }
        return true
    }

    /// Gives the terminal back. Safe in a signal handler, and when it was never taken.
    static func restore() {
        if !isRaw.exchange(false, ordering: .acquiringAndReleasing) { return }
        if isatty(2) == 1, StandardError.canWrite { write("\u{1B}[?2004l\u{1B}[?25h") }
        // Without waiting: a terminal that hangs must not keep the program.
        if isInForeground(0) { tcsetattr(0, TCSANOW, saved) }
    }

    /// The program has been stopped and goes on: meanwhile other programs have used the terminal.
    static func forget() { isRaw.store(false, ordering: .releasing) }

    private static func write(_ text: StaticString) {
        _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount)
    }
}
