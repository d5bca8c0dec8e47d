import AudioFiles
import Foundation
import Glibc
import TestFolders
import Testing

/// The texts and markers of a song in the files that it becomes.
@Suite struct TagTests {
    private let folder = TemporaryFolder()
    private let options = ["--instrument", "square-wave", "--tail", "exact"]

    init() {
        func meta(_ kind: UInt8, _ text: String) -> [UInt8] { [0, 0xFF, kind, UInt8(text.utf8.count)] + Array(text.utf8) }
        let track =
            meta(3, "Kanon ő") + meta(2, "(c) Nobody") + meta(1, "Composer: J. Pachelbel") + meta(6, "A")
            + SongBytes.note(60, ticks: 480) + meta(6, "B") + SongBytes.note(62, ticks: 480) + SongBytes.end
        folder.add("one.mid", SongBytes.song([track]))
    }

    private func render(_ arguments: String...) -> ProgramRun {
        Program.run(["render", "one.mid"] + arguments + options, in: folder)
    }

    private func tags(_ name: String) throws -> AudioTags { try AudioFileReader(path: folder.file(name)).tags }

    @Test func theSongsTextsAreInTheFile() throws {
        for format in ["wav", "flac", "ogg", "opus", "aiff", "caf"] {
            #expect(render("-o", "x." + format).exitCode == 0)
            let tags = try tags("x." + format)
            #expect(tags.texts == [.title: "Kanon ő", .artist: "J. Pachelbel", .copyright: "(c) Nobody"], "\(format)")
            let cues = [AudioTags.Cue(frame: 0, name: "A"), AudioTags.Cue(frame: 24_000, name: "B")]
            #expect(tags.cues == (["wav", "aiff"].contains(format) ? cues : []))
        }
        #expect(render("-o", "again.flac").exitCode == 0 && folder.bytes(of: "again.flac") == folder.bytes(of: "x.flac"))
        // What MP3 has no letters for is told.
        let mp3 = render("-o", "x.mp3")
        for name in ["title", "copyright"] {
            #expect(mp3.errors.contains("one.mid: its \(name) cannot be written in mp3"), "\(mp3.errors)")
        }
        let read = try tags("x.mp3").texts
        #expect(read[.artist] == "J. Pachelbel" && read[.title] == nil, "\(read)")
    }

    @Test func aCallAddsItsOwnAndTheReportTellsThem() throws {
        let run = render("-o", "x.flac", "--tag", "Album=Songs", "--tag", "title=", "--tag", "artist=Johann", "--json")
        #expect(try tags("x.flac").texts == [.album: "Songs", .artist: "Johann", .copyright: "(c) Nobody"])
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(
            report["tags"] as? [String: String] == ["album": "Songs", "artist": "Johann", "copyright": "(c) Nobody"])
        #expect(report["cues"] as? Int == 0)
    }

    /// The song's own level means the bytes that it always meant.
    @Test func aFileAtTheSongsLevelHasTheTagsThatAreGiven() throws {
        for level in [["--gain", "0"], ["--loudness", "off"]] {
            let bare = Program.run(["render", "one.mid", "-o", "bare.wav", "--force"] + level + options, in: folder)
            #expect(bare.exitCode == 0 && folder.bytes(of: "bare.wav").count == 44 + 48_000 * 4, "\(bare.errors)")
            let tagged = Program.run(
                ["render", "one.mid", "-o", "x.wav", "--tag", "genre=Test", "--force"] + level + options, in: folder)
            #expect(tagged.exitCode == 0, "\(tagged.errors)")
            #expect(try tags("x.wav").texts.count == 4 && tags("x.wav").cues.count == 2)
            #expect(folder.bytes(of: "x.wav").suffix(48_000 * 4) == folder.bytes(of: "bare.wav").suffix(48_000 * 4))
        }
        #expect(render("-o", "none.wav", "--no-tags").exitCode == 0)
        #expect(folder.bytes(of: "none.wav").count == 44 + 48_000 * 4)
    }

    @Test func markersOfALoopComeInEachRound() throws {
        #expect(render("-o", "x.wav", "--loops", "2").exitCode == 0)
        #expect(try tags("x.wav").cues.map(\.frame) == [0, 24_000, 48_000, 72_000])
    }

    @Test(arguments: [
        (["--tag", "composer=Bach"], "did you mean artist?"), (["--tag", "titel=x"], "did you mean title?"),
        (["--tag", "title"], "name=value"), (["--tag", "title=x", "--no-tags"], "--no-tags"),
        (["--tag", "title=x", "-o", "x.au"], "choose wav"), (["--tag", "license=x", "-o", "x.wav"], "has no place in wav"),
        (["--tag", "title=ő", "-o", "x.mp3"], "cannot be written in mp3"),
    ])
    func whatCannotBeIsRefused(_ arguments: [String], _ reason: String) {
        let run = Program.run(["render", "one.mid"] + arguments + options, in: folder)
        #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
        #expect(folder.names == ["one.mid"])
    }
}
