import Foundation
import Glibc
import TestFolders
import Testing

/// Several songs and folders in one call.
@Suite struct BatchTests {
    private let folder = TemporaryFolder()
    private let options = ["--instrument", "square-wave", "--tail", "exact"]

    init() { mkdir(folder.file("songs"), 0o700) }

    /// Five songs in a folder, the second and the fourth of which are none.
    private func addFive() {
        for (index, name) in ["a.mid", "b.mid", "c.KAR", "d.rmi", "e.midi"].enumerated() {
            folder.add("songs/" + name, index % 2 == 1 ? Array("hello\n".utf8) : song(UInt8(50 + index)))
        }
        folder.add("songs/.hidden.mid", SongBytes.oneNote)
        folder.add("songs/notes.txt", SongBytes.oneNote)
    }

    private func song(_ key: UInt8) -> [UInt8] { SongBytes.song([SongBytes.note(key, ticks: 480) + SongBytes.end]) }

    private func names(in name: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.file(name)).sorted()) ?? []
    }

    @Test func aFolderIsRenderedAndWhatIsBrokenCostsItselfOnly() {
        addFive()
        mkdir(folder.file("songs/more"), 0o700)
        let run = Program.run(["render", "songs", "--output-dir", "sounds"] + options, in: folder)
        #expect(run.exitCode == 65)
        #expect(names(in: "sounds") == ["a.wav", "c.wav", "e.wav"])
        let lines = run.errorLines
        #expect(lines.count == 7, "\(run.errors)")
        #expect(lines.first == "songs: 1 folder in it not looked into; name them too")
        let starts = [
            "songs/a.mid -> sounds/a.wav: 0.50 s", "carillon: songs/b.mid: ", "songs/c.KAR -> ", "carillon: songs/d.rmi: ",
            "songs/e.midi -> ",
        ]
        for (line, start) in zip(lines.dropFirst(), starts) { #expect(line.hasPrefix(start), "\(line)") }
        #expect(lines.last?.hasPrefix("3 of 5 songs in ") == true && lines.last?.hasSuffix(" s, 2 failed") == true)
        #expect(run.output.isEmpty)
    }

    @Test func howManyAtATimeChangesNoByteAndNoLine() {
        for index in 0..<7 { folder.add("songs/\(index).mid", song(UInt8(40 + index))) }
        for jobs in ["1", "3", "64"] {
            let run = Program.run(["render", "songs", "--output-dir", "jobs-" + jobs, "--jobs", jobs] + options, in: folder)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.errorLines.map { $0.prefix { $0 != " " } } == (0..<7).map { "songs/\($0).mid" } + ["7"])
        }
        for index in 0..<7 {
            let one = folder.bytes(of: "jobs-1/\(index).wav")
            #expect(one.count == 44 + 24_000 * 4)
            #expect(folder.bytes(of: "jobs-3/\(index).wav") == one && folder.bytes(of: "jobs-64/\(index).wav") == one)
        }
    }

    /// Songs of an album are rendered first and written then, at one gain; a broken one costs itself.
    @Test func anAlbumIsWrittenAtOneGain() throws {
        addFive()
        let long = { (velocity: UInt8) in SongBytes.song([SongBytes.note(60, velocity: velocity, ticks: 7_680) + SongBytes.end]) }
        folder.add("songs/f.mid", long(127))
        folder.add("songs/g.mid", long(40))
        var files: [[UInt8]] = []
        for jobs in ["1", "3"] {
            let run = Program.run(
                ["render", "songs", "--output-dir", jobs, "--album-loudness", "--json", "--jobs", jobs] + options, in: folder)
            #expect(run.exitCode == 65, "\(run.errors)")
            let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
            let songs = try #require(report["songs"] as? [[String: Any]])
            let levels = songs.compactMap { $0["level"] as? [String: Any] }
            #expect(levels.count == 5 && Set(levels.compactMap { $0["gain"] as? Double }).count == 1, "\(run.output)")
            #expect(names(in: jobs) == ["a.wav", "c.wav", "e.wav", "f.wav", "g.wav"])
            files.append(names(in: jobs).flatMap { folder.bytes(of: jobs + "/" + $0) })
        }
        #expect(files[0] == files[1])
        let refused = Program.run(["render", "songs", "--album-loudness", "--loudness", "off"] + options, in: folder)
        #expect(refused.exitCode == 64)
    }

    @Test func soundFontsCanBePlayedByManyAtATime() {
        for index in 0..<6 { folder.add("songs/\(index).mid", song(UInt8(50 + index))) }
        for jobs in ["1", "6"] {
            let run = Program.run(
                ["render", "songs", "--output-dir", "jobs-" + jobs, "--jobs", jobs, "--threads", "2", "--tail", "exact"],
                in: folder)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.errorLines.count { $0.hasPrefix("SoundFont: ") } == 1)
        }
        for index in 0..<6 { #expect(folder.bytes(of: "jobs-1/\(index).wav") == folder.bytes(of: "jobs-6/\(index).wav")) }
    }

    @Test func theFirstFailureGivesTheExitCode() {
        folder.add("text.mid", Array("hello\n".utf8))
        folder.add("one.mid", SongBytes.oneNote)
        #expect(Program.run(["render", "none.mid", "text.mid", "one.mid"] + options, in: folder).exitCode == 66)
        let quiet = Program.run(["render", "text.mid", "none.mid", "one.mid", "--quiet", "--force"] + options, in: folder)
        #expect(quiet.exitCode == 65)
        #expect(quiet.errorLines.count == 2 && quiet.errorLines.allSatisfy { $0.hasPrefix("carillon: ") })
        #expect(folder.names == ["one.mid", "one.wav", "songs", "text.mid"])
    }

    @Test(arguments: [
        ["one.mid", "songs/one.mid"], ["one.mid", "./one.mid"], ["one.mid", "one.rmi"], ["one.mid", "two.mid", "-o", "x.wav"],
        ["songs", "-o", "x.wav"], ["one.mid", "two.mid", "--rate", "1"], ["one.mid", "two.mid", "--format", "mp5"],
        ["one.mid", "-o", "x.wav", "--output-dir", "y"], ["one.mid", "--jobs", "0"], ["one.mid", "--jobs", "65"], ["-", "-"],
        ["one.mid", "--threads", "0"], ["one.mid", "two.mid", "--threads", "65"], ["one.mid", "--threads", "two"],
        ["one.mid", "one.wav"],
    ])
    func whatIsWrongWithTheCallIsRefusedBeforeAnythingIsRendered(_ arguments: [String]) {
        for name in ["one.mid", "two.mid", "one.rmi", "songs/one.mid", "one.wav"] { folder.add(name, SongBytes.oneNote) }
        let before = folder.names
        let run = Program.run(["render"] + arguments, in: folder)
        #expect(run.exitCode == 64, "\(run.errors)")
        #expect(run.errorLines.count == 1 && run.output.isEmpty)
        #expect(folder.names == before)
    }

    @Test func songsOfAFolderComeAsPeopleCount() {
        for number in ["10", "2", "1"] { folder.add("songs/song-\(number).mid", song(60)) }
        let run = Program.run(["render", "songs", "--output-dir", "sounds"] + options, in: folder)
        let names = run.errorLines.prefix(3).map { $0.prefix { $0 != " " } }
        #expect(names == ["songs/song-1.mid", "songs/song-2.mid", "songs/song-10.mid"], "\(run.errors)")
    }

    /// A list names songs from where it lies; what is not there costs itself.
    @Test func aListStandsForTheSongsThatItNames() throws {
        folder.add("songs/a.mid", song(60))
        folder.add("b.mid", song(62))
        folder.add("songs/day.m3u8", Array("#EXTM3U\n# a remark\na.mid\nnone.mid\n\n../b.mid\n".utf8))
        let run = Program.run(["render", "songs/day.m3u8"] + options, in: folder)
        #expect(run.exitCode == 66, "\(run.errors)")
        #expect(run.errors.contains("carillon: songs/none.mid: ") && run.errors.contains("2 of 3 songs"), "\(run.errors)")
        #expect(folder.names == ["a.wav", "b.mid", "b.wav", "songs"])
        let inspected = Program.run(["inspect", "songs/day.m3u8", "--json"], in: folder)
        #expect(inspected.exitCode == 66)
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(inspected.output)) as? [[String: Any]])
        #expect(objects.map { $0["song"] as? String } == ["songs/a.mid", "songs/../b.mid"])
        let played = Program.run(["play", "songs/day.m3u8", "--device", "null", "--instrument", "square-wave"], in: folder)
        #expect(played.errors.contains("a.mid") && played.errors.contains("b.mid"), "\(played.errors)")
        folder.add("empty.m3u", Array("# nothing\n".utf8))
        let empty = Program.run(["render", "empty.m3u"] + options, in: folder)
        #expect(empty.exitCode == 66 && empty.errors.contains("empty.m3u: names no song"), "\(empty.errors)")
        #expect(Program.run(["render", "none.m3u"] + options, in: folder).exitCode == 66)
    }

    @Test func aFolderWithoutASongSaysSo() {
        let run = Program.run(["render", "songs"], in: folder)
        #expect(run.exitCode == 66)
        #expect(run.errors.contains("songs: is a folder without a song (.mid, .midi, .rmi, .kar)"))
        #expect(run.errors.hasSuffix("0 of 1 songs in 0.0 s, 1 failed\n"), "\(run.errors)")
    }

    @Test func anOutputFolderThatCannotBeIsSaid() {
        folder.add("one.mid", SongBytes.oneNote)
        for name in ["one.mid", "none/deep"] {
            let run = Program.run(["render", "one.mid", "--output-dir", name] + options, in: folder)
            #expect(run.exitCode == 73 && run.errorLines.count == 1, "\(run.errors)")
        }
    }

    @Test func aFileThatIsThereStaysUnlessItIsToBeReplaced() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("two.mid", SongBytes.oneNote)
        let first = Program.run(["render", "one.mid"] + options, in: folder)
        #expect(first.exitCode == 0 && !first.errors.contains("replaced"))
        let bytes = folder.bytes(of: "one.wav")
        for option in [[], ["--no-clobber"]] {
            let refused = Program.run(["render", "one.mid", "--gain", "-20"] + option + options, in: folder)
            #expect(refused.exitCode == 73)
            #expect(refused.errors == "carillon: one.wav: already exists; choose another name, or use --force\n")
        }
        let among = Program.run(["render", "one.mid", "two.mid", "--output-dir", "songs"] + options, in: folder)
        #expect(among.exitCode == 0, "\(among.errors)")
        let again = Program.run(["render", "one.mid", "--output-dir", "songs", "two.mid"] + options, in: folder)
        #expect(again.exitCode == 73 && again.errors.contains("0 of 2 songs"), "\(again.errors)")
        #expect(folder.bytes(of: "one.wav") == bytes)
        let forced = Program.run(["render", "one.mid", "--force"] + options, in: folder)
        #expect(forced.errors.hasPrefix("one.wav: 0.50 s (replaced), "), "\(forced.errors)")
        #expect(Program.run(["render", "one.mid", "--force", "--no-clobber"] + options, in: folder).exitCode == 64)
        let both = Program.run(["render", "one.mid", "two.mid", "--no-clobber", "--gain", "-20"] + options, in: folder)
        #expect(both.exitCode == 0, "\(both.errors)")
        #expect(both.errorLines.first == "one.mid: skipped; one.wav already exists")
        #expect(both.errorLines.last?.hasPrefix("1 of 2 songs in ") == true)
        #expect(both.errorLines.last?.hasSuffix(" s, 1 skipped") == true, "\(both.errors)")
        #expect(Program.run(["render", "one.mid", "two.mid", "--no-clobber", "--quiet"] + options, in: folder).errors.isEmpty)
        #expect(folder.bytes(of: "one.wav") == bytes && folder.bytes(of: "two.wav").count == bytes.count)
    }

    @Test func whatIsSkippedIsNoFailure() throws {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("text.mid", Array("hello\n".utf8))
        _ = Program.run(["render", "one.mid"] + options, in: folder)
        let run = Program.run(["render", "one.mid", "text.mid", "--no-clobber", "--json"] + options, in: folder)
        #expect(run.exitCode == 65)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(report["failed"] as? Int == 1 && report["skipped"] as? Int == 1)
        let songs = try #require(report["songs"] as? [[String: Any]])
        #expect(Set(songs[0].keys) == ["song", "output", "skipped"] && songs[0]["output"] as? String == "one.wav")
    }

    @Test func whatWasRepairedIsCountedAndToldWhereItIsListed() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("damaged.mid", SongBytes.damaged)
        let run = Program.run(["render", "one.mid", "damaged.mid"] + options, in: folder)
        #expect(run.exitCode == 0 && run.errors.contains(", 1 repair\n"), "\(run.errors)")
        #expect(run.errorLines.last?.hasSuffix(", 1 repaired (carillon inspect SONG lists it)") == true, "\(run.errors)")
        #expect(Program.run(["inspect", "damaged.mid"], in: folder).text.contains("no End of Track"))
    }

    @Test func everyCommandTakesAHyphenAndAFolder() {
        folder.add("songs/one.mid", SongBytes.oneNote)
        folder.add("songs/two.mid", SongBytes.oneNote)
        let run = Program.shell(
            """
            set -e
            "$CARILLON" inspect - < songs/one.mid > hyphen
            "$CARILLON" inspect songs/one.mid > named
            [ "$(tail -n +2 hyphen)" = "$(tail -n +2 named)" ]
            [ "$("$CARILLON" inspect songs --json | grep -o '"song":' | wc -l)" = 2 ]
            "$CARILLON" graph show - --instrument square-wave < songs/one.mid > hyphen
            grep -q strip-1 hyphen
            "$CARILLON" play - --device null --instrument square-wave < songs/one.mid
            "$CARILLON" play songs --device null --instrument square-wave
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("two.mid"), "\(run.errors)")
        for command in ["inspect -", "graph show -", "play -", "render -"] {
            let empty = Program.shell("\"$CARILLON\" \(command) < /dev/null", in: folder)
            #expect(empty.exitCode == 65, "\(command): \(empty.errors)")
            #expect(empty.errors.contains("standard input: is empty") && !empty.errors.contains("/dev/stdin"), "\(empty.errors)")
        }
        mkdir(folder.file("none"), 0o700)
        for command in ["inspect", "play"] {
            let none = Program.run([command, "none"], in: folder)
            #expect(none.exitCode == 66 && none.errors.contains("none: is a folder without a song"), "\(none.errors)")
        }
    }

    @Test func aHyphenIsStandardInput() {
        folder.add("one.mid", SongBytes.oneNote)
        let run = Program.shell(
            """
            set -e
            "$CARILLON" render one.mid \(options.joined(separator: " ")) -o file.wav
            cat one.mid | "$CARILLON" render - \(options.joined(separator: " "))
            "$CARILLON" render - \(options.joined(separator: " ")) -o - < one.mid > two.wav
            cmp file.wav stdin.wav && cmp -n 44 file.wav two.wav
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test func noSoundGoesToATerminalAndNoSongComesFromOne() throws {
        folder.add("one.mid", SongBytes.oneNote)
        for arguments in [["one.mid", "-o", "-"], ["one.mid", "-o", "/dev/stdout"], ["-"]] {
            let terminal = try #require(PseudoTerminal(columns: 80))
            let running = Program.start([Program.path, "render"] + arguments + options, in: folder, terminal: terminal.name)
            let text = terminal.read(from: running) { _ in false }
            #expect(running.end().exitCode == 64)
            #expect(text.hasPrefix("carillon: ") && text.contains("terminal") && !text.contains("RIFF"), "\(text)")
        }
    }

    @Test func theReportOfSeveralIsOneObject() throws {
        addFive()
        let run = Program.run(["render", "songs", "--json", "--output-dir", "sounds"] + options, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.errorLines.count == 2 && run.errorLines.allSatisfy { $0.hasPrefix("carillon: songs/") })
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(Set(report.keys) == ["reportVersion", "songs", "failed", "skipped", "seconds"])
        #expect(report["reportVersion"] as? Int == 3 && report["failed"] as? Int == 2)
        let songs = try #require(report["songs"] as? [[String: Any]])
        #expect(songs.map { $0["song"] as? String } == ["a.mid", "b.mid", "c.KAR", "d.rmi", "e.midi"].map { "songs/" + $0 })
        #expect(songs.map { $0["error"] != nil } == [false, true, false, true, false])
        #expect(songs[1]["exitCode"] as? Int == 65 && Set(songs[1].keys) == ["song", "error", "exitCode"])
        #expect(songs[2]["frames"] as? Int == 24_000 && songs[2]["reportVersion"] == nil)
    }

    @Test func anInterruptionEndsAllAndLeavesNoHalfFile() {
        for index in 0..<4 { folder.add("songs/\(index).mid", SongBytes.oneNote) }
        folder.add("songs/a.mid", SongBytes.oneNote)
        let running = Program.start(
            [Program.path, "render", "songs", "--instrument", "square-wave", "--tail", "86400", "--jobs", "3", "--progress"],
            in: folder)
        // It has begun when it tells how far it is.
        while !running.hasEnded, !running.errorsSoFar.contains("left") { sched_yield() }
        kill(running.id, SIGINT)
        let run = running.end()
        #expect(run.exitCode == 130)
        #expect(run.errors.contains("render: 0 of 5 songs  "))
        #expect(run.errorLines.last == "carillon: interrupted")
        #expect(folder.names == ["songs"])
    }

    @Test func progressComesAsObjects() throws {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("text.mid", Array("hello\n".utf8))
        let run = Program.run(["render", "--progress", "json", "one.mid", "text.mid"] + options, in: folder)
        #expect(run.exitCode == 65)
        let lines = run.errorLines.filter { $0.hasPrefix("{") }
        #expect(run.errorLines.count == lines.count + 1, "\(run.errors)")
        let events = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        let songs = events.filter { $0["event"] as? String == "song" }
        // For each song its begin before its end, and the end of all behind them.
        for song in ["one.mid", "text.mid"] {
            let own = events.filter { $0["song"] as? String == song }
            #expect(own.map { $0["event"] as? String } == ["begin", "song"] && own[0]["count"] as? Int == 2, "\(own)")
            #expect(own[0]["number"] as? Int == own[1]["number"] as? Int)
        }
        #expect(songs[1]["exitCode"] as? Int == 65 && songs[0]["seconds"] as? Double == 0.5)
        let end = try #require(events.last)
        #expect(end["event"] as? String == "end" && end["exitCode"] as? Int == 65)
        #expect(["count", "done", "failed", "skipped"].map { end[$0] as? Int } == [2, 1, 1, 0])
        #expect(songs.map { $0["state"] as? String } == ["done", "failed"] && songs[0]["output"] as? String == "one.wav")
        #expect(songs[1]["error"] as? String != nil)
        // The flag alone is what it was, and takes no song away.
        #expect(Program.run(["render", "--progress", "one.mid", "--force"] + options, in: folder).exitCode == 0)
    }

    /// Whoever reads objects learns why nothing was rendered, and how the call ended, without reading sentences.
    @Test func aRefusedCallIsAnObjectToo() throws {
        folder.add("one.mid", SongBytes.oneNote)
        for arguments in [["one.mid", "-o", "one.mid/x.wav"], ["one.mid", "one.mid"], ["none.mid"]] {
            let run = Program.run(["render", "--progress", "json"] + arguments + options, in: folder)
            let events = try run.errorLines.filter { $0.hasPrefix("{") }.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            let end = try #require(events.last)
            #expect(end["event"] as? String == "end" && end["exitCode"] as? Int32 == run.exitCode && run.exitCode != 0)
            let reasons = events.filter { $0["error"] != nil }
            #expect(reasons.count == 1 && reasons[0]["exitCode"] as? Int32 == run.exitCode, "\(events)")
        }
    }

    @Test func aFolderInWhichNothingCameDoesNotStay() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("text.mid", Array("hello\n".utf8))
        for songs in [["none.mid"], ["text.mid"], ["text.mid", "none.mid"], ["one.mid", "--set", "no.such=1"]] {
            let run = Program.run(["render", "--output-dir", "sounds"] + songs + options, in: folder)
            #expect(run.exitCode != 0 && folder.names == ["one.mid", "songs", "text.mid"], "\(songs): \(folder.names)")
        }
        // One that was there stays, and so does what came into it.
        #expect(Program.run(["render", "--output-dir", "sounds", "one.mid", "text.mid"] + options, in: folder).exitCode == 65)
        #expect(names(in: "sounds") == ["one.wav"])
        mkdir(folder.file("empty"), 0o700)
        #expect(Program.run(["render", "--output-dir", "empty", "text.mid"] + options, in: folder).exitCode == 65)
        #expect(folder.names.contains("empty"))
    }

    /// The first signal ends what is being rendered as a whole file, and begins no other.
    @Test func partsAreKeptWhereThatIsAskedFor() throws {
        for index in 0..<3 { folder.add("songs/\(index).mid", SongBytes.oneNote) }
        for level in [["--loudness", "off"], []] {
            let running = Program.start(
                [
                    Program.path, "render", "songs", "--instrument", "square-wave", "--tail", "36000", "--rate", "8000",
                    "--jobs", "1", "--keep-partial", "--progress", "json", "--output-dir", "sounds", "--force",
                ] + level, in: folder)
            while !running.hasEnded, !running.errorsSoFar.contains("\"progress\"") { sched_yield() }
            kill(running.id, SIGTERM)
            let run = running.end()
            #expect(run.exitCode == 143, "\(run.errors)")
            #expect(names(in: "sounds") == ["0.wav"] && run.errors.contains("are kept"), "\(run.errors)")
            let bytes = folder.bytes(of: "sounds/0.wav")
            let size = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(bytes.count > 44 && bytes.count == 44 + size && size < 36_000 * 8000 * 4)
        }
    }

    @Test func progressComesFromAPipe() {
        folder.add("one.mid", SongBytes.oneNote)
        let running = Program.start(
            [Program.path, "render", "one.mid", "--instrument", "square-wave", "--tail", "86400", "--progress"], in: folder)
        while !running.hasEnded, !running.errorsSoFar.contains("left") { sched_yield() }
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.exitCode == 143)
        let line = run.errorLines.first ?? ""
        #expect(line.hasPrefix("one.mid: ") && line.contains(" / 24:00:0") && !run.errors.contains("\u{1B}"), "\(run.errors)")
    }
}
