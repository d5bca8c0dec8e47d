import Glibc

/// The effect of the terminal's own signals on a screen: Ctrl-Z and what wakes from it, and a window of another size.
extension ScreenPainter {
    /// Returns false for a signal that is none of the terminal's: that is to end the program. `redraws`: there is a screen, no
    /// log.
    mutating func take(signal number: Int32, redraws: Bool) -> Bool {
        switch number {
        case SIGTSTP:
            leave(redraws: redraws)
            SignalPipe.suspend()
        case SIGCONT:
            RawTerminal.forget()
            forget()
        // The new places of the old lines differ between kinds of terminals.
        case SIGWINCH: repaint()
        default: return false
        }
        return true
    }

    mutating func leave(redraws: Bool) {
        if redraws, RawTerminal.isInForeground(2), StandardError.canWrite {
            StandardError.write(erase(columns: TerminalSize.now.columns))
        }
        RawTerminal.restore()
    }
}
