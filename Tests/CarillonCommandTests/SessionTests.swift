import Glibc
import TestFolders
import Testing

/// `carillon live` and `carillon play` on no device: screens, logs, keys, ends.
@Suite struct SessionTests {
    private static let live = ["live", "--device", "null", "--instrument", "square-wave"]
    private static let play = ["play", "one.mid", "--device", "null", "--instrument", "square-wave"]

    private func folder() -> TemporaryFolder {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        return folder
    }

    private func start(
        _ arguments: [String], in folder: TemporaryFolder, _ terminal: PseudoTerminal? = nil
    ) -> RunningProgram {
        Program.start([Program.path] + arguments, in: folder, terminal: terminal?.name)
    }

    /// Waits until the program has said `text`; its standard error is a file.
    private func wait(for text: String, in folder: TemporaryFolder, _ running: RunningProgram) {
        while !running.hasEnded && !running.errorsSoFar.contains(text) { sched_yield() }
    }

    @Test func aSongPlaysToItsEndAndTheLogTellsIt() {
        let run = Program.run(Self.play, in: folder())
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("event=song name=one.mid number=1 count=1 seconds=0.5 "))
        #expect(run.errors.contains("event=transport state=playing "))
        #expect(run.errorLines.last?.hasPrefix("event=end reason=done xruns=") == true)
        for line in run.errorLines { #expect(line.hasPrefix("event=") && line.contains(" time=")) }
        #expect(!run.errors.contains("\u{1B}") && run.output.isEmpty)
    }

    /// In `live` a song waits beside the keys, or begins with `--play`; the session goes on after it.
    @Test(arguments: [true, false]) func aSongIsBesideTheKeys(_ plays: Bool) {
        let folder = folder()
        let running = start(Self.live + ["one.mid", "--loudness", "off"] + (plays ? ["--play"] : []), in: folder)
        wait(for: plays ? "state=ended" : "state=paused", in: folder, running)
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.exitCode == 143 && run.errors.contains("event=song name=one.mid number=1 count=1 "), "\(run.errors)")
        #expect(run.errors.contains("event=transport state=playing ") == plays && run.errors.contains("event=keyboard "))
        let none = Program.run(["live", "none.mid", "--device", "null"], in: folder)
        #expect(none.exitCode == 66 && none.errorLines.count == 1, "\(none.errors)")
    }

    @Test func aSongBeginsInItsMiddleWithChannelsMuted() {
        let folder = folder()
        let bars = SongBytes.note(60, ticks: 1_920) + SongBytes.note(62, ticks: 1_920) + SongBytes.end
        folder.add("bars.mid", SongBytes.song([bars]))
        let play = ["play", "bars.mid", "--device", "null"]
        let run = Program.run(play + ["--from", "bar 2", "--mute", "1", "--solo", "1"], in: folder)
        #expect(run.exitCode == 0 && run.errors.contains("muted=1") && run.errors.contains("soloed=1"), "\(run.errors)")
        #expect(run.errors.contains("bar=2:1 "), "\(run.errors)")
        // A list may be played without drums, whether it has any or not; what would leave nothing is refused.
        let without = Program.run(play + ["--from", "bar 2", "--mute", "10"], in: folder)
        #expect(without.exitCode == 0 && without.errors.contains("channel 10"), "\(without.errors)")
        #expect(Program.run(play + ["--solo", "10"], in: folder).exitCode == 64)
        for (options, said) in [
            (["--from", "bar 9"], "--from: the song ends at"), (["--from", "Coda"], "carillon: --from: the song has no marker"),
            (["--mute", "0"], "--mute"),
            (["--solo", "x"], "--solo"), (["--from", "bar 2", "--follow", "TR-8S"], "--follow"),
        ] {
            let refused = Program.run(play + options, in: folder)
            #expect(refused.exitCode == 64 && refused.errors.contains(said), "\(refused.errors)")
        }
    }

    @Test(arguments: [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")])
    func aSignalEndsItInOrder(_ number: Int32, _ name: String) {
        let folder = folder()
        let running = start(Self.live + ["--capture", "x.wav"], in: folder)
        wait(for: "event=keyboard", in: folder, running)
        kill(running.id, number)
        let run = running.end()
        #expect(run.exitCode == 128 + number)
        #expect(run.errorLines.last?.hasPrefix("event=end reason=\(name) ") == true, "\(run.errors)")
        #expect(run.errorLines.last?.contains(" capture=x.wav ") == true)
        // The capture got its end.
        let wav = folder.bytes(of: "x.wav")
        #expect(wav.starts(with: Array("RIFF".utf8)) && wav.count > 44)
        #expect(folder.names == ["one.mid", "x.wav", "x.wav.journal"])
    }

    /// After a crash nobody has to look for what was recorded, and nothing takes its place.
    @Test func theNextCaptureReplacesNothing() {
        let folder = folder()
        let crashed = start(Self.live + ["--capture", "x.wav"], in: folder)
        wait(for: "event=keyboard", in: folder, crashed)
        #expect(folder.names == ["one.mid", "x.wav", "x.wav.journal"])
        kill(crashed.id, SIGKILL)
        _ = crashed.end()
        let journal = folder.bytes(of: "x.wav.journal")

        let running = start(Self.live + ["--capture", "x.wav"], in: folder)
        wait(for: "event=keyboard", in: folder, running)
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.errors.contains("x.wav: it or its journal already exists, and the recording goes to x-2.wav"))
        #expect(run.errorLines.last?.contains(" capture=x-2.wav ") == true)
        #expect(folder.names == ["one.mid", "x-2.wav", "x-2.wav.journal", "x.wav", "x.wav.journal"])
        #expect(folder.bytes(of: "x.wav.journal") == journal)

        // A journal's sound is called so that it replaces neither the capture nor a song's.
        let replay = Program.run(["render", "x.wav.journal"], in: folder)
        #expect(replay.exitCode == 0 && replay.errors.contains("x-replay.wav: "), "\(replay.errors)")
        #expect(replay.errors.contains("it was cut off"))
        #expect(folder.names.contains("x-replay.wav"))
    }

    @Test func theTimingReportStandsOnStandardOutput() {
        let run = Program.run(Self.play + ["--timing-report"], in: folder())
        #expect(run.exitCode == 0)
        #expect(run.text.contains("render time") && run.text.contains("xruns: "))
    }

    @Test func tempoTransposeAndLoopHoldFromTheBeginning() throws {
        let folder = folder()
        let terminal = try #require(PseudoTerminal(columns: 80))
        let running = start(Self.play + ["--tempo", "0.5", "--transpose", "-3", "--loop"], in: folder, terminal)
        let text = terminal.read(from: running) { $0.contains("keys") }
        #expect(text.contains("x 0.50") && text.contains("transpose -3") && text.contains("repeats"))
        kill(running.id, SIGTERM)
        _ = terminal.read(from: running)
        #expect(running.end().exitCode == 143)
    }

    @Test func keysPlayOnATerminalAndItIsGivenBack() throws {
        let folder = folder()
        let terminal = try #require(PseudoTerminal(columns: 80))
        let before = terminal.modes
        let running = start(Self.play + ["--loop"], in: folder, terminal)
        #expect(terminal.read(from: running) { $0.contains("repeats") && $0.contains("playing") }.contains("one.mid"))
        #expect(terminal.modes != before)
        terminal.type(" ")
        _ = terminal.read(from: running) { $0.contains("paused") }
        terminal.type("]]")
        _ = terminal.read(from: running) { $0.contains("transpose +2") }
        terminal.type("q")
        let rest = terminal.read(from: running)
        #expect(running.end().exitCode == 0)
        #expect(rest.contains("\u{1B}[?25h") && rest.contains("played, "))
        #expect(terminal.modes == before)
    }

    /// Any keys but those that end it or write files; `CARILLON_KEYS` says how many, 1000 where it says nothing.
    @Test(arguments: [true, false]) func whateverIsPressedTheTerminalIsGivenBack(_ isLive: Bool) throws {
        let folder = folder()
        let terminal = try #require(PseudoTerminal(columns: 100, rows: 30))
        let before = terminal.modes
        let running = start(isLive ? Self.live : Self.play + ["--loop"], in: folder, terminal)
        _ = terminal.read(from: running) { $0.contains("quit") }
        var state: UInt64 = isLive ? 41 : 43
        func random(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33 % limit)
        }
        let plain = (32..<127).map { String(UnicodeScalar(UInt8($0))) }.filter { !["q", "s", "w"].contains($0) }
        let special =
            ["A", "B", "C", "D", "H", "F", "5~", "6~"].map { "\u{1B}[" + $0 }
            + ["\t", "\r", "\u{7F}", "\u{C}", "\u{E9}", "\u{1B}[200~q\u{1B}[201~"]
        let count = getenv("CARILLON_KEYS").flatMap { Int(String(cString: $0)) } ?? 1000
        for key in 0..<count {
            terminal.type(random(3) == 0 ? special[random(UInt64(special.count))] : plain[random(UInt64(plain.count))])
            if key % 16 == 0 { terminal.drain() }
            if key % 40 == 0 {
                terminal.resize(columns: UInt16(1 + random(160)), rows: UInt16(1 + random(50)), for: running)
            }
        }
        // Always the end, whatever was begun.
        terminal.type("\u{4}\u{4}")
        #expect(terminal.read(from: running).contains("\u{1B}[?25h"))
        #expect(running.end().exitCode == 0)
        #expect(terminal.modes == before)
        #expect(folder.names == ["one.mid"])
    }

    private static let ends: [(Int32, Int32)] = [
        (SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGSEGV, 70), (SIGABRT, 70), (SIGQUIT, 131),
    ]

    @Test(arguments: ends)
    func whateverEndsItTheTerminalIsGivenBack(_ number: Int32, _ code: Int32) throws {
        let folder = folder()
        let terminal = try #require(PseudoTerminal(columns: 60))
        let before = terminal.modes
        let running = start(Self.live, in: folder, terminal)
        _ = terminal.read(from: running) { $0.contains("quit") }
        kill(running.id, number)
        #expect(terminal.read(from: running).contains("\u{1B}[?25h"))
        #expect(running.end().exitCode == code)
        #expect(terminal.modes == before)
    }

    @Test func aSecondInterruptionEndsItAtOnce() throws {
        let folder = folder()
        let terminal = try #require(PseudoTerminal(columns: 60))
        let before = terminal.modes
        let running = start(Self.live, in: folder, terminal)
        _ = terminal.read(from: running) { $0.contains("quit") }
        while !running.hasEnded {
            kill(running.id, SIGINT)
            sched_yield()
        }
        _ = terminal.read(from: running)
        #expect(running.end().exitCode == 130)
        #expect(terminal.modes == before)
    }

    @Test func aPasteIsNoCommand() throws {
        let folder = folder()
        let terminal = try #require(PseudoTerminal(columns: 80))
        let running = start(Self.live, in: folder, terminal)
        _ = terminal.read(from: running) { $0.contains("quit") }
        terminal.type("\u{1B}[200~qqq\u{1B}[201~?")
        // The help is drawn, so the paste has been read.
        _ = terminal.read(from: running) { $0.contains("help") || $0.contains("keys") || $0.count > 200 }
        #expect(!running.hasEnded)
        terminal.type("q")
        _ = terminal.read(from: running)
        #expect(running.end().exitCode == 0)
    }

    private static let refusals: [([String], String)] = [
        (["live", "--period", "8"], "--period: 8 is out of range; choose from 16 to 8192 frames"),
        (["live", "--periods", "1"], "--periods: 1 is out of range; choose from 2 to 64"),
        (["live", "--rate", "1"], "--rate: 1 is out of range; choose from 8 to 384 kHz"),
        (
            ["live", "--instrument", "fluidsynth", "--rate", "192000"],
            "--rate: 192000: --instrument fluidsynth plays up to 96 kHz"
        ),
        (["live", "--ports", "17"], "--ports: 17 is out of range; choose from 1 to 16"),
        (["live", "--gain", "99"], "--gain: 99 is out of range; choose from -60 to 40 dB"),
        (["live", "--connect", ""], "--connect: "),
        (["live", "--capture", "-"], "--capture -: give a file's name"),
        (["live", "--device", ""], "--device: the name is empty"),
        (["live", "--instrument", "square-wave", "--soundfont", "x"], "--soundfont means nothing"),
        (["live", "--set", "x.y=1", "--device", "null", "--instrument", "square-wave"], "x"),
        (["play", "one.mid", "--tempo", "0"], "--tempo: 0 is out of range; choose from 0.1 to 10"),
        (["play", "one.mid", "--transpose", "-49"], "--transpose: -49 is out of range; choose from -48 to 48 semitones"),
        (["play"], "song.mid"),
    ]

    @Test(arguments: refusals)
    func whatMakesNoSenseIsOneLineAnd64(_ arguments: [String], _ reason: String) {
        let run = Program.run(arguments, in: folder())
        #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
    }

    @Test func aSongThatIsNotThereIs66() {
        let run = Program.run(["play", "none.mid", "--device", "null"], in: folder())
        #expect(run.exitCode == 66 && run.errorLines.count == 1)
    }

    @Test(.enabled(if: access("/dev/snd", F_OK) != 0, "this machine has sound"))
    func withoutSoundCardAndSequencerThereIsASentenceEachAnd69() {
        for arguments in [["live"], ["devices"], ["devices", "--json"]] {
            let run = Program.run(arguments, in: folder())
            #expect(run.exitCode == 69 && run.text.hasPrefix("{") == arguments.contains("--json"))
            #expect(run.errorLines.count == 2, "\(run.errors)")
            #expect(run.errors.contains("no sound card") && run.errors.contains("/dev/snd/seq"))
        }
    }
}
