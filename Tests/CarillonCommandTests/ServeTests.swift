import Glibc
import TestFolders
import Testing

/// `carillon serve`: checks, dry runs, and an installation that runs on no device.
@Suite struct ServeTests {
    private static let patch = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, parts: 1-16}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
        connections: [organ -> mixer]
        outputs: mixer

        """

    private func folder(_ text: String = "playlists: {a: [one.mid, two.mid]}") -> TemporaryFolder {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.song([SongBytes.note(60, ticks: 960 * 600) + SongBytes.end]))
        folder.add("two.mid", SongBytes.oneNote)
        folder.add("patch.yaml", Array(Self.patch.utf8))
        folder.add("house.yaml", Array("version: 1\npatch: patch.yaml\nsaving: 1 s\nfade: 0 s\n\(text)\n".utf8))
        return folder
    }

    private static let serve = ["serve", "house.yaml", "--device", "null", "--state", "state"]

    private func start(_ folder: TemporaryFolder, _ environment: [String: String] = [:]) -> RunningProgram {
        Program.start([Program.path] + Self.serve, in: folder, environment: environment)
    }

    private func wait(_ running: RunningProgram, for text: String) {
        while !running.hasEnded && !running.errorsSoFar.contains(text) { sched_yield() }
    }

    private func state(_ folder: TemporaryFolder) -> String { String(decoding: folder.bytes(of: "state/state"), as: UTF8.self) }

    // MARK: - Without a sound

    @Test func theExampleIsCheckedAndSimulated() {
        let folder = folder()
        mkdir(folder.file("songs"), 0o700)
        for name in ["pachelbel-canon", "gymnopedie-1", "auld-lang-syne", "drum-groove"] {
            folder.add("songs/\(name).mid", SongBytes.oneNote)
        }
        let run = Program.shell(
            "$CARILLON serve --example > museum.yaml && $CARILLON serve museum.yaml --check && "
                + "$CARILLON serve museum.yaml --simulate 2026-12-23 2026-12-27T12:00 > plan.txt && grep -v '  ' plan.txt",
            in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.text.hasPrefix("museum.yaml: it runs: 2 playlists, 4 songs, 1 layer, 2 cues\nnow "))
        #expect(
            run.text.replacing(#/ [+-]\d\d:\d\d /#, with: " ").hasSuffix(
                """
                2026-12-23 09:00:00 opens: day
                2026-12-23 11:00:00 cue anthem
                2026-12-23 12:00:00 level -12 dB
                2026-12-23 12:30:00 level 0 dB
                2026-12-23 15:00:00 stands still
                2026-12-23 15:20:00 goes on
                2026-12-23 18:00:00 closes
                2026-12-24 11:00:00 cue anthem is not played: the installation is closed
                2026-12-25 11:00:00 cue anthem is not played: the installation is closed
                2026-12-26 11:00:00 cue anthem is not played: the installation is closed
                2026-12-27 10:00:00 opens: day
                2026-12-27 11:00:00 cue anthem

                """), "\(run.text)")
        #expect(run.errors.hasPrefix("open for 11.0 h, ") && run.errors.hasSuffix(" songs, 4 different\n"))
    }

    @Test func theGuidesInstallationRuns() {
        let page = Program.package + "/Sources/Carillon/Carillon.docc/Guides/RunAnInstallation.md"
        let blocks = String(decoding: bytes(page), as: UTF8.self).split(separator: "```").filter { $0.hasPrefix("yaml\n") }
        #expect(blocks.count == 3)
        let folder = folder()
        mkdir(folder.file("songs"), 0o700)
        for name in ["pachelbel-canon", "gymnopedie-1"] { folder.add("songs/\(name).mid", SongBytes.oneNote) }
        mkdir(folder.file("inbox"), 0o700)
        folder.add("evening.m3u", Array("songs/gymnopedie-1.mid\n".utf8))
        let scenes = "scenes: {evening: {values: {organ.attack: 20 ms}}}\n"
        folder.add("tower.yaml", Array((Self.patch + scenes).utf8))
        for name in ["hymn", "drums", "choir"] { folder.add("\(name).mid", SongBytes.oneNote) }
        for name in ["bell.wav", "thanks.wav"] {
            #expect(Program.run(["render", "two.mid", "-o", name, "--instrument", "square-wave"], in: folder).exitCode == 0)
        }
        folder.add("museum.yaml", Array(blocks.map { $0.dropFirst(5) }.joined().utf8))
        // The card of the guide is not in this machine.
        let run = Program.run(["serve", "museum.yaml", "--check", "--device", "null"], in: folder)
        #expect(
            run.exitCode == 0 && run.text.hasPrefix("museum.yaml: it runs: 2 playlists, 2 songs, 2 layers, 6 cues\n"),
            "\(run.errors)")
        #expect(run.errors.isEmpty)
    }

    /// Days on which clocks are changed, as the system's own zones have them: a day that is open has as many hours.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", "2026-03-30", "23.0"), ("Europe/Berlin", "2026-10-25", "2026-10-26", "25.0"),
        ("America/New_York", "2026-11-01", "2026-11-02", "25.0"), ("Australia/Lord_Howe", "2026-04-05", "2026-04-06", "24.5"),
        ("Asia/Tokyo", "2026-03-29", "2026-03-30", "24.0"), ("UTC", "2028-02-28", "2028-03-01", "48.0"),
    ]) func aDayHasTheHoursOfItsZone(_ zone: String, _ from: String, _ to: String, _ hours: String) {
        let folder = folder("time-zone: \(zone)\nplaylists: {a: [one.mid]}")
        let run = Program.run(["serve", "house.yaml", "--simulate", from, to], in: folder)
        #expect(run.exitCode == 0 && run.errors.hasPrefix("open for \(hours) h, "), "\(run.errors)")
        #expect(run.text.prefixMatch(of: /\S+ 00:00:00 [+-]\d\d:\d\d opens: a\n/) != nil && run.text.hasPrefix(from))
    }

    @Test(arguments: [
        ([], 64, "name the installation"), (["none.yaml"], 66, "none.yaml: cannot be read"),
        (["house.yaml", "--check", "--simulate", "2026-01-01", "2026-01-02"], 64, "give one of them"),
        (["house.yaml", "--simulate", "2026-01-01"], 64, "give two dates"),
        (["house.yaml", "--simulate", "2026-02-30", "2026-03-01"], 64, "2026-02-30: give dates like"),
        (["house.yaml", "--simulate", "2026-03-02", "2026-03-01"], 64, "the second is to be later"),
        (["house.yaml", "--simulate", "2026-03-02T25:00", "2026-03-04"], 64, "give dates like"),
        (["house.yaml", "--example"], 64, "--example stands alone"), (["house.yaml", "--device", ""], 64, "the name is empty"),
        (["bad.yaml", "--check"], 78, "bad.yaml:2:1: there is no \"playlist\" here; did you mean playlists?"),
        (["bad.yaml"], 78, "bad.yaml:2:1:"), (["patchless.yaml"], 66, "none.yaml: cannot be read"),
        (["patchless.yaml", "--check"], 66, "none.yaml: cannot be read"),
        (["songless.yaml", "--check"], 66, "no song of it can be played"),
        (["deaf.yaml", "--check"], 78, "deaf.yaml:2:15: input-device: nothing uses it: the patch has no unit input"),
        (["deaf.yaml"], 78, "deaf.yaml:2:15: input-device: "),
        (["fontless.yaml", "--check"], 66, "no.sf2"), (["fontless.yaml", "--device", "null"], 66, "no.sf2"),
    ]) func whatIsWrongIsOneLineWithItsCode(_ arguments: [String], _ code: Int32, _ part: String) {
        let folder = folder()
        folder.add("bad.yaml", Array("version: 1\nplaylist: {}".utf8))
        folder.add("patchless.yaml", Array("version: 1\npatch: none.yaml\nplaylists: {a: [one.mid]}".utf8))
        folder.add("songless.yaml", Array("version: 1\npatch: patch.yaml\nplaylists: {a: [x.mid]}".utf8))
        let song = "playlists: {a: [two.mid]}"
        folder.add("deaf.yaml", Array("version: 1\ninput-device: \"hw:Mic,0\"\npatch: patch.yaml\n\(song)".utf8))
        folder.add("fontless.yaml", Array("version: 1\nsoundfonts: [no.sf2]\nplaylists: {a: [one.mid]}".utf8))
        let run = Program.run(["serve"] + arguments, in: folder)
        #expect(run.exitCode == code && run.errors.contains(part), "\(run.exitCode ?? -1): \(run.errors)")
        #expect(run.errorLines.count { $0.hasPrefix("carillon: ") } == 1 && run.output.isEmpty, "\(run.errors)")
    }

    /// Beside `null` too: then the device that captures keeps the time.
    @Test(arguments: ["", "device: \"null\"\n"]) func anInputThatThePatchHearsIsTaken(_ device: String) {
        let folder = folder()
        folder.add("voice.yaml", Array("version: 1\nunits: {voice: {unit: input}}\noutputs: voice".utf8))
        folder.add(
            "hears.yaml",
            Array(
                "version: 1\npatch: voice.yaml\n\(device)input-device: \"hw:Mic,0\"\nplaylists: {a: [two.mid]}".utf8))
        let run = Program.run(["serve", "hears.yaml", "--check"], in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test func aSongThatCannotBePlayedIsNamed() {
        let folder = folder()
        folder.add("two.mid", Array("no song".utf8))
        let run = Program.run(["serve", "house.yaml", "--check"], in: folder)
        #expect(run.exitCode == 65 && run.errors.contains("two.mid: is not a song file"), "\(run.errors)")
        #expect(run.text.hasPrefix("house.yaml: it runs: 1 playlist, 1 song, 1 that cannot be played\n"))
    }

    /// Each once: a song that is not there, and that the house plays a patch for more loudspeakers on two.
    @Test func aCheckSaysEachThingOnce() {
        let folder = folder("playlists: {a: [one.mid, none.mid]}")
        folder.add(
            "patch.yaml",
            Array(
                """
                version: 1
                units: {organ: {unit: square-wave, role: instrument, parts: 1-16}, room: {unit: matrix}}
                connections: [organ -> room]
                outputs: "room[all]"

                """.utf8))
        let run = Program.run(["serve", "house.yaml", "--check"], in: folder)
        #expect(run.exitCode == 65 && run.errorLines.count == 2, "\(run.errors)")
        #expect(run.errorLines.count { $0.contains("none.mid") } == 1, "\(run.errors)")
        #expect(
            run.errorLines.count { $0.hasPrefix("house.yaml: patch: it plays on ") && $0.hasSuffix("installations play stereo") }
                == 1)
        #expect(run.text.hasPrefix("house.yaml: it runs: 1 playlist, 1 song, 1 that cannot be played\n"))
    }

    @Test func aCueThatCannotBePlayedIsNamed() {
        let folder = folder("playlists: {a: [one.mid]}\ncues: {x: {sound: no.wav}, y: {song: no.mid}, z: {scene: soft}}")
        let run = Program.run(["serve", "house.yaml", "--check"], in: folder)
        #expect(run.exitCode == 65 && run.errorLines.count == 3, "\(run.errors)")
        for name in ["x", "y", "z"] { #expect(run.errors.contains("cue \(name): "), "\(run.errors)") }
    }

    @Test func whatIsHardlyMeantSoIsSaid() {
        let folder = folder("playlists: {a: [one.mid]}\ncues: {x: {song: two.mid, key: C2}}\ndrop: inbox")
        let run = Program.run(["serve", "house.yaml", "--check"], in: folder)
        #expect(
            run.exitCode == 0
                && run.errorLines == [
                    "house.yaml: no keyboard can request x: add buttons: any",
                    "house.yaml: drop: there is no folder inbox yet: create it; it is looked for every second",
                ], "\(run.errors)")
    }

    // MARK: - On no device

    @Test(arguments: [(SIGTERM, 0), (SIGINT, 130)] as [(Int32, Int32)])
    func aSignalEndsItInOrder(_ number: Int32, _ code: Int32) {
        let folder = folder(), running = start(folder)
        wait(running, for: "event=song")
        kill(running.id, number)
        let run = running.end()
        #expect(run.exitCode == code, "\(run.errors)")
        #expect(
            run.errors.contains("event=opened playlist=a clock=") && run.errors.contains("event=song name=one.mid playlist=a"))
        #expect(run.errorLines.last?.hasPrefix("event=end reason=") == true && run.output.isEmpty)
        #expect(state(folder).contains("song one.mid\n"))
    }

    @Test func afterAKillItGoesOnWhereItWas() {
        let folder = folder()
        var bar = 0
        for turn in 0..<5 {
            let running = start(folder)
            wait(running, for: turn == 0 ? "event=song" : "event=resumed song=one.mid bar=")
            if turn > 0 {
                let said = running.errorsSoFar.split(separator: "event=resumed song=one.mid bar=").last?.prefix { $0.isNumber }
                #expect(said.flatMap { Int($0) } == bar, "\(running.errorsSoFar)")
            }
            // Until something newer is written down.
            let former = state(folder)
            while !running.hasEnded, state(folder) == former || !state(folder).contains("song one.mid") { sched_yield() }
            kill(running.id, SIGKILL)
            #expect(running.end().signal == SIGKILL)
            bar = state(folder).split(separator: "\nbar ").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? -1
            #expect(bar > 0, "\(state(folder))")
        }
    }

    @Test func twoOfThemDoNotWriteIntoOneFolder() {
        let folder = folder(), running = start(folder)
        wait(running, for: "event=song")
        let second = start(folder).end()
        #expect(second.exitCode == 73 && second.errorLines.count == 1, "\(second.errors)")
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 0)
    }

    @Test func aFileIsReadAgainAndABrokenOneChangesNothing() {
        let folder = folder(), running = start(folder)
        wait(running, for: "event=song")
        let good = folder.bytes(of: "house.yaml")
        folder.add("house.yaml", Array("version: 1\nplaylist: {}".utf8))
        kill(running.id, SIGHUP)
        wait(running, for: "the installation is unchanged")
        #expect(running.errorsSoFar.contains("house.yaml:2:1: there is no"))
        folder.add("house.yaml", good)
        kill(running.id, SIGHUP)
        wait(running, for: "reloaded: nothing has changed")
        let text = String(decoding: good, as: UTF8.self)
        folder.add("house.yaml", Array((text + "calendar: {all: {playlist: a}, low: {level: -20 dB}}\n").utf8))
        kill(running.id, SIGHUP)
        wait(running, for: "event=level decibels=-20")
        #expect(running.errorsSoFar.contains("reloaded: the calendar has changed"))
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.exitCode == 0 && run.errors.count(of: "event=song") == 1, "\(run.errors)")
    }

    @Test func manySignalsAreOneLookAtATime() {
        let folder = folder(), running = start(folder)
        wait(running, for: "event=song")
        for _ in 0..<100 { kill(running.id, SIGHUP) }
        wait(running, for: "reloaded: nothing has changed")
        let text = String(decoding: folder.bytes(of: "house.yaml"), as: UTF8.self)
        folder.add("house.yaml", Array((text + "calendar: {all: {playlist: a}, low: {level: -20 dB}}\n").utf8))
        for _ in 0..<100 { kill(running.id, SIGHUP) }
        wait(running, for: "event=level decibels=-20")
        kill(running.id, SIGTERM)
        let run = running.end()
        // A look begins at most where another has ended.
        #expect(run.exitCode == 0 && run.errors.count(of: "reloaded: ") < 100, "\(run.errors)")
    }

    /// A mistake that only a look at the world finds: the log says what `--check` says, and the music plays on.
    @Test(arguments: [
        "soundfonts: [no.sf2]\nplaylists: {a: [one.mid]}", "patch: patch.yaml\nplaylists: {a: [one.mid, none.mid]}",
    ])
    func whatTheCheckRefusesIsNotTakenOver(_ text: String) {
        let folder = folder(), running = start(folder)
        wait(running, for: "event=song")
        folder.add("house.yaml", Array("version: 1\nsaving: 1 s\nfade: 0 s\n\(text)\n".utf8))
        kill(running.id, SIGHUP)
        wait(running, for: "not reloaded; the installation is unchanged")
        let check = Program.run(["serve", "house.yaml", "--check", "--device", "null"], in: folder)
        #expect(check.exitCode != 0 && !check.errorLines.isEmpty)
        for line in check.errorLines {
            let words = line.hasPrefix("carillon: ") ? line.dropFirst("carillon: ".count) : line[...]
            #expect(running.errorsSoFar.contains(words), "\(words)\n\(running.errorsSoFar)")
        }
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.exitCode == 0 && run.errors.count(of: "event=song") == 1, "\(run.errors)")
    }

    @Test func aCardThatIsNotThereIsTold() {
        let folder = folder("device: \"hw:Nowhere,0\"\nplaylists: {a: [one.mid]}")
        let alone = Program.run(["serve", "house.yaml", "--check"], in: folder)
        #expect(alone.exitCode == 65 && alone.errors.contains("device: hw:Nowhere,0 is not there"), "\(alone.errors)")
        let other = Program.run(["serve", "house.yaml", "--check", "--device", "hw:Nowhere,0", "--device", "null"], in: folder)
        #expect(other.exitCode == 0 && other.errors.contains("hw:Nowhere,0 is not there"), "\(other.errors)")
        for name in ["pipewire:nobody", "jack:nobody"] {
            #expect(Program.run(["serve", "house.yaml", "--check", "--device", name], in: folder).exitCode == 65, "\(name)")
        }
    }

    @Test func withoutAPlaceToWriteItPlaysAndSaysSo() {
        let folder = folder()
        folder.add("state", Array("a file in the way".utf8))
        let running = start(folder)
        wait(running, for: "event=song")
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.exitCode == 0 && run.errors.contains("event=message text=\"state"), "\(run.errors)")
    }

    @Test func itIsSteeredThroughASocketOpenOrClosed() {
        let folder = folder("playlists: {a: [one.mid]}\ncues: {hymn: {song: two.mid}}")
        let open = Program.start([Program.path] + Self.serve + ["--control", "house.sock"], in: folder)
        wait(open, for: "event=song")
        func ctl(_ words: String...) -> ProgramRun { Program.run(["ctl", "--socket", "house.sock"] + words, in: folder) }
        #expect(ctl("status").text.hasPrefix("{\"statusVersion\":"))
        #expect(ctl("tempo", "90%").text == "ok\n" && ctl("seek", "bar", "5").text == "ok\n")
        #expect(ctl("cue", "hymn").text == "ok\n")
        wait(open, for: "event=cue name=hymn")
        wait(open, for: "event=cue-ended name=hymn")
        let refused = ctl("cue", "him")
        #expect(refused.exitCode == 64 && refused.errors.contains("there is no cue him; there are hymn"), "\(refused.errors)")
        // Another one does not take its place there.
        let second = Program.run(
            ["serve", "house.yaml", "--device", "null", "--state", "other", "--control", "house.sock"], in: folder)
        #expect(
            second.exitCode == 73 && second.errors.contains("--control: house.sock"), "\(second.exitCode ?? -1) \(second.errors)")
        #expect(ctl("quit").text == "ok\n")
        #expect(open.end().exitCode == 0 && !folder.names.contains("house.sock"))

        folder.add(
            "house.yaml",
            Array(
                """
                version: 1
                patch: patch.yaml
                playlists: {a: [one.mid]}
                calendar: {never: {dates: 1999-01-01, playlist: a}}
                """.utf8))
        let closed = Program.start([Program.path] + Self.serve + ["--control", "house.sock"], in: folder)
        while !closed.hasEnded, !folder.names.contains("house.sock") { sched_yield() }
        let answer = ctl("next")
        #expect(answer.exitCode == 64 && answer.errors.contains("the installation is closed"), "\(answer.errors)")
        #expect(ctl("quit").text == "ok\n" && closed.end().exitCode == 0)
    }

    /// As the unit of systemd has it: a folder for the state, and another one to stand in that nobody may write into.
    @Test func whatIsSavedGoesIntoTheServicesFolder() {
        let folder = folder()
        mkdir(folder.file("kept"), 0o700)
        let running = Program.start(
            [Program.path, "serve", "house.yaml", "--device", "null", "--control", "house.sock"], in: folder,
            environment: ["STATE_DIRECTORY": folder.file("kept"), "HOME": "/proc/nowhere"])
        wait(running, for: "event=song")
        func ctl(_ words: String...) -> ProgramRun { Program.run(["ctl", "--socket", "house.sock"] + words, in: folder) }
        let before = folder.names
        // Until a note was played.
        while !running.hasEnded, ctl("save-recording").errors.contains("nothing has been played") { sched_yield() }
        for (words, place) in [
            (["save-recording"], "recordings/recording-"), (["save-patch"], "patches/patch-"),
            (["save-preset", "mixer", "soft"], "presets/multichannel-mixer/soft.yaml"),
        ] {
            let answer = Program.run(["ctl", "--socket", "house.sock"] + words, in: folder)
            #expect(answer.text.hasPrefix("ok saved \(folder.file("kept"))/\(place)"), "\(answer.text)\(answer.errors)")
        }
        #expect(ctl("save-patch", "patch.yaml").errors.contains("leave the name out"))
        #expect(String(decoding: folder.bytes(of: "patch.yaml"), as: UTF8.self) == Self.patch && folder.names == before)
        #expect(ctl("quit").text == "ok\n" && running.end().exitCode == 0)
    }

    // MARK: - The service manager

    @Test func theServiceManagerHearsThatItIsReadyHowItDoesAndThatItLives() throws {
        let folder = folder(), descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.file("notify").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        let running = start(folder, ["NOTIFY_SOCKET": folder.file("notify"), "WATCHDOG_USEC": "400000"])
        var told = ""
        func hear(until text: String) {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !running.hasEnded, !told.contains(text) {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if count > 0 { told += String(decoding: buffer[..<count], as: UTF8.self) + "\n" } else { sched_yield() }
            }
        }
        hear(until: "READY=1")
        hear(until: "STATUS=a: one.mid")
        hear(until: "WATCHDOG=1")
        told = ""
        // Again and again.
        hear(until: "WATCHDOG=1")
        kill(running.id, SIGHUP)
        hear(until: "RELOADING=1")
        hear(until: "READY=1")
        kill(running.id, SIGTERM)
        hear(until: "STOPPING=1")
        #expect(running.end().exitCode == 0)
    }
}
