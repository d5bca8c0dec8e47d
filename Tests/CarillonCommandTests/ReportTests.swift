import Foundation
import Testing

/// Reports: JSON as documented, the SoundFont that was chosen, what was not as asked for.
@Suite struct ReportTests {
    private let folder = TemporaryFolder()

    init() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("damaged.mid", SongBytes.damaged)
    }

    /// The keys of `report`'s table in the guide; `a`, `b` in one row are two.
    private func documentedKeys(of report: String) throws -> Set<String> {
        let guide = Program.package + "/Sources/Carillon/Carillon.docc/Guides/ReportsAsJSON.md"
        let text = String(decoding: bytes(guide), as: UTF8.self)
        let sections = text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("carillon \(report) --json") })
        var keys: Set<String> = []
        for row in section.split(separator: "\n") where row.hasPrefix("| `") {
            let cell = row.split(separator: "|")[0]
            if cell.contains(" of ") { continue }
            for (index, part) in cell.split(separator: "`").enumerated() where index % 2 == 1 { keys.insert(String(part)) }
        }
        return keys
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test func theRenderReportHasTheDocumentedKeys() throws {
        let run = Program.run(["render", "damaged.mid", "--json", "--max-duration", "1"], in: folder)
        #expect(run.exitCode == 0 && run.errors.isEmpty)
        #expect(run.output.last == UInt8(ascii: "\n") && run.text.split(separator: "\n").count == 1)
        let report = try object(run.output)
        #expect(Set(report.keys) == (try documentedKeys(of: "render")))
        #expect(report["version"] as? Int == 1 && report["replaced"] as? Bool == false)
        #expect(report["fade"] as? Double == 0.02)
        #expect(report["song"] as? String == "damaged.mid")
        #expect(report["output"] as? String == "damaged.wav")
        #expect(report["frames"] as? Int == 48_000)
        #expect(report["sampleRate"] as? Int == 48_000)
        #expect(report["duration"] as? Double == 1)
        #expect(report["bytes"] as? Int == folder.bytes(of: "damaged.wav").count)
        #expect(report["notes"] as? Int == 1)
        #expect(report["cut"] as? String == "max-duration")
        #expect(report["repairCount"] as? Int == 1)
        #expect((report["repairs"] as? [[String: Any]])?.first?["fault"] as? String == "no End of Track")
        #expect(report["soundFontOrigin"] as? String == "environment")
    }

    @Test func whatTheLimiterDoesIsToldWithItsRemedy() throws {
        func limiter(_ gain: String) throws -> (summary: Substring, object: [String: Any]) {
            let options = ["one.mid", "--instrument", "square-wave", "--tail", "exact", "--gain", gain]
            let summary = Program.run(["render"] + options, in: folder).errorLines.last ?? ""
            let report = try object(Program.run(["render", "--json"] + options, in: folder).output)
            return (summary, try #require(report["limiter"] as? [String: Any]))
        }
        let loud = try limiter("30")
        let idle = try #require(loud.object["idleGain"] as? Int), most = try #require(loud.object["reduction"] as? Double)
        #expect(most > 1 && abs(30 - most - Double(idle)) <= 1)
        #expect(loud.object["pressedShare"] as? Double ?? 0 > 0.5)
        #expect(loud.summary.contains(", limiter up to ") && loud.summary.contains(" of the time (--gain \(idle) avoids it), "))
        let soft = try limiter("\(idle)")
        #expect(soft.object["reduction"] as? Double == 0 && soft.object["idleGain"] == nil)
        #expect(!soft.summary.contains("limiter"))
    }

    @Test func silenceHasNoLevels() throws {
        folder.add("silent.mid", SongBytes.song([SongBytes.end]))
        let run = Program.run(["render", "silent.mid", "--json", "--instrument", "square-wave"], in: folder)
        let report = try object(run.output)
        #expect(report["peak"] == nil && report["loudness"] == nil)
        #expect((report["remarks"] as? [String])?.first?.contains("no notes") == true)
    }

    @Test func notesThatCannotBeHeardAreSaid() throws {
        // A drum: the square wave plays none.
        folder.add("drum.mid", SongBytes.song([SongBytes.note(38, ticks: 480, channel: 9) + SongBytes.end]))
        let run = Program.run(["render", "drum.mid", "--instrument", "square-wave"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.errors.contains("drum.mid: none of its 1 notes can be heard; look at --instrument"), "\(run.errors)")
    }

    @Test func withTheSoundOnStandardOutputTheReportGoesToStandardError() throws {
        let run = Program.shell(
            "\"$CARILLON\" render one.mid --json --instrument square-wave -o - | tail -c 1 > /dev/null", in: folder)
        #expect(try object(Array(run.errors.utf8))["output"] as? String == "-")
        #expect(run.output.isEmpty)
    }

    @Test func theInspectionHasTheDocumentedKeys() throws {
        let run = Program.run(["inspect", "damaged.mid", "--json"], in: folder)
        #expect(run.exitCode == 0 && run.errors.isEmpty)
        let report = try object(run.output)
        let documented = try documentedKeys(of: "inspect")
        #expect(Set(report.keys).subtracting(documented) == [])
        // A song without a title or a loop of its own has none.
        #expect(documented.subtracting(report.keys) == ["title", "loop"])
        #expect(report["notes"] as? Int == 1)
        #expect(report["duration"] as? Double == 0.5)
    }

    @Test func theNameOfALaterTrackIsNoTitle() throws {
        func named(_ name: String) -> [UInt8] { [0x00, 0xFF, 0x03, UInt8(name.utf8.count)] + Array(name.utf8) }
        let note = SongBytes.note(60, ticks: 480) + SongBytes.end
        folder.add("piano.mid", SongBytes.song([note, named("Piano") + note]))
        folder.add("waltz.mid", SongBytes.song([named("Waltz") + note, named("Piano") + note]))
        #expect(try object(Program.run(["inspect", "piano.mid", "--json"], in: folder).output)["title"] == nil)
        #expect(try object(Program.run(["inspect", "waltz.mid", "--json"], in: folder).output)["title"] as? String == "Waltz")
    }

    @Test func theSoundFontsReportHasTheDocumentedKeys() throws {
        let run = Program.run(["soundfont", Program.package + "/soundfonts/carillon.sf2", "--json"], in: folder)
        let report = try object(run.output)
        #expect(Set(report.keys) == (try documentedKeys(of: "soundfont")))
        #expect((report["presets"] as? [Any])?.count ?? 0 >= 128)
        #expect(report["faults"] as? [String] == [])
    }

    @Test func theUnitsReportHasTheDocumentedKeys() throws {
        let run = Program.run(["units", "reverb", "--json"], in: folder)
        let units = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        #expect(Set(units[0].keys) == (try documentedKeys(of: "units")))
    }

    @Test func quietSaysNothing() {
        let run = Program.run(["render", "damaged.mid", "--quiet", "--tail", "exact"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.output.isEmpty && run.errors.isEmpty)
    }

    @Test func theChosenSoundFontIsSaid() {
        let own = Program.package + "/soundfonts/carillon.sf2"
        func line(_ arguments: [String], _ environment: [String: String]) -> Substring? {
            let run = Program.run(
                ["render", "one.mid", "--tail", "exact"] + arguments, in: folder, environment: environment)
            return run.errorLines.first { $0.hasPrefix("SoundFont") }
        }
        #expect(line([], [:]) == "SoundFont: \(own) (from $CARILLON_SOUNDFONT)")
        #expect(line(["--soundfont", own], [:]) == "SoundFont: \(own)")
        #expect(line(["--instrument", "square-wave"], [:]) == nil)
        let chosen = line([], ["CARILLON_SOUNDFONT": ""])
        #expect(chosen?.hasSuffix("(the system's default)") == true || chosen == "SoundFont: \(own) (Carillon's own)")
    }

    @Test func theReferenceIsMadeFromTheDeclarations() {
        let page = Program.package + "/Sources/Carillon/Carillon.docc/Reference/Units.md"
        let run = Program.run(["units", "--markdown"], in: folder)
        #expect(
            run.text == String(decoding: bytes(page), as: UTF8.self),
            "out of date; make it with: carillon units --markdown > Sources/Carillon/Carillon.docc/Reference/Units.md")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionsKnowEveryOption(_ shell: String) {
        let script = Program.run(["--generate-completion-script", shell], in: folder)
        #expect(script.exitCode == 0)
        let help = Program.run(["help", "render"], in: folder).text
        let options = help.split(whereSeparator: { " \n,".contains($0) }).filter { $0.hasPrefix("--") }
        #expect(options.count > 15)
        for option in Set(options) {
            let name = shell == "fish" ? "-l '\(option.dropFirst(2))'" : String(option)
            #expect(script.text.contains(name) || option == "--output" || option == "--soundfont", "\(option)")
        }
    }
}
