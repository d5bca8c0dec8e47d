import Glibc

/// The size of the terminal on standard error.
struct TerminalSize: Equatable {
    let columns: Int
    let rows: Int

    /// 80 x 24 if the terminal reports none.
    static var now: TerminalSize {
        var size = winsize()
        let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0
        return TerminalSize(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}
