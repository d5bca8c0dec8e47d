import Glibc
import TestFolders
import Testing

/// What must not work, and how it ends: one line on standard error, the code of sysexits.h, no file.
@Suite struct RefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        let exitCode: Int32
        /// What the line must name.
        let mentions: [String]
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., exitCode: Int32, mentions: String...) {
            (self.arguments, self.exitCode, self.mentions) = (arguments, exitCode, mentions)
        }
    }

    static let cases = [
        Case("render", exitCode: 64, mentions: "song.mid", "carillon render --help"),
        Case("sing", "one.mid", exitCode: 64, mentions: "sing", "carillon --help"),
        Case("render", "none.mid", exitCode: 66, mentions: "none.mid", "no such file"),
        Case("render", "none/one.mid", exitCode: 66, mentions: "none/one.mid", "no such file"),
        Case("render", "one.mid", "-o", "x.mp3", "--format", "wav", exitCode: 64, mentions: "x.mp3", "the format says wav"),
        Case("render", "one.mid", "-o", "x.ogg", "--bitrate", "128", exitCode: 64, mentions: "quality"),
        Case("render", "one.mid", "-o", "x.opus", "--bitrate", "5", exitCode: 64, mentions: "12 to 512"),
        Case("render", "one.mid", "-o", "x.opus", "--quality", "1.5", exitCode: 64, mentions: "between 0", "1.5"),
        Case("render", "one.mid", "-o", "x.wav", "--quality", "0.5", exitCode: 64, mentions: "no quality"),
        Case("render", "text.mid", exitCode: 65, mentions: "text.mid", "not a song"),
        Case("render", "empty.mid", exitCode: 65, mentions: "empty.mid", "empty"),
        Case("render", "/dev/null", exitCode: 65, mentions: "/dev/null", "empty"),
        Case("render", "/proc/cpuinfo", exitCode: 65, mentions: "/proc/cpuinfo", "not a song"),
        Case("render", "damaged.mid", "--strict", exitCode: 65, mentions: "damaged.mid", "End of Track", "strict"),
        Case("render", "ten-days.mid", exitCode: 65, mentions: "240.0 hours", "--max-duration"),
        Case("render", "one.mid", "--soundfont", "none.sf2", exitCode: 66, mentions: "none.sf2"),
        Case("render", "one.mid", "--soundfont", "folder", exitCode: 66, mentions: "folder"),
        Case("render", "one.mid", "--soundfont", "text.mid", exitCode: 65, mentions: "text.mid", "no SoundFont"),
        Case("render", "one.mid", "--soundfont", "cut.sf2", exitCode: 65, mentions: "cut.sf2"),
        Case("render", "one.mid", "--set", "revreb.decay=2s", exitCode: 64, mentions: "revreb", "reverb"),
        Case("render", "one.mid", "--set", "reverb.decoy=2s", exitCode: 64, mentions: "decoy", "decay"),
        Case("render", "one.mid", "--set", "reverb.decay=long", exitCode: 64, mentions: "decay", "long"),
        Case("render", "one.mid", "--set", "reverb.decay=1000s", exitCode: 64, mentions: "decay", "1000s"),
        Case("render", "one.mid", "--set", "reverb", exitCode: 64, mentions: "reverb", "unit.parameter=value"),
        Case("render", "one.mid", "--rate", "7999", exitCode: 64, mentions: "--rate", "7999"),
        Case("render", "one.mid", "--rate", "-1", exitCode: 64, mentions: "--rate", "-1"),
        Case("render", "one.mid", "--rate", "fast", exitCode: 64, mentions: "--rate", "fast"),
        Case("render", "one.mid", "--instrument", "fluidsynth", "--rate", "192000", exitCode: 64, mentions: "192000", "96000"),
        Case("render", "one.mid", "--bits", "17", exitCode: 64, mentions: "--bits", "17", "32f"),
        Case("render", "one.mid", "--bits", "32f", "--format", "flac", exitCode: 64, mentions: "flac", "24"),
        Case("render", "one.mid", "--tail", "-1", exitCode: 64, mentions: "--tail", "-1"),
        Case("render", "one.mid", "--tail", "soon", exitCode: 64, mentions: "--tail", "soon"),
        Case("render", "one.mid", "--tail", "1e9", exitCode: 64, mentions: "--tail", "24 h"),
        Case("render", "one.mid", "--block", "0", exitCode: 64, mentions: "--block", "16384"),
        Case("render", "one.mid", "--block", "16385", exitCode: 64, mentions: "--block", "16384"),
        Case("render", "one.mid", "--gain", "41", exitCode: 64, mentions: "--gain", "40 dB"),
        Case("render", "one.mid", "--gain", "nan", exitCode: 64, mentions: "--gain"),
        Case("render", "one.mid", "--max-duration", "0", exitCode: 64, mentions: "--max-duration"),
        Case("render", "one.mid", "--max-duration", "nan", exitCode: 64, mentions: "--max-duration"),
        Case("render", "one.mid", "--track", "0", exitCode: 64, mentions: "track 0", "1 to 1"),
        Case("render", "one.mid", "--track", "2", exitCode: 64, mentions: "track 2", "1 to 1"),
        Case("render", "one.mid", "--instrument", "kazoo", exitCode: 64, mentions: "kazoo", "square-wave"),
        Case("render", "one.mid", "--format", "mp5", exitCode: 64, mentions: "mp5", "flac"),
        Case("render", "one.mid", "-o", "one.mp5", exitCode: 64, mentions: "one.mp5", "flac"),
        Case("render", "one.mid", "-o", "one.mid/one.wav", exitCode: 73, mentions: "one.mid: cannot be created"),
        Case("render", "one.mid", "-o", "folder", exitCode: 73, mentions: "folder", "is a folder"),
        Case("render", "one.mid", "-o", "one.mid", "--format", "wav", exitCode: 64, mentions: "the song itself"),
        Case("render", "one.mid", "-o", "/dev/full", exitCode: 74, mentions: "/dev/full", "No space left"),
        Case("inspect", "none.mid", exitCode: 66, mentions: "none.mid"),
        Case("inspect", "damaged.mid", "--strict", exitCode: 65, mentions: "damaged.mid"),
        Case("inspect", "take.journal", exitCode: 65, mentions: "take.journal", "is a journal", "carillon render"),
        Case("play", "take.journal", "--device", "null", exitCode: 65, mentions: "is a journal", "carillon render"),
        Case("play", "evening.yaml", "--device", "null", exitCode: 65, mentions: "is a set list", "--list evening.yaml"),
        Case("render", "evening.yaml", "--output", "out.wav", exitCode: 65, mentions: "is a set list", "--list evening.yaml"),
        Case("live", "--patch", "one.mid", "--device", "null", exitCode: 78, mentions: "one.mid: is a song"),
        Case("live", "organ.yaml", "--device", "null", exitCode: 78, mentions: "is a patch", "--patch organ.yaml"),
        Case(
            "live", "--patch", "evening.yaml", "--device", "null", exitCode: 78, mentions: "is a set list", "--list evening.yaml"),
        Case("serve", "organ.yaml", "--check", exitCode: 78, mentions: "is a patch", "--patch organ.yaml"),
        Case("soundfont", "none.sf2", exitCode: 66, mentions: "none.sf2"),
        Case("soundfont", "text.mid", exitCode: 65, mentions: "text.mid"),
        Case("units", "kazoo", exitCode: 64, mentions: "kazoo", "square-wave"),
        Case("units", "--json", "--markdown", exitCode: 64, mentions: "--json", "--markdown"),
    ]

    @Test(arguments: cases)
    func whatCannotWorkEndsWithOneLineAndItsCode(_ wrong: Case) {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("organ.yaml", Array("version: 1\nunits: {organ: {unit: square-wave}}\noutputs: organ\n".utf8))
        folder.add("evening.yaml", Array("version: 1\nentries:\n  organ: {patch: organ.yaml}\n".utf8))
        folder.add("damaged.mid", SongBytes.damaged)
        folder.add("ten-days.mid", SongBytes.tenDays)
        folder.add("text.mid", Array("hello\n".utf8))
        folder.add("take.journal", Array("carillon-journal 1\n".utf8))
        folder.add("empty.mid", [])
        folder.add("cut.sf2", Array(bytes(Program.package + "/soundfonts/carillon.sf2").prefix(100_000)))
        mkdir(folder.file("folder"), 0o700)
        let before = folder.names
        let run = Program.run(wrong.arguments, in: folder)
        #expect(run.exitCode == wrong.exitCode, "\(run.errors)")
        #expect(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("carillon: "))
        for word in wrong.mentions { #expect(run.errors.contains(word), "\(word) in: \(run.errors)") }
        #expect(run.output.isEmpty)
        #expect(folder.names == before)
    }

    @Test func withoutAnySoundFontTheSearchedPlacesAreNamed() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let run = Program.run(
            ["render", "one.mid"], in: folder, environment: ["CARILLON_SOUNDFONT": "/none.sf2"])
        #expect(run.exitCode == 66)
        #expect(run.errors.contains("/none.sf2"))
        #expect(run.errors.contains("$CARILLON_SOUNDFONT"))
        #expect(folder.names == ["one.mid"])
    }

    @Test func aLibraryThatIsNotThereIsNamedWithItsPackage() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        // The loader looks here first, and finds no library.
        folder.add("libfluidsynth.so.3", [])
        let run = Program.run(
            ["render", "one.mid", "--instrument", "fluidsynth"], in: folder, environment: ["LD_LIBRARY_PATH": folder.file("")])
        #expect(run.exitCode == 69, "\(run.errors)")
        #expect(run.errorLines.count == 1 && run.errors.contains("libfluidsynth3"))
        #expect(folder.names == ["libfluidsynth.so.3", "one.mid"])
    }

    @Test func aPipeNobodyWritesToIsGivenUp() {
        let folder = TemporaryFolder()
        mkfifo(folder.file("pipe.mid"), 0o600)
        let run = Program.run(["render", "pipe.mid"], in: folder)
        #expect(run.exitCode == 66)
        #expect(run.errors.contains("pipe without a writer"))
    }

    @Test func endlessInputIsRefusedWithoutReadingItAll() {
        let folder = TemporaryFolder()
        let run = Program.run(["render", "/dev/zero"], in: folder)
        #expect(run.exitCode == 65)
        #expect(run.errorLines.count == 1)
        #expect(folder.names.isEmpty)
    }

    @Test func twoHundredMegabytesOfGarbageAreRefusedOrRepaired() {
        let folder = TemporaryFolder()
        // A header, and a hole that claims to be one track.
        folder.add("huge.mid", Array(SongBytes.oneNote.prefix(14)) + Array("MTrk".utf8) + [0x7F, 0xFF, 0xFF, 0xFF])
        truncate(folder.file("huge.mid"), 200 << 20)
        let run = Program.run(["render", "huge.mid", "--instrument", "square-wave", "--max-duration", "1"], in: folder)
        #expect(run.exitCode == 65 || run.exitCode == 0)
        if run.exitCode == 65 { #expect(folder.names == ["huge.mid"]) }
    }

    @Test func namesThatAreNotUnicodeAreRefusedWithARemedy() {
        let folder = TemporaryFolder()
        let run = Program.shell("\"$CARILLON\" render $'caf\\xe9.mid'", in: folder)
        #expect(run.exitCode == 64)
        #expect(run.errors.contains("UTF-8") && run.errors.contains("/dev/stdin"))
    }

    @Test func aReadOnlyFolderIsSaid() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let run = Program.shell(
            "song=$PWD/one.mid; cd /proc && \"$CARILLON\" render \"$song\" --instrument square-wave", in: folder)
        #expect(run.exitCode == 73)
        #expect(run.errorLines.count == 1)
    }

    @Test func aFileSizeLimitIsAnErrorOfTheWrite() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let run = Program.shell(
            "ulimit -f 16; \"$CARILLON\" render one.mid --instrument square-wave --tail 10", in: folder)
        #expect(run.exitCode == 74, "\(run.errors)")
        #expect(run.errors.contains("too large"))
        #expect(folder.names == ["one.mid"])
    }

    @Test func littleMemoryEndsWithACodeAndNoFile() {
        let folder = TemporaryFolder()
        let notes = (0..<400_000).flatMap { _ in SongBytes.note(60, ticks: 1) }
        folder.add("many.mid", SongBytes.song([notes + SongBytes.end]))
        let run = Program.shell(
            "ulimit -v 90000; \"$CARILLON\" render many.mid --instrument square-wave", in: folder)
        #expect(run.exitCode == 70, "\(run.errors)")
        #expect(run.errors.contains("carillon: many.mid: memory ran out while "), "\(run.errors)")
        #expect(folder.names == ["many.mid"])
    }
}
