import Glibc
import TestFolders
import Testing

/// A render that is ended from outside, or by a fault, leaves no half file and an honest code.
@Suite struct InterruptionTests {
    /// Starts a render of a day into `long.wav`, and waits until its unfinished file is there.
    private func startLongRender(in folder: TemporaryFolder, environment: [String: String] = [:]) -> RunningProgram {
        folder.add("one.mid", SongBytes.oneNote)
        let running = Program.start(
            [Program.path, "render", "one.mid", "--instrument", "square-wave", "--tail", "86400", "-o", "long.wav"],
            in: folder, environment: environment)
        waitForOutput(running, in: folder)
        return running
    }

    /// Waits until it writes a file in the folder, which need not have a name yet.
    private func waitForOutput(_ running: RunningProgram, in folder: TemporaryFolder) {
        let begin = folder.file("")
        while !running.hasEnded, !running.opens({ $0.hasPrefix(begin) && !$0.hasSuffix(".mid") }) { sched_yield() }
    }

    /// Nothing can be tidied up any more: the file never had a name.
    @Test func evenAKillLeavesNoHalfFile() {
        let folder = TemporaryFolder()
        let running = startLongRender(in: folder)
        kill(running.id, SIGKILL)
        #expect(running.end().signal == SIGKILL)
        #expect(folder.names == ["one.mid"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalLeavesNoHalfFile(_ signal: Int32) {
        let folder = TemporaryFolder()
        let running = startLongRender(in: folder)
        kill(running.id, signal)
        let run = running.end()
        #expect(run.exitCode == 128 + signal)
        #expect(run.errors == "carillon: interrupted\n")
        #expect(folder.names == ["one.mid"])
    }

    /// A terminal that is closed, a manager and a hand at once: whoever comes second waits for the first, not for itself.
    @Test func severalSignalsAtOnceAreOneEnd() {
        for _ in 0..<10 {
            let folder = TemporaryFolder()
            let running = startLongRender(in: folder)
            for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] { kill(running.id, signal) }
            let run = running.end()
            #expect([129, 130, 131, 143].contains(run.exitCode) && run.errors == "carillon: interrupted\n")
            #expect(folder.names == ["one.mid"])
        }
    }

    @Test func anEarlierFileSurvivesAnInterruption() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("long.wav", [1, 2, 3])
        let running = Program.start(
            [Program.path, "render", "one.mid", "--instrument", "square-wave", "--tail", "86400", "-o", "long.wav", "--force"],
            in: folder)
        waitForOutput(running, in: folder)
        kill(running.id, SIGINT)
        #expect(running.end().exitCode == 130)
        #expect(folder.names == ["long.wav", "one.mid"])
        #expect(folder.bytes(of: "long.wav") == [1, 2, 3])
    }

    @Test(arguments: [
        (SIGSEGV, "crashed", "SIGSEGV"), (SIGABRT, "crashed", "SIGABRT"), (SIGILL, "a check of the program failed", "SIGILL"),
    ])
    func aFaultLeavesNoHalfFileAndSaysWhereItWas(_ signal: Int32, _ words: String, _ name: String) throws {
        let folder = TemporaryFolder()
        let running = startLongRender(in: folder)
        kill(running.id, signal)
        let run = running.end()
        #expect(run.exitCode == 70)
        let sentence =
            #"carillon: one\.mid: \#(words) while rendering, at \d+\.\d{3} s \(\#(name)\); please report this with the song\n"#
        #expect(run.errors.wholeMatch(of: try Regex(sentence)) != nil, "\(run.errors)")
        #expect(folder.names == ["one.mid"])
    }

    @Test func whatIsToldToIgnoreASignalIgnoresIt() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let run = Program.shell(
            """
            trap '' HUP
            "$CARILLON" render one.mid --instrument square-wave --tail 600 -o long.wav --quiet & running=$!
            until ls -l /proc/$running/fd | grep -q "$PWD/[#.]"; do kill -0 $running || break; done
            kill -HUP $running
            wait $running
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(folder.names == ["long.wav", "one.mid"])
    }

    @Test func anInterruptionEndsAWaitForAPipeToo() {
        let folder = TemporaryFolder()
        mkfifo(folder.file("pipe.mid"), 0o600)
        // Somebody holds the pipe open and writes nothing.
        let writer = open(folder.file("pipe.mid"), O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        let running = Program.start([Program.path, "render", "pipe.mid"], in: folder)
        // Its handlers are there once it has the pipe open.
        while !running.opens({ $0 == folder.file("pipe.mid") }) && !running.hasEnded { sched_yield() }
        kill(running.id, SIGINT)
        #expect(running.end().exitCode == 130)
    }
}
