import Foundation
import TestFolders
import Testing

/// The options of `carillon render` that choose a part of a song, and how it is played.
@Suite struct PartOptionTests {
    private let folder = TemporaryFolder()
    private static let raw = ["--instrument", "square-wave", "--format", "raw", "--bits", "32f", "--loudness", "off", "--force"]

    init() {
        // Eight bars of silence but for a note on each bar; the second is called Verse, the fourth Chorus.
        let bars = (0..<8).flatMap { bar -> [UInt8] in
            let name: String? = bar == 1 ? "Verse" : bar == 3 ? "Chorus" : nil
            let head: [UInt8] = [0x00, 0xFF, 0x06]
            let marker: [UInt8] = name.map { head + [UInt8($0.utf8.count)] + Array($0.utf8) } ?? []
            return marker + SongBytes.note(UInt8(60 + bar), ticks: 480) + [0x8B, 0x20, 0xB0, 7, 100]
        }
        folder.add("song.mid", SongBytes.song([bars + SongBytes.end]))
        folder.add("layer.mid", SongBytes.song([SongBytes.note(40, ticks: 480) + SongBytes.end]))
    }

    private func run(_ options: String...) -> ProgramRun { Program.run(["render", "song.mid"] + options, in: folder) }

    private func render(_ options: String...) throws -> [UInt8] {
        let run = Program.run(["render", "song.mid", "-o", "song.raw"] + Self.raw + options, in: folder)
        try #require(run.exitCode == 0, "\(options): \(run.errors)")
        return folder.bytes(of: "song.raw")
    }

    @Test func placesAreTimesBarsAndMarkers() throws {
        for (options, length) in [
            (["--from", "bar 3", "--to", "bar 4"], 2.0), (["--from", "Verse", "--to", "chorus"], 4), (["--to", "1.5s"], 1.5),
            (["--from", "0:13"], 3), (["--from", "Chorus", "--to", "+500ms"], 0.5), (["--from", "bar 2", "--to", "bars 2"], 4),
            (["--from", "1s", "--to", "markers 1"], 1), (["--tempo", "200%"], 8), (["--tempo", "0.5", "--from", "bar 7"], 8),
            (["--from", "bar 2", "--to", "bar 3", "--loops", "3"], 6), (["--from", "bar 2", "--to", "bar 3", "--fade", "1s"], 3),
        ] {
            // What fades has no tail to choose.
            let tail = options.contains("--fade") ? [] : ["--tail", "exact"]
            let run = Program.run(["render", "song.mid", "-o", "song.raw", "--json"] + tail + Self.raw + options, in: folder)
            try #require(run.exitCode == 0, "\(options): \(run.errors)")
            let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
            #expect(report["duration"] as? Double == length, "\(options)")
        }
    }

    @Test func theReportNamesThePassage() throws {
        let run = run("--json", "--from", "bar 2", "--to", "bar 3", "--tempo", "2")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(report["passage"] as? [String: Int] == ["from": 96_000, "to": 192_000])
    }

    @Test func whatCannotBeIsRefusedInALine() {
        for (options, said) in [
            (["--from", "Coda"], "--from, --to: the song has no marker Coda; it has Verse, Chorus"),
            (["--from", "bar x"], "--from"), (["--from", "bar 99"], "--from: the song ends at 16.0 s"),
            (["--from", "bar 3", "--to", "bar 2"], "--to: the passage would begin at 4.0 s"),
            (["--chase-notes"], "--chase-notes"),
            (["--mute", "0"], "--mute"), (["--solo", "drums"], "--solo"), (["--tempo", "20"], "--tempo"),
            (["--mute", "1", "--instrument", "square-wave"], "--mute: 1: the square-wave plays"), (["--from", ""], "--from"),
        ] {
            let run = Program.run(["render", "song.mid"] + options, in: folder)
            #expect(run.exitCode == 64 && run.errorLines.count == 1, "\(options): \(run.errors)")
            #expect(run.errors.contains(said), "\(options): \(run.errors)")
            #expect(!folder.names.contains("song.wav"))
        }
        let near = run("--from", "Chords")
        #expect(near.errors.contains("did you mean Chorus?"))
        let missing = run("--layer", "nowhere.mid")
        #expect(missing.exitCode == 66 && missing.errors.contains("nowhere.mid"))
    }

    @Test func aLoopFileSaysSoAndKeepsItsLength() throws {
        let run = run(
            "-o", "loop.wav", "--loop-file", "--from", "bar 2", "--to", "bar 4", "--json", "--instrument", "square-wave")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(report["frames"] as? Int == 192_000 && report["passage"] as? [String: Int] == ["from": 96_000, "to": 288_000])
        #expect(folder.bytes(of: "loop.wav").firstRange(of: Array("smpl".utf8)) != nil)
        for other in [["--loops", "2"], ["--fade", "1s"], ["--fade-in", "1s"], ["--trim"], ["--tail", "1s"]] {
            let refused = Program.run(["render", "song.mid", "-o", "other.wav", "--loop-file"] + other, in: folder)
            #expect(refused.exitCode == 64 && refused.errors.contains(other[0]) && refused.errorLines.count == 1)
        }
        let mp3 = self.run("-o", "loop.mp3", "--loop-file", "--instrument", "square-wave")
        #expect(mp3.exitCode == 0 && mp3.errors.contains("mp3 adds silence"))
    }

    @Test func silenceIsTrimmedAndTold() throws {
        folder.add(
            "late.mid",
            SongBytes.song([[0x00, 0xB0, 7, 100, 0x8F, 0x00, 0x90, 60, 100, 0x83, 0x60, 0x80, 60, 0] + SongBytes.end]))
        let run = Program.run(
            ["render", "late.mid", "--trim", "--json", "--instrument", "square-wave", "--dry", "--tail", "2s"], in: folder)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let passage = try #require(report["passage"] as? [String: Int])
        let before = try #require(passage["silenceBefore"]), behind = try #require(passage["silenceBehind"])
        #expect(before >= 96_000 && before < 97_000 && behind > 48_000 && passage["from"] == nil)
        #expect(report["frames"] as? Int == 96_000 + 24_000 + 96_000 - before - behind)
    }

    @Test func aMixOfASendInAPatchIsAdvisedAgainst() {
        folder.add(
            "send.yaml",
            Array(
                """
                version: 1
                units:
                  organ: {unit: square-wave, role: instrument, parts: 1-16}
                  strip-1: {unit: channel-strip, role: strip}
                  reverb: {role: send, mix: 30 %}
                  mixer: {unit: multichannel-mixer, role: master, inputs: 2}
                connections:
                  - organ -> strip-1 -> mixer
                  - strip-1[reverb-send] -> reverb
                  - reverb -> mixer[1]
                outputs: mixer

                """.utf8))
        let check = Program.run(["patch", "check", "send.yaml"], in: folder)
        #expect(check.exitCode == 0 && check.errors.contains("send.yaml:5: units.reverb: it is a send"), "\(check.errors)")
        #expect(check.errors.contains("reverb.level, or strip-1.reverb-send"), "\(check.errors)")
        let render = run("--set", "reverb.mix=20%", "-o", "set.wav")
        #expect(render.exitCode == 0 && render.errors.contains("reverb.mix: it is a send"), "\(render.errors)")
    }

    @Test func aPartWithoutNotesIsSilenceAndTold() {
        let options = ["song.mid", "-o", "song.wav", "--instrument", "square-wave", "--force"]
        for more in [["--from", "1s", "--to", "2s"], ["--only-channel", "5"]] {
            let run = Program.run(["render"] + options + more, in: folder)
            #expect(run.exitCode == 0 && run.errors.contains("no note begins in what was rendered"), "\(run.errors)")
        }
    }

    @Test func aChannelPlaysAProgramThroughout() throws {
        folder.add(
            "two.mid",
            SongBytes.song([
                [0x00, 0xC0, 73] + SongBytes.note(60, ticks: 480) + [0x00, 0xC0, 24]
                    + SongBytes.note(62, ticks: 480) + SongBytes.end
            ]))
        let run = Program.run(
            [
                "render", "two.mid", "--soundfont", "embedded", "--labels", "json", "--loudness", "off", "--dry", "--tail",
                "exact", "--program", "1=40", "--program", "2=8:5",
            ], in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        let labels = try #require(
            try JSONSerialization.jsonObject(with: Data(folder.bytes(of: "two.labels.json"))) as? [String: Any])
        let parts = try #require(labels["parts"] as? [[String: Any]])
        let programs = try #require(parts.first?["programs"] as? [[String: Any]])
        #expect(parts.count == 1 && programs.map { $0["program"] as? Int } == [40])
        for text in ["", "1", "1=", "=40", "0=40", "257=1", "1=128", "1=-1", "1=129:3", "1=8:", "1=8:5:2", "1=40=2", "x=1"] {
            let run = self.run("--program", text)
            #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains("--program"), "\(run.errors)")
        }
        let twice = self.run("--program", "3=1", "--program", "3=2")
        #expect(twice.exitCode == 64 && twice.errors.contains("channel 3"), "\(twice.errors)")
    }

    @Test func eachOptionChangesTheSound() throws {
        let whole = try render()
        for options in [
            ["--transpose", "-12"], ["--only-channel", "2-4"], ["--layer", "layer.mid"], ["--fade-in", "1s"], ["--tempo", "90%"],
        ] {
            let run = Program.run(["render", "song.mid", "-o", "other.raw"] + Self.raw + options, in: folder)
            #expect(run.exitCode == 0, "\(run.errors)")
            let isOther = folder.bytes(of: "other.raw") != whole
            #expect(isOther, "\(options)")
        }
        let isSame = try render("--only-channel", "1", "--tempo", "1") == whole
        #expect(isSame)
        for options in [["--mute", "2-16"], ["--solo", "1"]] {
            let run = Program.run(["render", "song.mid", "-o", "other.wav", "--force"] + options, in: folder)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
    }
}
