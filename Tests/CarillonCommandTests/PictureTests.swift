import Foundation
import FoundationXML
import Glibc
import TestFolders
import Testing

/// Drawings beside rendered files.
@Suite struct PictureTests {
    private let folder = TemporaryFolder()
    private let options = ["--instrument", "square-wave", "--tail", "exact"]

    init() {
        folder.add("one.mid", SongBytes.song([SongBytes.note(60, ticks: 480) + SongBytes.note(72, ticks: 480) + SongBytes.end]))
    }

    private func render(_ arguments: String...) -> ProgramRun {
        Program.run(["render", "one.mid"] + arguments + options, in: folder)
    }

    @Test func eachKindIsXMLThatSaysWhatItShows() throws {
        let run = render("--picture", "waveform", "--picture", "spectrogram", "--picture", "piano-roll", "--json")
        #expect(run.exitCode == 0, "\(run.errors)")
        let names = ["one.piano-roll.svg", "one.spectrogram.svg", "one.waveform.svg"]
        #expect(folder.names == (["one.mid", "one.wav"] + names).sorted())
        for name in names {
            let parser = XMLParser(data: Data(folder.bytes(of: name)))
            #expect(parser.parse(), "\(name): \(String(describing: parser.parserError))")
            let text = String(decoding: folder.bytes(of: name), as: UTF8.self)
            #expect(text.hasPrefix("<svg xmlns=") && text.contains("<path d=\"M") && text.contains("0:00"))
        }
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(Set(report["pictures"] as? [String] ?? []) == Set(names))
        // Two notes: two bars, the second an octave above and a second to the right of the middle.
        let roll = String(decoding: folder.bytes(of: "one.piano-roll.svg"), as: UTF8.self)
        #expect(roll.contains("M0 97h600v6h-600zM600 1h600v6h-600z"), "\(roll)")
        #expect(render("--picture", "spectrogram", "-o", "again.wav", "--block", "100").exitCode == 0)
        #expect(folder.bytes(of: "again.spectrogram.svg") == folder.bytes(of: "one.spectrogram.svg"), "the same each time")
    }

    @Test func whatIsThereStays() {
        folder.add("one.waveform.svg", [1, 2, 3])
        #expect(render("--picture", "waveform").exitCode == 73 && folder.names == ["one.mid", "one.waveform.svg"])
        #expect(render("--picture", "waveform", "--force").exitCode == 0 && folder.bytes(of: "one.waveform.svg").count > 100)
        let stream = render("--picture", "waveform", "-o", "-")
        #expect(stream.exitCode == 64 && stream.errors.contains("beside a file"), "\(stream.errors)")
        #expect(render("--picture", "photo").exitCode == 64)
    }

    @Test func aPNGNeedsItsTool() {
        let empty = folder.hidden("bin")
        mkdir(empty, 0o700)
        let arguments = ["render", "one.mid", "--picture", "waveform", "--picture-format", "png"] + options
        let none = Program.run(arguments, in: folder, environment: ["PATH": empty])
        #expect(none.exitCode == 64 || none.exitCode == 127)
        let tool = folder.add("rsvg-convert", Array("#!/bin/sh\n/bin/cp \"$3\" \"$2\"\n".utf8))
        chmod(folder.file(tool), 0o700)
        let made = Program.run(arguments, in: folder, environment: ["PATH": folder.file("").dropLast() + ":/usr/bin:/bin"])
        #expect(made.exitCode == 0, "\(made.errors)")
        #expect(folder.names == ["one.mid", "one.wav", "one.waveform.png", "rsvg-convert"])
    }
}
