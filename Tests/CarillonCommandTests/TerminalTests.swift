import Glibc
import TestFolders
import Testing

/// What a person at a terminal sees, and nobody else does.
@Suite struct TerminalTests {
    /// Everything that `carillon render` writes to a terminal of `columns` columns. When it has begun its line for the
    /// time `interruption` it is interrupted.
    private func screen(columns: UInt16, interruption: Int? = nil, _ options: String...) throws -> String {
        let folder = TemporaryFolder()
        folder.add("a rather long name of a song.mid", SongBytes.oneNote)
        let terminal = try #require(PseudoTerminal(columns: columns))
        let tail = interruption == nil ? "1" : "86400"
        let running = Program.start(
            [Program.path, "render", "a rather long name of a song.mid", "--tail", tail, "-o", "x.wav"]
                + options, in: folder, terminal: terminal.name)
        let text = terminal.read(from: running) { text in
            if let interruption, text.utf8.count(where: { $0 == 0x1B }) >= interruption { kill(running.id, SIGINT) }
            return false
        }
        #expect(running.end().exitCode == (interruption == nil ? 0 : 130))
        return text
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
        #expect(report.contains("SoundFont: "))
        #expect(report.contains("x.wav: 1.50 s, loudness "))
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
