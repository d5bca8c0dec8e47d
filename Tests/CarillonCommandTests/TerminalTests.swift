import Glibc
import Testing

/// What a person at a terminal sees, and nobody else does.
@Suite struct TerminalTests {
    /// Everything that `carillon render` writes to a terminal of `columns` columns. When it has begun its line for the
    /// time `interruption` it is interrupted.
    private func screen(columns: UInt16, interruption: Int? = nil, _ options: String...) throws -> String {
        let folder = TemporaryFolder()
        folder.add("a rather long name of a song.mid", SongBytes.oneNote)
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        defer { close(terminal) }
        // TIOCSPTLCK unlocks it, TIOCGPTN tells its number: what unlockpt() and ptsname() do.
        var lock: Int32 = 0, number: UInt32 = 0
        try #require(ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
        let name = "/dev/pts/\(number)"
        // Held open here too, so that reading waits for the program and does not end before it begins.
        let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(other) }
        let tail = interruption == nil ? "1" : "86400"
        let running = Program.start(
            [Program.path, "render", "a rather long name of a song.mid", "--tail", tail, "-o", "x.wav"]
                + options, in: folder, terminal: name)
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 20) > 0 {
                let count = read(terminal, &block, block.count)
                if count <= 0 { break }
                text += block.prefix(count)
                let clears = text.count { $0 == 0x1B }
                if let interruption, clears >= interruption { kill(running.id, SIGINT) }
            } else if running.hasEnded {
                break
            }
        }
        #expect(running.end().exitCode == (interruption == nil ? 0 : 130))
        return String(decoding: text, as: UTF8.self)
    }

    @Test(arguments: [UInt16(80), 40, 24]) func theProgressBarFitsAndGoesAway(_ columns: UInt16) throws {
        let text = try screen(columns: columns, interruption: 3)
        // Each state of the line begins by clearing it.
        let states = text.split(separator: "\r\u{1B}[K")
        #expect(states.count >= 3)
        for state in states.dropLast() {
            #expect(state.count < Int(columns), "\(state)")
            #expect(!state.contains("\n"))
            #expect(state.contains(" / 24:00:"))
            #expect(state.contains("left") || columns < 40)
            #expect(state.contains("[") == (columns == 80))
        }
        #expect(states.last == "carillon: interrupted\r\n")
    }

    @Test func theReportIsWhatStays() throws {
        let text = try screen(columns: 80)
        let report = text.split(separator: "\r\u{1B}[K").last ?? ""
        #expect(report.hasPrefix("SoundFont: "))
        #expect(report.contains("x.wav: 1.50 s, peak "))
        #expect(report.contains("LUFS") && report.contains("0 clipped samples") && report.contains("bytes"))
    }

    @Test func quietAndJSONShowNoBar() throws {
        #expect(try screen(columns: 80, "--quiet") == "")
        let json = try screen(columns: 80, "--json")
        #expect(json.hasPrefix("{") && json.hasSuffix("}\r\n"))
    }

    @Test func withoutATerminalThereIsNoBar() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let run = Program.run(["render", "one.mid", "--instrument", "square-wave", "--tail", "60"], in: folder)
        #expect(run.exitCode == 0)
        #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\r"))
        #expect(run.errorLines.count == 1)
    }

    @Test func aSongCannotCommandTheTerminal() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.escapingTitle)
        let run = Program.run(["inspect", "one.mid"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.text.contains("?[2Jboo?"))
        #expect(!run.text.contains("\u{1B}"))
    }
}
