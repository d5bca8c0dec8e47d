import ArgumentParser
import Glibc
import TestFolders
import Testing

@testable import CarillonCommand

/// Every example of the help texts, the README and the guides runs as it stands.
@Suite struct ExampleTests {
    /// A line that somebody may copy, and where it stands.
    struct Example: Sendable, CustomTestStringConvertible {
        let place: String
        let line: String
        var testDescription: String { "\(place): \(line)" }

        /// The words of the first command, before a pipe.
        var words: [String] { line.split(separator: "|")[0].split(separator: " ").map(String.init) }
    }

    /// What of the examples is not run as it stands, and why.
    private static let exceptions = [
        "tools/test": "runs every test, this one too",
        "--device, --input-device": """
        a machine that runs tests has no sound card, or one that is somebody's: the device null takes the place of a card \
        or a list of them, and where sound must come in (--input-device) a card that is not there, which ends with 69
        """,
        "carillon devices": "ends with 69 where there is neither a sound card nor a sequencer",
        "carillon monitor, in each of its forms": "ends with 69 where there is no sequencer, and else by SIGTERM, with 143",
        "carillon live, carillon serve, carillon record, --loop, --follow":
            "end by themselves never: by SIGTERM once they play, with 143; a service with 0",
        "carillon ctl": "needs a session that runs: one that plays a short song again and again on no device",
        "aplay": "takes what it is given and plays nothing",
        "song.mid, SONG.mid, drums.mid, choir.mid, DRUMS.mid, songs/, SONGS/, GM.sf2, Piano.sf2":
            "a short song, and Carillon's SoundFont, under these names",
        "jobs.jsonl, songs.txt, recipe.json": "a short song, and a tempo that is drawn, under these names",
        "museum.yaml": "an installation of a short song, under this name",
        "organ.yaml, strings.yaml, evening.patch": "a small patch, and one of the older form, under these names",
        "evening.yaml, pedal-organ.yaml": "a set list of two patches, and a small patch, under these names",
    ]

    static let examples = helpExamples + documentExamples

    private static var helpExamples: [Example] {
        CarillonCommand.configuration.subcommands.flatMap { command in
            command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  carillon ") }.map {
                Example(place: "\(command.configuration.commandName ?? "") --help", line: String($0.dropFirst(2)))
            }
        }
    }

    private static var documentExamples: [Example] {
        let guides = Program.package + "/Sources/Carillon/Carillon.docc/Guides"
        let pages =
            [Program.package + "/README.md"]
            + TemporaryFolder.names(in: guides).filter { $0.hasSuffix(".md") }.map { guides + "/" + $0 }
        return pages.flatMap { page in
            let blocks = String(decoding: bytes(page), as: UTF8.self).split(separator: "```")
            let name = page.split(separator: "/").last.map(String.init) ?? page
            // Text and code take turns.
            return blocks.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("sh\n") }.flatMap { block in
                block.element.split(separator: "\n").dropFirst().compactMap { line -> Example? in
                    let code = line.split(separator: " #")[0].trimmed
                    return exceptions[code] == nil ? Example(place: name, line: code) : nil
                }
            }
        }
    }

    /// Whoever writes examples in another way than these find them must hear of it.
    @Test func thereAreExamplesInEveryPlace() {
        let places = Set(Self.examples.map(\.place))
        #expect(
            places.isSuperset(of: [
                "live --help", "play --help", "render --help", "latency --help", "README.md", "PlayLive.md", "RenderSongs.md",
                "FromFluidSynthAndTiMidity.md",
            ]))
        #expect(Self.examples.count >= 25, "\(Self.examples.count)")
        for command in CarillonCommand.configuration.subcommands {
            let text = command.configuration.discussion, name = command.configuration.commandName ?? ""
            #expect(!text.contains("carillon \(name)") || places.contains("\(name) --help"), "\(name)")
        }
    }

    @Test(arguments: examples) func anExampleRuns(_ example: Example) {
        let folder = TemporaryFolder()
        for name in ["songs", "SONGS"] { mkdir(folder.file(name), 0o700) }
        for name in [
            "song.mid", "SONG.mid", "drums.mid", "choir.mid", "DRUMS.mid", "songs/pachelbel-canon.mid", "songs/sea-wall.mid",
            "SONGS/one.mid", "take.mid",
        ] { folder.add(name, Self.song(for: example.line)) }
        for name in ["GM.sf2", "Piano.sf2"] {
            symlink(Program.package + "/soundfonts/carillon.sf2", folder.file(name))
        }
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        folder.add("strings.yaml", Array(PatchSamples.organ.utf8))
        if !example.line.contains("--output pedal-organ.yaml") {
            folder.add("pedal-organ.yaml", Array(PatchSamples.organ.utf8))
        }
        // The one that an example writes is not there.
        if !example.line.contains("--output evening.yaml") {
            folder.add("evening.yaml", Array("version: 1\nentries: {opening: organ.yaml, strings: strings.yaml}\n".utf8))
        }
        folder.add("voice.yaml", Array(PatchSamples.voice.utf8))
        folder.add("evening.patch", Array(PatchSamples.older.utf8))
        // Long: a month of seconds is millions of songs.
        folder.add("hour.mid", SongBytes.song([SongBytes.note(60, ticks: 960 * 3600) + SongBytes.end]))
        folder.add("museum.yaml", Array("version: 1\nplaylists: {day: [hour.mid]}\n".utf8))
        folder.add("tokens", Array("full 0123456789abcdef0123456789abcdef\n".utf8))
        chmod(folder.file("tokens"), 0o600)
        for name in ["jobs.jsonl", "songs.txt"] { folder.add(name, Array("song.mid\n".utf8)) }
        folder.add("recipe.json", Array(#"{"tempo": {"uniform": [0.9, 1.1]}}"#.utf8))
        let words = example.words
        let program = words[0] == "tools/carillon" ? "carillon" : words[0]
        #expect(program == "carillon" && words.count > 1, "what is \(example.line)?")
        let needsReturn = words.contains("--input-device")
        let line =
            Self.withoutCards(words, card: needsReturn ? "hw:Missing,0" : "null").joined(separator: " ")
            + example.line.dropFirst(words.joined(separator: " ").count)
        let serves = words[1] == "serve" && Set(words).isDisjoint(with: ["--check", "--simulate", "--example"])
        let steered = words[1] == "ctl" ? Self.steeredSession(in: folder) : nil
        // Until a note was played.
        while words.contains("save-recording"), steered?.hasEnded == false,
            Program.run(["ctl", "--control", "carillon.sock", "save-recording", "first.mid"], in: folder).exitCode != 0
        { sched_yield() }
        defer {
            if let steered {
                kill(steered.id, SIGKILL)
                _ = steered.end()
            }
        }
        let run = Self.run(
            line, in: folder,
            endsItself: needsReturn
                || words[1] != "live" && words[1] != "monitor" && !serves && !Self.isEndless(words)
                    && (words[1] != "record" || words.contains("--duration"))
        )
        let codes: [Int32] =
            switch words[1] {
            // An input is no use beside no device, so both are a card that is not there.
            case _ where needsReturn: [69]
            case "live": [143]
            case "play": [Self.isEndless(words) ? 143 : 0]
            case "record": [words.contains("--duration") ? 0 : 143]
            case "latency": [0]
            case "devices": [0, 69]
            case "monitor": [69, 143]
            default: [0]
            }
        #expect(run.exitCode.map(codes.contains) == true, "\(run.exitCode ?? -1): \(line): \(run.errors)")
        if run.exitCode == 69 {
            let reasons = ["sound card", "no such audio device", "no ALSA sequencer"]
            #expect(reasons.contains { run.errors.contains($0) })
        }
    }

    /// A song that has what the line asks of it, and is no longer than it must be: `play` takes its time.
    private static func song(for line: String) -> [UInt8] {
        if line.contains(" render ") { return SongBytes.twentyBars }
        return line.contains("--from") ? SongBytes.fastBars : SongBytes.oneNote
    }

    /// Whether songs play on, or wait for a master.
    private static func isEndless(_ words: [String]) -> Bool { words.contains("--loop") || words.contains("--follow") }

    /// The same words with `card` in the place of every card, and a device where none is named.
    private static func withoutCards(_ words: [String], card: String) -> [String] {
        var others = ["\"$CARILLON\""], index = 1
        while index < words.count {
            let isDevice = words[index] == "--device"
            // A port that is free, whoever else has one here.
            if words[index] == "--http" || words[index] == "--osc" {
                others += [words[index], "0"]
                index += 2
                continue
            }
            if words[index] == "--input-device" { others += [words[index], card] }
            if !isDevice && words[index] != "--input-device" { others.append(words[index]) }
            index += isDevice || words[index] == "--input-device" ? 2 : 1
        }
        return others + (["live", "play", "latency", "record"].contains(words[1]) ? ["--device", card] : [])
    }

    /// What `carillon ctl` steers.
    private static func steeredSession(in folder: TemporaryFolder) -> RunningProgram {
        let running = Program.start(
            [Program.path, "play", "song.mid", "--loop", "--device", "null", "--control", "carillon.sock"], in: folder)
        while !running.hasEnded && !running.errorsSoFar.contains("state=playing") { sched_yield() }
        return running
    }

    private static func run(_ line: String, in folder: TemporaryFolder, endsItself: Bool) -> ProgramRun {
        if endsItself {
            return Program.shell(
                "aplay() { cat > aplay.wav; }; set -o pipefail; \(line)", in: folder,
                environment: [
                    "CARILLON_CONTROL": folder.file("carillon.sock"), "XDG_CONFIG_HOME": folder.file("config"),
                    "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "1",
                ])
        }
        let running = Program.start(["/bin/bash", "-c", "exec \(line)"], in: folder)
        while !running.hasEnded
            && ![
                "event=keyboard", "state=playing", "event=song", "state=recording", "listening to", "no such MIDI port yet",
            ].contains(where: running.errorsSoFar.contains)
        {
            sched_yield()
        }
        kill(running.id, SIGTERM)
        return running.end()
    }
}

extension Substring {
    /// Without blanks at its ends.
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
