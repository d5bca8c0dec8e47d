import Foundation
import TestFolders
import Testing

/// Labels beside rendered files.
@Suite struct LabelTests {
    private let folder = TemporaryFolder()

    init() {
        for name in ["one.mid", "two.mid"] {
            folder.add(
                name, SongBytes.song([SongBytes.note(60, ticks: 480) + SongBytes.note(72, ticks: 480) + SongBytes.end]))
        }
    }

    private func render(_ arguments: String...) -> ProgramRun {
        Program.run(["render"] + arguments + ["--loudness", "off"], in: folder)
    }

    private func object(_ name: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(folder.bytes(of: name))) as? [String: Any])
    }

    @Test func eachFormLiesBesideTheFile() throws {
        let run = render("one.mid", "--labels", "tsv,json,mid", "--json", "--stems", "channel")
        #expect(run.exitCode == 0, "\(run.errors)")
        let names = ["one.labels.json", "one.notes.tsv", "one.labels.mid"]
        #expect(Set(names).isSubset(of: Set(folder.names)))
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(report["labels"] as? [String] == names)
        let labels = try object("one.labels.json")
        #expect(
            labels.keys.sorted() == [
                "audio", "beats", "controls", "counts", "frames", "instants", "instruments", "keys", "labelsVersion", "lyrics",
                "markers",
                "notes",
                "parts", "sampleRate", "song", "stems", "tempos", "timeSignatures",
            ])
        let notes = try #require(labels["notes"] as? [[String: Any]])
        #expect(notes.map { $0["onset"] as? Int } == [0, 24_000] && notes.map { $0["keyUp"] as? Int } == [24_000, 48_000])
        #expect(
            notes[0].keys.sorted() == [
                "channel", "end", "key", "keyUp", "level", "onset", "outcome", "pitch", "release", "soundingKey", "stem", "track",
                "velocity",
            ])
        #expect(notes.allSatisfy { $0["outcome"] as? String == "played" && $0["stem"] as? Int == 1 })
        #expect((labels["counts"] as? [String: Int])?["played"] == report["notes"] as? Int)
        #expect(labels["frames"] as? Int == report["frames"] as? Int && labels["instants"] as? Int == 0)
        #expect((labels["tempos"] as? [[String: Any]])?.first?["quartersPerMinute"] as? Double == 120)
        #expect((labels["beats"] as? [[String: Any]])?.allSatisfy { $0["unit"] as? Int == 4 } == true)
        #expect((labels["stems"] as? [[String: Any]])?.first?["channels"] as? [Int] == [1])
        let table = String(decoding: folder.bytes(of: "one.notes.tsv"), as: UTF8.self)
        #expect(table == "0.000000000\t0.500000000\t261.625565\n0.500000000\t1.000000000\t523.251131\n")
        #expect(Program.run(["inspect", "one.labels.mid"], in: folder).exitCode == 0)
    }

    @Test func whatIsThereStays() {
        folder.add("one.labels.json", [1, 2, 3])
        #expect(render("one.mid", "--labels", "json").exitCode == 73)
        #expect(folder.names == ["one.labels.json", "one.mid", "two.mid"])
        #expect(render("one.mid", "--labels", "json", "--force").exitCode == 0)
        #expect(folder.bytes(of: "one.labels.json").count > 100)
        let stream = render("one.mid", "--labels", "json", "-o", "-")
        #expect(stream.exitCode == 64 && stream.errors.contains("beside a file"), "\(stream.errors)")
        #expect(render("one.mid", "--labels", "xml").exitCode == 64 && render("one.mid", "--labels", "").exitCode == 64)
    }

    @Test func aKeyUnderThePedalEndsWhereItIsStruckAgainIfThatIsAskedFor() throws {
        let track = [0, 0xB0, 64, 127] + SongBytes.note(60, ticks: 480) + SongBytes.note(60, ticks: 480) + SongBytes.end
        folder.add("pedal.mid", SongBytes.song([track]))
        for (words, releases) in [
            ([], [48_000, 48_000]), (["--restrike", "overlap"], [48_000, 48_000]), (["--restrike", "cut"], [24_000, 48_000]),
        ] {
            let run = Program.run(
                ["render", "pedal.mid", "--labels", "json", "--tail", "exact", "--loudness", "off", "--force"] + words, in: folder
            )
            #expect(run.exitCode == 0, "\(run.errors)")
            let notes = try #require(try object("pedal.labels.json")["notes"] as? [[String: Any]])
            #expect(notes.map { $0["release"] as? Int } == releases, "\(words)")
        }
        let alone = render("one.mid", "--restrike", "cut")
        #expect(alone.exitCode == 64 && alone.errors.contains("--labels json"), "\(alone.errors)")
    }

    /// One rule for files, folders and stems: the last folder is made, and goes where nothing came into it.
    @Test func theFolderOfTheFileIsMade() {
        let run = render("one.mid", "--output", "new/one.wav", "--labels", "json")
        #expect(
            run.exitCode == 0 && TemporaryFolder.names(in: folder.file("new")) == ["one.labels.json", "one.wav"], "\(run.errors)")
        let deep = render("one.mid", "--output", "a/b/one.wav")
        #expect(deep.exitCode == 73 && deep.errors.contains("a/b"), "\(deep.errors)")
        #expect(render("none.mid", "--output", "c/one.wav").exitCode == 66)
        #expect(render("one.mid", "--output", "one.mid/one.wav").exitCode == 73)
        #expect(Set(folder.names) == ["new", "one.mid", "two.mid"], "\(folder.names)")
    }

    @Test func severalSongsHaveTheirsAndTrimMovesThem() throws {
        let run = render("one.mid", "two.mid", "--labels", "json", "--output-dir", "out", "--album-loudness")
        #expect(run.exitCode == 64)
        let both = Program.run(
            ["render", "one.mid", "two.mid", "--labels", "json", "--output-dir", "out", "--album-loudness"], in: folder)
        #expect(both.exitCode == 0, "\(both.errors)")
        for name in ["one", "two"] {
            #expect((try object("out/\(name).labels.json")["notes"] as? [Any])?.count == 2)
        }
        // A quarter's rest, which is left out.
        folder.add("late.mid", SongBytes.song([[0x83, 0x60, 0x90, 60, 100, 0x83, 0x60, 0x80, 60, 0] + SongBytes.end]))
        #expect(render("late.mid", "--labels", "json", "--trim").exitCode == 0)
        let notes = try #require(try object("late.labels.json")["notes"] as? [[String: Any]])
        #expect(notes[0]["onset"] as? Int == 0)
        let up = try #require(notes[0]["keyUp"] as? Int)
        #expect((23_900...24_000).contains(up))
        // Nothing lies behind the last frame.
        let frames = try #require(try object("late.labels.json")["frames"] as? Int)
        #expect(notes.allSatisfy { note in ["keyUp", "release", "end"].allSatisfy { (note[$0] as? Int ?? 0) <= frames } })
    }
}
