import Carillon
import TestFolders
import Testing

/// The program is one file: what sounds by default is a part of it.
@Suite struct EmbeddedSoundFontTests {
    private let folder = TemporaryFolder()

    init() { folder.add("one.mid", SongBytes.oneNote) }

    @Test func theProgramAloneOnABareMachineRenders() {
        let hasSystemFont = SoundFontLocator().installed.count > 1
        let run = Program.shell(
            """
            mkdir bare && cp "$CARILLON" bare/player && cd bare
            env -i ./player render ../one.mid --tail exact -o ../one.wav \(hasSystemFont ? "--soundfont embedded" : "")
            """, in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        if !hasSystemFont { #expect(run.errors.contains("SoundFont: embedded (carillon.sf2)\n"), "\(run.errors)") }
        #expect(folder.bytes(of: "one.wav").count == 44 + 24_000 * 4)
    }

    @Test func itPlaysTheSameAsItsFile() {
        let file = Program.package + "/soundfonts/carillon.sf2"
        for (font, output) in [("embedded", "own.wav"), (file, "file.wav"), ("embedded:0", "moved.wav")] {
            let run = Program.run(
                ["render", "one.mid", "--tail", "exact", "--soundfont", font, "-o", output], in: folder)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        #expect(folder.bytes(of: "own.wav") == folder.bytes(of: "file.wav"))
        #expect(folder.bytes(of: "own.wav") == folder.bytes(of: "moved.wav"))
    }

    @Test func itIsInspectedByItsName() {
        let run = Program.run(["soundfont", "embedded"], in: folder)
        #expect(run.exitCode == 0 && run.text.hasPrefix("embedded: "), "\(run.errors)")
    }

    /// A DLS file holds waves, an SFZ file names audio files: they are its samples.
    @Test func otherFilesHaveTheirSamplesCounted() {
        #expect(Program.run(["render", "one.mid", "-o", "one.wav"], in: folder).exitCode == 0)
        folder.add("two.sfz", Array("<region> sample=one.wav hikey=59\n<region> sample=one.wav lokey=60\n".utf8))
        folder.add("tiny.dls", TinyDLS().bytes)
        for (name, count) in [("two.sfz", "1 sample, "), ("tiny.dls", "1 sample, ")] {
            let run = Program.run(["soundfont", name], in: folder)
            #expect(run.exitCode == 0 && run.text.contains(count), "\(name): \(run.text) \(run.errors)")
        }
    }
}
