import Foundation
import Glibc
import TestFolders
import Testing

/// `--sample-memory`: what it takes, what it refuses, and that it changes no byte.
@Suite struct SampleMemoryTests {
    /// A folder with a song, and an SFZ file whose sample of 12 seconds is rendered from another song.
    private func library() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        let made = Program.run(
            ["render", "one.mid", "--instrument", "square-wave", "--tail", "12", "--gain", "0", "-o", "long.wav"], in: folder)
        try #require(made.exitCode == 0, "\(made.errors)")
        let text = "<region> sample=long.wav pitch_keycenter=60 loop_mode=loop_continuous loop_start=3000 loop_end=590000"
        folder.add("x.sfz", Array(text.utf8))
        return folder
    }

    @Test func theBytesAreThoseOfSamplesInMemory() throws {
        let folder = try library()
        func render(_ name: String, _ options: String...) throws -> ([UInt8], Int?) {
            let run = Program.run(
                ["render", "one.mid", "--soundfont", "x.sfz", "--tail", "20", "--json", "-o", name] + options, in: folder)
            try #require(run.exitCode == 0, "\(run.errors)")
            let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            return (folder.bytes(of: name), report?["sampleMemory"] as? Int)
        }
        let whole = try render("whole.wav"), streamed = try render("streamed.wav", "--sample-memory", "1.5M")
        #expect(whole.0 == streamed.0 && whole.0.count > 3_000_000)
        #expect(whole.1 == 1 << 30 && streamed.1 == 1_572_864)
    }

    @Test func aBudgetWithoutRoomForTheBeginningsIsRefused() throws {
        let folder = try library(), count = 40
        for number in 0..<count {
            let made = symlink("long.wav", folder.file("\(number).wav"))
            #expect(made == 0)
        }
        let text = (0..<count).map { "<region> key=\($0 + 30) sample=\($0).wav\n" }.joined()
        folder.add("many.sfz", Array(text.utf8))
        func render(_ memory: String) -> ProgramRun {
            Program.run(["render", "one.mid", "--soundfont", "many.sfz", "--sample-memory", memory, "--force"], in: folder)
        }
        let refused = render("1M"), errors = refused.errors
        #expect(refused.exitCode != 0 && errors.contains("many.sfz") && errors.contains("allow more memory"))
        let done = render("5M")
        #expect(done.exitCode == 0, "\(done.errors)")
    }

    @Test(arguments: ["", "300", "M", "-1M", "0.5K", "nanM", "infG", "1e30T", "many"])
    func amountsThatAreNoneAreRefused(_ text: String) {
        let run = Program.run(["render", "one.mid", "--sample-memory=\(text)"], in: TemporaryFolder())
        #expect(run.exitCode == 64 && run.errors.contains("--sample-memory"), "\(run.errors)")
    }

    @Test func itBelongsToTheCallAndNotToAJob() throws {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("jobs", Array(#"{"song": "one.mid", "instrument": "square-wave", "sample-memory": "3M"}"#.utf8))
        let refused = Program.run(["batch", "jobs", "--out", "a", "--quiet"], in: folder)
        let said = String(decoding: refused.output, as: UTF8.self) + refused.errors
        #expect(refused.exitCode != 0 && said.contains("sample-memory"))
        folder.add("good", Array(#"{"song": "one.mid", "instrument": "square-wave"}"#.utf8))
        let done = Program.run(["batch", "good", "--out", "b", "--quiet", "--sample-memory", "3M"], in: folder)
        #expect(done.exitCode == 0, "\(done.errors)")
    }
}
