import Carillon
import Glibc
import TestFolders
import Testing

@testable import CarillonCommand

/// `carillon ctl` and a session that was started with `--control`.
@Suite struct CtlTests {
    private func folder() -> TemporaryFolder {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.song([SongBytes.note(60, ticks: 960 * 600) + SongBytes.end]))
        return folder
    }

    private static let play = ["play", "one.mid", "--device", "null", "--instrument", "square-wave", "--control", "s"]

    private func start(_ folder: TemporaryFolder) -> RunningProgram {
        let running = Program.start([Program.path] + Self.play, in: folder)
        wait(for: "state=playing", running)
        return running
    }

    private func wait(for text: String, _ running: RunningProgram) {
        while !running.hasEnded && !running.errorsSoFar.contains(text) { sched_yield() }
    }

    private func ctl(_ words: String..., in folder: TemporaryFolder) -> ProgramRun {
        Program.run(["ctl"] + words, in: folder, environment: ["CARILLON_CONTROL": folder.file("s")])
    }

    @Test func aSessionIsSteeredFromOutside() {
        let folder = folder(), running = start(folder)
        for words in [["pause"], ["seek", "+5"], ["seek", "-2"], ["volume", "-6dB"], ["seek bar 2"], ["tempo", "50%"]] {
            let run = Program.run(["ctl", "--control", "s"] + words, in: folder)
            #expect(run.exitCode == 0 && run.text == "ok\n" && run.errors.isEmpty, "\(words): \(run.errors)")
        }
        wait(for: "event=tempo factor=0.5", running)
        #expect(running.errorsSoFar.contains("state=paused") && running.errorsSoFar.contains("event=volume decibels=-6.0"))
        let status = ctl("status", in: folder)
        #expect(status.exitCode == 0 && status.text.hasPrefix("{\"statusVersion\":1,"))
        #expect(status.text.contains("\"name\":\"one.mid\"") && status.text.contains("\"isPlaying\":false"))
        #expect(status.text.contains("\"bar\":2,\"beat\":1,") && status.text.contains("\"factor\":0.5"), "\(status.text)")
        #expect(ctl("metrics", in: folder).text.contains("\"resident_memory\""))
        let saved = ctl("save-recording", "two words.mid", in: folder)
        #expect(saved.text.hasPrefix("ok saved /") && saved.text.hasSuffix("/two words.mid\n"), "\(saved.errors)")
        #expect(ctl("quit", in: folder).text == "ok\n")
        #expect(running.end().exitCode == 0)
        #expect(folder.names == ["one.mid", "two words.journal", "two words.mid"])
    }

    /// Nobody needs to listen.
    @Test func helpBehindAWordTellsOfIt() {
        let folder = folder()
        for words in [["volume", "--help"], ["volume", "-h"], ["volume", "-6dB", "--help"]] {
            let run = Program.run(["ctl"] + words, in: folder)
            let lines = run.text.split(separator: "\n")
            #expect(run.exitCode == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
            #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("volume ") }, "\(words): \(run.text)")
        }
        let hardware = Program.run(["ctl", "volume", "hardware", "mute", "--help"], in: folder)
        #expect(hardware.text == "volume hardware mute on|off  Mutes or unmutes the sound card. (volume hardware mute on)\n")
        let unknown = Program.run(["ctl", "volum", "--help"], in: folder)
        #expect(unknown.exitCode == 64 && unknown.errors.contains("volume"), "\(unknown.errors)")
    }

    /// What is meant to be replaced is there; what is saved is said with its whole path.
    @Test func presetsAndPatchesThatAreSavedAreTold() {
        let folder = folder(), environment = ["XDG_CONFIG_HOME": folder.file("config")]
        let running = Program.start([Program.path] + Self.play, in: folder, environment: environment)
        wait(for: "state=playing", running)
        let preset = folder.file("config/carillon/presets/square-wave")
        let missing = ctl("replace-preset", "square-wave", "mine", in: folder)
        #expect(
            missing.exitCode == 64
                && missing.errors.contains(
                    "you have no preset of square-wave called mine; save-preset square-wave mine creates one"),
            "\(missing.errors)")
        #expect(bytes(preset + "/mine.yaml").isEmpty)
        for verb in ["save-preset", "replace-preset"] {
            let run = ctl(verb, "square-wave", "mine", in: folder)
            #expect(run.text == "ok saved \(preset)/mine.yaml\n", "\(run.errors)")
        }
        let near = ctl("replace-preset", "square-wave", "mime", in: folder)
        #expect(near.errors.hasSuffix("did you mean mine?\n"), "\(near.errors)")
        let patch = ctl("save-patch", "rel.yaml", in: folder)
        #expect(patch.text.hasPrefix("ok saved /") && patch.text.hasSuffix("/rel.yaml\n"), "\(patch.text)\(patch.errors)")
        #expect(!bytes(String(patch.text.dropFirst("ok saved ".count).dropLast())).isEmpty)
        #expect(ctl("quit", in: folder).text == "ok\n")
        #expect(running.end().exitCode == 0)
    }

    @Test func whoHasNoKeyboardPlaysThroughTheSocket() {
        let folder = folder()
        let running = Program.start(
            [Program.path, "live", "--device", "null", "--instrument", "square-wave", "--control", "s"], in: folder)
        wait(for: "event=keyboard", running)
        for words in [["keys", "-12"], ["note", "1", "72", "100"], ["metronome", "on", "90"]] {
            let run = Program.run(["ctl", "--control", "s"] + words, in: folder)
            #expect(run.text == "ok\n", "\(words): \(run.errors)")
        }
        wait(for: "event=metronome state=on tempo=90", running)
        #expect(running.errorsSoFar.contains("event=keys semitones=-12"))
        var status = ""
        while !running.hasEnded, !status.contains("\"notes\":[{\"channel\":1,\"key\":60}]") {
            status = ctl("status", in: folder).text
        }
        #expect(status.contains("\"song\":null"), "\(status)")
        #expect(ctl("panic", in: folder).text == "ok\n" && ctl("pause", in: folder).exitCode != 0)
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 143 && folder.names == ["one.mid"])
    }

    @Test func whatIsRefusedIsOneLineAnd64() {
        let folder = folder(), running = start(folder)
        for (words, reason) in [
            (["tempo", "11"], "tempo: 11 is out of range"), (["scene", "Big Organ"], "the patch has no scenes"),
            (["seek", "there"], "\"there\" is not a number"), (["paly"], "did you mean play?"), ([], "give a request"),
            (["--sokcet", "s", "play"], "there is no option --sokcet"), (["panic", "unit", "x y"], "there is no unit x y"),
        ] {
            let run = Program.run(["ctl"] + words, in: folder, environment: ["CARILLON_CONTROL": folder.file("s")])
            #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(reason), "\(words): \(run.errors)")
            #expect(run.output.isEmpty)
        }
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 143)
        #expect(folder.names == ["one.mid"])
    }

    @Test func twoSessionsDoNotShareASocket() {
        let folder = folder(), running = start(folder)
        let second = Program.run(Self.play, in: folder)
        #expect(second.exitCode == 73 && second.errors.contains("carillon: --control: s: another session listens there"))
        #expect(second.errorLines.count { $0.hasPrefix("carillon: ") } == 1 && second.output.isEmpty, "\(second.errors)")
        #expect(ctl("play", in: folder).text == "ok\n")
        kill(running.id, SIGKILL)
        _ = running.end()
        // What it has left is replaced.
        #expect(folder.names == ["one.mid", "s"])
        let third = start(folder)
        #expect(ctl("quit", in: folder).text == "ok\n")
        #expect(third.end().exitCode == 0)
        #expect(folder.names == ["one.mid"])
    }

    @Test func whoeverListensToNobodyIsTold() {
        let folder = folder()
        let nobody = ctl("play", in: folder)
        #expect(nobody.exitCode == 69 && nobody.errorLines.count == 1 && nobody.errors.contains("no session listens there"))
        let nowhere = Program.run(["ctl", "play"], in: folder)
        #expect(nowhere.exitCode == 64 && nowhere.errors.contains("name the session's socket"), "\(nowhere.errors)")
        let help = Program.run(["ctl", "help"], in: folder)
        #expect(help.exitCode == 0 && help.text.contains("seek bar BAR") && help.text.contains("(note 1 60 100 0.5s)"))
        for words in [["ctl", "--help"], ["ctl", "-h"], ["help", "ctl"]] {
            #expect(Program.run(words, in: folder).text.contains("carillon ctl seek bar 12"))
        }
        let bad = Program.run(["play", "one.mid", "--device", "null", "--control", ""], in: folder)
        #expect(bad.exitCode == 64 && bad.errors.contains("--control: the path is empty"))
    }

    @Test func whoWatchesHearsOfTheEnd() {
        let folder = folder(), running = start(folder)
        let watching = Program.start(
            ["/bin/bash", "-c", "$CARILLON ctl watch 50ms | tee /dev/stderr; exit ${PIPESTATUS[0]}"], in: folder,
            environment: ["CARILLON_CONTROL": folder.file("s")])
        while !watching.hasEnded, watching.errorsSoFar.split(separator: "\n").count < 3 { sched_yield() }
        kill(running.id, SIGKILL)
        _ = running.end()
        let run = watching.end()
        #expect(run.exitCode == 74 && run.text.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"statusVersion\":1,") })
        #expect(run.errors.contains("the session ended"))
    }

    @Test func wordsBecomeALine() {
        #expect(CtlCommand.line(["scene", "Big Organ"]) == "scene \"Big Organ\"")
        #expect(CtlCommand.line(["seek bar 2"]) == "seek bar 2" && CtlCommand.line(["seek", "-5"]) == "seek -5")
        #expect(CtlCommand.line(["scene", "\"3\""]) == "scene \"3\"" && CtlCommand.line(["scene", ""]) == "scene \"\"")
    }

    @Test func aSocketIsFound() throws {
        let variables = ["CARILLON_CONTROL": "/a", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(try CtlCommand.path("/b") { variables[$0] } == "/b")
        #expect(try CtlCommand.path(nil) { variables[$0] } == "/a")
        #expect(try CtlCommand.path(nil) { $0 == "CARILLON_CONTROL" ? "" : variables[$0] } == "/run/user/1/carillon.sock")
    }

    @Test func namesAreCompletedByTheSessionThatHasThem() {
        let folder = folder(), running = start(folder)
        func completions(_ words: String...) -> [String] {
            CtlCommand.completions(
                ["carillon", "ctl", "--control", folder.file("s")] + words + [""], 4 + words.count)
        }
        #expect(completions("panic", "unit").contains("mixer") && completions("learn").contains("mixer.volume"))
        #expect(completions("preset", "reverb").contains("concert-hall") && completions("cue").isEmpty)
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 143)
    }

    @Test func wordsAreCompleted() {
        #expect(CtlCommand.completions(["carillon", "ctl", "seek", ""], 3) == ["bar", "bars", "markers"])
        #expect(CtlCommand.completions(["carillon", "ctl", "--socket", "s", "loop", "o"], 5) == ["on", "off"])
        // A session tells its names; where nobody listens there are none.
        #expect(
            CtlCommand.completions(["carillon", "ctl", "--control", "/proc/nowhere", "scene", ""], 5) == ["next", "previous"])
    }
}
