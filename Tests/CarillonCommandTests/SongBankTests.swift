import Glibc
import TestFolders
import Testing

/// Songs that bring SoundFonts of their own, as the program plays and shows them.
@Suite struct SongBankTests {
    private let folder = TemporaryFolder()

    private static let font: [UInt8] = {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Own Sine")]
        return font.bytes
    }()

    init() {
        mkdir(folder.file("songs"), 0o700)
        let notes = TinyRMID.song([(0, 0)])
        folder.add("songs/a.rmi", TinyRMID(song: notes, bank: Self.font, offset: [0, 0]).bytes)
        folder.add("songs/b.mid", notes)
        folder.add("songs/c.rmi", TinyRMID(song: notes, bank: Array(Self.font.prefix(200))).bytes)
    }

    @Test func ofAFolderEachSongHearsItsOwnBankAndNoOther() {
        for jobs in ["1", "3"] {
            let run = Program.run(
                ["render", "songs", "--jobs", jobs, "--tail", "exact", "--output-dir", "out" + jobs, "--soundfont", "embedded"],
                in: folder)
            #expect(run.exitCode == 0, "\(run.errors)")
            let alone = Program.run(
                ["render", "songs/b.mid", "--tail", "exact", "--soundfont", "embedded", "-o", "b\(jobs).wav"], in: folder)
            #expect(alone.exitCode == 0, "\(alone.errors)")
            #expect(folder.bytes(of: "out\(jobs)/b.wav") == folder.bytes(of: "b\(jobs).wav"))
            #expect(folder.bytes(of: "out\(jobs)/a.wav") != folder.bytes(of: "out\(jobs)/b.wav"))
            // A damaged bank costs nothing but itself.
            #expect(folder.bytes(of: "out\(jobs)/c.wav") == folder.bytes(of: "out\(jobs)/b.wav"))
        }
    }

    @Test func aDamagedBankIsToldInOneLine() {
        let run = Program.run(["render", "songs/c.rmi", "--tail", "exact", "-o", "c.wav"], in: folder)
        let lines = run.errors.split(separator: "\n").filter { $0.contains("is not played") }
        #expect(run.exitCode == 0 && lines.count == 1, "\(run.errors)")
        #expect(lines.first?.hasPrefix("songs/c.rmi: the SoundFont in this song is not played: ") == true)
    }

    @Test func itIsLeftAloneWhereNobodyWantsIt() {
        let own = Program.run(["render", "songs/a.rmi", "--tail", "exact", "-o", "own.wav"], in: folder)
        #expect(
            own.exitCode == 0 && own.errors.contains("SoundFont in the song: Tiny, 1 preset from bank 0 on\n"), "\(own.errors)")
        let usual = Program.run(["render", "songs/a.rmi", "--no-embedded-bank", "--tail", "exact", "-o", "a.wav"], in: folder)
        let plain = Program.run(["render", "songs/b.mid", "--tail", "exact", "-o", "b.wav"], in: folder)
        #expect(usual.exitCode == 0 && plain.exitCode == 0 && !usual.errors.contains("in the song"), "\(usual.errors)")
        #expect(folder.bytes(of: "a.wav") == folder.bytes(of: "b.wav"))
        #expect(folder.bytes(of: "own.wav") != folder.bytes(of: "b.wav"))
        let shell = Program.shell("cat songs/a.rmi | $CARILLON render - --tail exact -o piped.wav", in: folder)
        #expect(shell.exitCode == 0 && shell.errors.contains("only played where it is read from a file"), "\(shell.errors)")
    }

    @Test func itIsShown() {
        let song = Program.run(["inspect", "songs/a.rmi"], in: folder)
        #expect(
            song.text.contains("SoundFont in the song: Tiny, SoundFont 2, \(Self.font.count) bytes, 1 preset from bank 0 on"))
        #expect(song.text.contains("  bank 0 program 0: 0:0 Own Sine\n"), "\(song.text)")
        let report = Program.run(["inspect", "songs/a.rmi", "songs/c.rmi", "--json"], in: folder)
        #expect(report.text.contains(#""bank":{"bankOffset":0,"#) && report.text.contains(#""bankFault":"the SoundFont in"#))
        let font = Program.run(["soundfont", "songs/a.rmi"], in: folder)
        #expect(font.exitCode == 0 && font.text.contains("0:0 Own Sine") && font.text.contains("\(Self.font.count) bytes"))
        let plain = Program.run(["soundfont", "songs/b.mid"], in: folder)
        #expect(plain.exitCode == 65, "\(plain.errors)")
        let other = Program.run(
            ["render", "songs/b.mid", "--soundfont", "songs/a.rmi", "--tail", "exact", "-o", "x.wav"], in: folder)
        #expect(other.exitCode == 0, "\(other.errors)")
    }

    @Test func aListPlaysIt() {
        let run = Program.run(["play", "songs/a.rmi", "songs/c.rmi", "--device", "null"], in: folder)
        #expect(run.exitCode == 0 && run.errors.contains("the SoundFont in this song is not played"), "\(run.errors)")
    }
}
