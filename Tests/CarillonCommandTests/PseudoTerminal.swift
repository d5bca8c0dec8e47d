import Glibc

/// A pseudo terminal: this side reads the screen and presses keys, a program has the other.
final class PseudoTerminal {
    /// What a program opens.
    let name: String
    private let descriptor: Int32
    /// Held open here too, so that reading waits for the program and does not end before it begins.
    private let other: Int32

    init?(columns: UInt16, rows: UInt16 = 24) {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK unlocks it, TIOCGPTN tells its number: what unlockpt() and ptsname() do.
        var lock: Int32 = 0, number: UInt32 = 0
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &lock) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0,
            ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0
        else { return nil }
        name = "/dev/pts/\(number)"
        other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
        close(other)
    }

    /// Line editing, echo and the rest, to be compared.
    var modes: [UInt32] {
        var now = termios()
        tcgetattr(other, &now)
        return [now.c_iflag, now.c_oflag, now.c_cflag, now.c_lflag]
    }

    /// Presses keys.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Takes away what has been written, without waiting for more.
    func drain() {
        var block = [UInt8](repeating: 0, count: 65_536)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) > 0, Glibc.read(descriptor, &block, block.count) > 0 {}
    }

    /// Becomes wider or narrower, and tells `running` so, as a terminal does whose session it is.
    func resize(columns: UInt16, rows: UInt16, for running: RunningProgram) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
        kill(running.id, SIGWINCH)
    }

    /// What the program writes until `isEnough` says so of all that came since this call, or it has ended.
    func read(from running: RunningProgram, until isEnough: (String) -> Bool = { _ in false }) -> String {
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 20) > 0 {
                let count = Glibc.read(descriptor, &block, block.count)
                if count <= 0 { break }
                text += block.prefix(count)
                if isEnough(String(decoding: text, as: UTF8.self)) { break }
            } else if running.hasEnded {
                break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
