import Foundation
import TestFolders
import Testing

/// What was not followed is reported by every command that plays, alike.
@Suite struct RemarkCommandTests {
    private let folder = TemporaryFolder()

    init() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add(
            "level.mid",
            SongBytes.song([Self.exclusive([0x08, 0x00, 0x11], 20) + SongBytes.note(60, ticks: 480) + SongBytes.end]))
        let addresses: [[UInt8]] = [
            [0x02, 0x01, 0x0D], [0x02, 0x01, 0x03], [0x02, 0x01, 0x2D], [0x02, 0x01, 0x25], [0x08, 0x00, 0x11],
            [0x08, 0x00, 0x69],
            [0x08, 0x00, 0x72], [0x30, 0x24, 0x07], [0x30, 0x24, 0x09], [0x30, 0x24, 0x0F],
        ]
        let ten = addresses.flatMap { Self.exclusive($0, 33) }
        folder.add("it's ten.mid", SongBytes.song([ten + ten + SongBytes.note(60, ticks: 480) + SongBytes.end]))
        // A display text: nothing is heard of it.
        let display: [UInt8] = [0x00, 0xF0, 9, 0x41, 0x10, 0x45, 0x12, 0x10, 0x00, 0x00, 0x41, 0xF7]
        folder.add("display.mid", SongBytes.song([display + SongBytes.note(60, ticks: 480) + SongBytes.end]))
        let words = [0x00, 0xFF, 0x05, 5] + Array("{@JP}".utf8) + [0x00, 0xFF, 0x05, 2, 0x82, 0xB3]
        folder.add("words.mid", SongBytes.song([words + SongBytes.note(60, ticks: 480) + SongBytes.end]))
    }

    /// A parameter of XG.
    private static func exclusive(_ address: [UInt8], _ value: UInt8) -> [UInt8] {
        [0x00, 0xF0, 8, 0x43, 0x10, 0x4C] + address + [value, 0xF7]
    }

    /// An instrument of one sample, with what is not followed and what is not there.
    private func addInstrument() {
        let made = Program.run(["render", "one.mid", "-o", "Tone.wav", "--instrument", "square-wave", "--quiet"], in: folder)
        #expect(made.exitCode == 0)
        let text = """
            <region> sample=Tone.wav lokey=55 hikey=65 pitch_keycenter=60 bitred=2 sync_beats=3
            <region> sample=Nope.wav key=20
            <region> sample=tone.WAV key=21
            """
        folder.add("a.sfz", Array(text.utf8))
    }

    private func remarks(_ run: ProgramRun) throws -> [[String: Any]] {
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        return try #require(report["remarks"] as? [[String: Any]])
    }

    private func render(_ song: String, _ more: String...) -> ProgramRun {
        Program.run(["render", song, "-o", "o.wav", "--force", "--instrument", "square-wave"] + more, in: folder)
    }

    @Test func aDryLevelIsNamedByRenderInspectAndPlay() throws {
        let line = "level.mid: XG part dry level (08 0x 11) is not followed"
        #expect(render("level.mid").errorLines.first ?? "" == line)
        let found = try remarks(render("level.mid", "--json"))
        #expect(
            found.count == 1 && found[0]["kind"] as? String == "not-followed" && found[0]["subject"] as? String == "level.mid")
        #expect(
            found[0]["count"] as? Int == 1 && found[0]["sentence"] as? String == "XG part dry level (08 0x 11) is not followed")
        let inspected = Program.run(["inspect", "level.mid", "--soundfont", "embedded"], in: folder)
        #expect(inspected.text.contains("\n1 remark:\n  not-followed: \(line)\n"), "\(inspected.text)")
        let played = Program.run(["play", "level.mid", "--soundfont", "embedded", "--device", "null"], in: folder)
        #expect(played.errors.count(of: "event=remark text=\"\(line)\" time=0") == 1, "\(played.errors)")
    }

    @Test func tenKindsAreOneLineWithTheirCountAndTenObjects() throws {
        let lines = render("it's ten.mid").errorLines
        #expect(
            lines.first?.hasPrefix("it's ten.mid: 10 things are not followed, 20 times in all, the first: XG reverb pan") == true)
        #expect(lines.count == 3 && lines[1] == "and 9 more: carillon inspect 'it'\\''s ten.mid'", "\(lines)")
        #expect(try remarks(render("it's ten.mid", "--json")).map { $0["count"] as? Int } == Array(repeating: 2, count: 10))
        let pasted = Program.shell(
            "\"\(Program.path)\" " + lines[1].drop { $0 != ":" }.dropFirst(2 + "carillon ".count), in: folder)
        #expect(pasted.exitCode == 0 && pasted.text.count(of: "not-followed: ") == 10)
    }

    @Test func whatIsNotHeardIsToldByInspectAlone() throws {
        #expect(render("display.mid").errorLines.count == 1)
        let run = Program.run(["inspect", "display.mid", "--soundfont", "embedded", "--json"], in: folder)
        #expect(try remarks(run).isEmpty)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let silent = try #require(report["notSound"] as? [[String: Any]])
        #expect(silent.count == 1 && silent[0]["name"] as? String == "message to another model of Roland")
    }

    /// Words that say their encoding are read in it: no remark.
    @Test func theEncodingThatWordsSayIsFollowed() {
        #expect(render("words.mid").errorLines.first?.hasPrefix("o.wav: ") == true)
    }

    @Test func anInstrumentOfSFZSaysWhatItDoesNotFollow() throws {
        addInstrument()
        let arguments = ["one.mid", "--soundfont", "a.sfz"]
        let found = try remarks(Program.run(["render"] + arguments + ["-o", "o.wav", "--json"], in: folder))
        #expect(found.map { $0["kind"] as? String } == ["missing", "not-followed", "not-followed", "substituted"], "\(found)")
        let sentences = found.compactMap { $0["sentence"] as? String }
        #expect(
            sentences[0].hasPrefix("sample Nope.wav in line 2")
                && sentences[3].contains("there is only Tone.wav, in other letters"))
        #expect(sentences[1...2] == ["bitred is not followed", "sync_beats is not followed"])
        let inspected = Program.run(["inspect"] + arguments, in: folder).text
        #expect(inspected.contains("not-followed: a.sfz: bitred is not followed"), "\(inspected)")
        let live = Program.run(["play"] + arguments + ["--device", "null"], in: folder).errors
        #expect(
            live.contains("a.sfz: 2 things are not followed")
                && live.contains("a.sfz: tone.WAV in line 3: there is only Tone.wav"),
            "\(live)")
    }

    @Test func notesWithoutASampleAreCounted() throws {
        addInstrument()
        folder.add("gap.mid", SongBytes.beats(4) { [60, 62, 70, 80][$0] })
        let arguments = ["gap.mid", "--soundfont", "a.sfz"]
        let found = try remarks(Program.run(["render"] + arguments + ["-o", "o.wav", "--json"], in: folder))
        #expect(
            found.contains { $0["count"] as? Int == 2 && ($0["sentence"] as? String)?.hasPrefix("no sample for 2 notes") == true }
        )
        #expect(Program.run(["inspect", "--measure"] + arguments, in: folder).text.contains("2 notes not heard"))
    }

    @Test func remarksThatAreNotAcceptedLeaveNoFile() {
        addInstrument()
        for (limit, song, code) in [("missing", "one.mid", 65), ("remarks", "one.mid", 65)] as [(String, String, Int32)] {
            let run = Program.run(
                ["render", song, "-o", "p.wav", "--soundfont", "a.sfz", "--fail-on", limit], in: folder)
            #expect(run.exitCode == code && run.errorLines.count == 1, "\(run.errors)")
            #expect(run.errors.hasPrefix("carillon: --fail-on: a.sfz: sample Nope.wav"), "\(run.errors)")
            #expect(!folder.names.contains("p.wav"))
        }
        // Nothing is missing there; what is found while it is rendered leaves nothing either.
        #expect(render("level.mid", "--fail-on", "missing").exitCode == 0)
        let cut = Program.run(
            [
                "render", "one.mid", "-o", "cut.wav", "--instrument", "square-wave", "--max-duration", "0.2s", "--fail-on",
                "remarks",
            ],
            in: folder)
        #expect(cut.exitCode == 65 && !folder.names.contains { $0.contains("cut.wav") }, "\(cut.errors) \(folder.names)")
        // The level never fails.
        folder.add("empty.mid", SongBytes.song([SongBytes.end]))
        #expect(render("empty.mid", "--tail", "1s", "--fail-on", "remarks").exitCode == 0)
    }

    @Test func aPatchThatHasRemarksFailsWhereThatIsAsked() {
        let text = """
            version: 1
            units:
              organ: {unit: polysynth, role: instrument}
              duck: {unit: compressor}
            connections: [organ -> duck, "organ -> duck[key]"]
            outputs: duck
            """
        folder.add("duck.yaml", Array(text.utf8))
        let line = "duck.yaml:4: units.duck: organ is connected to its side-chain, which is off; set key: on"
        let run = Program.run(["patch", "check", "duck.yaml"], in: folder)
        #expect(run.exitCode == 0 && run.errorLines.first ?? "" == line, "\(run.errors)")
        #expect(Program.run(["patch", "check", "duck.yaml", "--fail-on", "missing"], in: folder).exitCode == 0)
        #expect(Program.run(["patch", "check", "duck.yaml", "--fail-on", "remarks"], in: folder).exitCode == 65)
    }
}
