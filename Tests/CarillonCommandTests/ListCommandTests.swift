import Glibc
import TestFolders
import Testing

/// `carillon list`, and `carillon live` with a list.
@Suite struct ListCommandTests {
    private let folder = TemporaryFolder()

    init() {
        for name in ["organ.yaml", "pad.yaml"] { folder.add(name, Array(PatchSamples.organ.utf8)) }
        folder.add("broken.yaml", Array("version: 1\nunits: {a: {unit: revreb}}\n".utf8))
        folder.add("one.mid", SongBytes.oneNote)
    }

    private func run(_ arguments: String...) -> ProgramRun { Program.run(arguments, in: folder) }

    private func text(_ name: String) -> String { String(decoding: bytes(folder.file(name)), as: UTF8.self) }

    @Test func aListIsWrittenCheckedAndOrdered() {
        let new = run("list", "new", "organ.yaml", "broken.yaml", "one.mid", "organ.yaml", "--output", "evening.yaml")
        #expect(new.exitCode == 0 && new.text.isEmpty, "\(new.errors)")
        #expect(text("evening.yaml").contains("entries:\n  organ:\n    patch: organ.yaml\n"), "\(text("evening.yaml"))")
        let check = run("list", "check", "evening.yaml")
        #expect(check.exitCode == 0 && check.text == "evening.yaml: it plays: 3 of 4 entries\n", "\(check.errors)")
        #expect(
            check.errors.contains("entries.broken.patch: broken.yaml:2:19: units.a.unit: there is no unit called \"revreb\"")
                && !check.errors.contains("entries.one"), "\(check.errors)")
        #expect(run("list", "check", "evening.yaml", "--fail-on", "missing").exitCode == 65)
        let before = text("evening.yaml")
        #expect(
            run("list", "order", "evening.yaml", "organ-2", "one").text.split(separator: "\n").compactMap {
                $0.split(separator: " ").dropFirst().first
            } == ["organ-2", "one", "organ", "broken"])
        #expect(text("evening.yaml") != before && text("evening.yaml").count == before.count)
        let unknown = run("list", "order", "evening.yaml", "orgn")
        #expect(unknown.exitCode == 64 && unknown.errors.contains("there is no entry \"orgn\"; "), "\(unknown.errors)")
        #expect(run("list", "new", "nowhere.yaml").exitCode == 66)
        #expect(run("list", "new", "organ.yaml", "-o", "evening.yaml").exitCode == 73)
        // From another folder a name is whole.
        mkdir(folder.file("sets"), 0o700)
        #expect(run("list", "new", "organ.yaml", "-o", "sets/a.yaml").exitCode == 0)
        #expect(run("list", "check", "sets/a.yaml").exitCode == 0)
    }

    @Test func everyFaultHasItsLine() {
        folder.add("bad.yaml", Array("version: 1\nentries:\n  a: {patch: organ.yaml, pach: x}\n  b: {tempo: 3}\n".utf8))
        let check = run("list", "check", "bad.yaml", "organ.yaml")
        #expect(check.exitCode == 78 && check.errors.contains("bad.yaml:3:26: entries.a: there is no \"pach\" here"))
        #expect(check.errors.contains("bad.yaml:4:14: entries.b.tempo: tempo: 3 is out of range"), "\(check.errors)")
        #expect(run("live", "--list", "bad.yaml", "--device", "null").exitCode == 78)
    }

    @Test func aListPlaysWithoutWhatIsBroken() {
        folder.add(
            "evening.yaml",
            Array(
                """
                version: 1
                buttons: {controller-80: patch next, "controller-81,hold": paly, pad-3: panic}
                entries:
                  first: {patch: pad.yaml, skip: on}
                  second: broken.yaml
                  third: {patch: organ.yaml, song: one.mid, tempo: 96, text: words.cho}
                  fourth: pad.yaml

                """.utf8))
        for arguments in [["evening.yaml"], ["--list", "evening.yaml"]] {
            let running = Program.start([Program.path, "live", "--device", "null"] + arguments, in: folder)
            while !running.hasEnded && !running.errorsSoFar.contains("ready=yes") { sched_yield() }
            kill(running.id, SIGTERM)
            let run = running.end()
            #expect(run.exitCode == 143 && run.errors.contains("event=patch name=third number=3 count=4 next=fourth"))
            #expect(run.errors.count(of: "second: broken.yaml:2:19") == 1, "\(run.errors)")
            for fault in [
                "evening.yaml:2: buttons.controller-81,hold: there is no command",
                "evening.yaml:6: entries.third.text: words.cho: cannot be read: No such file or directory; it is left out",
                "evening.yaml:2: buttons.pad-3: there is no button", "event=song name=one.mid number=1 count=1 ",
            ] {
                #expect(run.errors.contains(fault), "\(run.errors)")
            }
        }
        folder.add("none.yaml", Array("version: 1\nentries: {a: broken.yaml}\n".utf8))
        #expect(run("live", "none.yaml", "--device", "null").exitCode == 78)
        folder.add("songs.yaml", Array("version: 1\nentries: {a: {song: none.mid}, b: {patch: broken.yaml}}\n".utf8))
        let check = run("list", "check", "songs.yaml")
        #expect(check.exitCode == 78 && check.errors.contains("songs.yaml:2: entries.a.song: none.mid: "), "\(check.errors)")
        let songs = run("live", "songs.yaml", "--device", "null")
        #expect(songs.exitCode == 78 && songs.errors.contains("broken.yaml:2:19"), "\(songs.errors)")
        folder.add("plain.yaml", Array("version: 1\nentries: {a: organ.yaml}\n".utf8))
        let play = run("live", "plain.yaml", "--play", "--device", "null")
        #expect(play.exitCode == 64 && play.errors.contains("--play: is for songs, and plain.yaml has none"), "\(play.errors)")
        for (arguments, reason) in [
            (["one.mid", "evening.yaml"], "is a set list, which names its songs"),
            (["evening.yaml", "--list", "a"], "names a set list already"),
            (["one.mid", "--list", "evening.yaml"], "write the song into evening.yaml"),
            (["--tempo", "0.8"], "--tempo: is for songs; name one"), (["--play"], "--play: is for songs; name one"),
            (["--cross-fade", "2"], "--cross-fade: is for songs; name one"),
            (["one.mid", "--loop", "--repeat", "one"], "--loop: is --repeat all"),
            (["evening.yaml", "--patch", "organ.yaml"], "exclude each other"),
            (["--watch"], "name the file with --patch or --list"),
        ] {
            let run = Program.run(["live"] + arguments, in: folder)
            #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
        }
    }

    /// Killed in the middle of an evening, it goes on with the entry that played; after an ordinary end with the first.
    @Test func aListGoesOnWhereItWasKilled() {
        folder.add(
            "evening.yaml", Array("version: 1\nentries: {one: organ.yaml, two: organ.yaml, three: pad.yaml}\n".utf8))
        let environment = ["XDG_STATE_HOME": folder.file("state")]
        func play(_ options: String, until sign: String, _ signal: Int32, _ body: (RunningProgram) -> Void = { _ in }) -> String {
            let running = Program.start(
                [Program.path, "live", "evening.yaml", "--device", "null", "--control", "c.sock"]
                    + options.split(separator: " ").map(String.init), in: folder, environment: environment)
            while !running.hasEnded && !running.errorsSoFar.contains(sign) { sched_yield() }
            body(running)
            kill(running.id, signal)
            return running.end().errors
        }
        let killed = play("", until: "ready=yes", SIGKILL) { running in
            let asked = Program.run(["ctl", "--control", "c.sock", "patch", "three"], in: folder)
            #expect(asked.exitCode == 0, "\(asked.errors)")
            let name = "carillon-state 1 5 "
            while !running.hasEnded {
                let states = TemporaryFolder.names(in: folder.file("state/carillon/live"))
                if states.contains(where: {
                    !$0.hasSuffix(".new") && text("state/carillon/live/\($0)").hasPrefix(name)
                        && text("state/carillon/live/\($0)").hasSuffix("three")
                }) {
                    break
                }
                sched_yield()
            }
        }
        #expect(killed.contains("event=patch name=one"))
        for (options, name, word) in [
            ("--resume", "three", "--resume: goes on with three"), ("--resume", "one", "--resume: no session"), ("", "one", ""),
        ] {
            let said = play(options, until: "event=patch", SIGTERM)
            #expect(said.contains("event=patch name=\(name) "), "\(said)")
            #expect(word.isEmpty ? !said.contains("--resume") : said.contains(word), "\(said)")
        }
    }
}
