import Foundation
import Glibc
import TestFolders
import Testing

/// Many songs in a table, as CSV, and measured.
@Suite struct InspectTests {
    private let folder = TemporaryFolder()

    init() {
        mkdir(folder.file("songs"), 0o700)
        let title = "A, \"B\""
        let named = [0, 0xFF, 3, UInt8(title.utf8.count)] + Array(title.utf8)
        folder.add("songs/song-10.mid", SongBytes.song([named + SongBytes.note(60, ticks: 480) + SongBytes.end]))
        folder.add("songs/song-2.mid", SongBytes.song([SongBytes.note(72, ticks: 960) + SongBytes.end]))
        folder.add("songs/song-3.mid", Array("hello\n".utf8))
    }

    private func inspect(_ arguments: String...) -> ProgramRun { Program.run(["inspect", "songs"] + arguments, in: folder) }

    @Test func severalSongsAreATable() {
        let run = inspect()
        #expect(run.exitCode == 65 && run.errorLines.count == 1)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("song ") && lines[0].contains("notes"))
        #expect(lines[1].hasPrefix("songs/song-2.mid ") && lines[2].hasPrefix("songs/song-10.mid "), "\(run.text)")
        // Columns stand below each other.
        #expect(Set(lines.map(\.count)).count == 1, "\(run.text)")
    }

    @Test func aSpreadsheetReadsThem() {
        let lines = inspect("--csv").text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("song,title,seconds,bars,tempo,"))
        #expect(lines[2].hasPrefix("songs/song-10.mid,\"A, \"\"B\"\"\",0.5,"), "\(lines)")
    }

    @Test func theyAreMeasured() throws {
        folder.add("songs/drum.mid", SongBytes.song([SongBytes.note(1, ticks: 480, channel: 9) + SongBytes.end]))
        let run = inspect("--measure", "--json")
        let songs = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        #expect(songs.count == 3)
        let drum = try #require(songs[0]["measured"] as? [String: Any])
        let note = try #require(songs[1]["measured"] as? [String: Any])
        #expect(note["peak"] as? Double ?? 0 < 0 && note["voices"] as? Int ?? 0 > 0 && note["unheardNotes"] as? Int == 0)
        #expect((note["truePeak"] as? Double ?? -1000) >= (note["peak"] as? Double ?? 0) - 0.01)
        #expect(drum["unheardNotes"] as? Int == 1 && (drum["reasons"] as? [[String: Any]])?.isEmpty == false, "\(drum)")
        // The figures are those of a render at the song's own level.
        let rendered = Program.run(
            ["render", "songs/song-2.mid", "--loudness", "off", "--json", "-o", "x.wav"], in: folder)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(rendered.output)) as? [String: Any])
        #expect(abs((report["peak"] as? Double ?? 0) - (note["peak"] as? Double ?? 1)) < 0.001)
        #expect(abs((report["duration"] as? Double ?? 0) - (note["duration"] as? Double ?? -1)) < 0.1)
        let table = inspect("--measure").text
        #expect(table.contains("LUFS") && table.contains("\nsongs/drum.mid: "), "\(table)")
        let one = Program.run(["inspect", "songs/song-2.mid", "--measure"], in: folder).text
        #expect(one.contains("measured: ") && one.contains("voices"), "\(one)")
    }

    @Test func waysToTellExcludeEachOther() {
        #expect(inspect("--csv", "--json").exitCode == 64 && inspect("--csv", "--full").exitCode == 64)
        #expect(inspect("--full").text.components(separatedBy: "\n\n").count == 2)
    }
}
