import Glibc
import TestFolders
import Testing

/// Every example that the help of `carillon render` and its guide give does what it says.
@Suite struct RenderExampleTests {
    /// The lines of a text that are commands.
    private static func examples(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { $0.hasPrefix("carillon render ") }
    }

    @Test func theExamplesOfTheHelpWork() {
        let help = Program.run(["render", "--help"], in: TemporaryFolder()).text
        let examples = Self.examples(help)
        #expect(examples.count >= 8, "\(help)")
        for example in examples { run(example, song: "song.mid", folderOfSongs: "songs") }
    }

    @Test(arguments: [("RenderSongs", 8), ("LabelWhatWasPlayed", 3)]) func theExamplesOfTheGuidesWork(
        _ guide: (name: String, count: Int)
    ) {
        let path = Program.package + "/Sources/Carillon/Carillon.docc/Guides/\(guide.name).md"
        let text = String(decoding: bytes(path), as: UTF8.self)
        let examples = Self.examples(text)
        #expect(examples.count >= guide.count)
        for example in examples { run(example, song: "SONG.mid", folderOfSongs: "SONGS") }
    }

    private func run(_ example: String, song: String, folderOfSongs: String) {
        let folder = TemporaryFolder()
        folder.add(song, SongBytes.twentyBars)
        mkdir(folder.file(folderOfSongs), 0o700)
        folder.add(folderOfSongs + "/one.mid", SongBytes.oneNote)
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        for font in ["GM.sf2", "Piano.sf2"] { symlink(Program.package + "/soundfonts/carillon.sf2", folder.file(font)) }
        let before = Set(folder.names)
        let run = Program.shell(
            "carillon() { \"$CARILLON\" \"$@\"; }\naplay() { wc -c > sound; }\nset -e -o pipefail\n" + example, in: folder)
        #expect(run.exitCode == 0, "\(example): \(run.errors)")
        #expect(!Set(folder.names).subtracting(before).isEmpty, "\(example) made no file")
    }
}
