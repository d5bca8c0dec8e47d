import Carillon
import Foundation
import TestFolders
import Testing

@testable import CarillonCommand

/// Reports: JSON as documented, the SoundFont that was chosen, what was not as asked for.
@Suite struct ReportTests {
    private let folder = TemporaryFolder()

    init() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("damaged.mid", SongBytes.damaged)
        folder.add("told.mid", SongBytes.told)
    }

    /// The keys of `report`'s table in the guide; `a`, `b` in one row are two.
    private func documentedKeys(of report: String) throws -> Set<String> {
        let guide = Program.package + "/Sources/Carillon/Carillon.docc/Guides/ReportsAsJSON.md"
        let text = String(decoding: bytes(guide), as: UTF8.self)
        let sections = text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("carillon \(report) --json") })
        // Said once for all reports.
        try #require(text.contains("`reportVersion`"))
        var keys: Set<String> = ["reportVersion"]
        for row in section.split(separator: "\n") where row.hasPrefix("| `") {
            let cell = row.split(separator: "|")[0]
            if cell.contains(" of ") || cell.contains(".") { continue }
            for (index, part) in cell.split(separator: "`").enumerated() where index % 2 == 1 { keys.insert(String(part)) }
        }
        return keys
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// Every section says the version that is printed.
    @Test func theGuideHasTheVersionThatReportsHave() throws {
        let run = Program.run(["units", "--json"], in: folder)
        let version = try #require(try object(run.output)["reportVersion"] as? Int)
        let guide = Program.package + "/Sources/Carillon/Carillon.docc/Guides/ReportsAsJSON.md"
        let text = String(decoding: bytes(guide), as: UTF8.self)
        let said = text.matches(of: /\| `reportVersion`[a-z ]* \| (\d+) \|/).map { Int($0.output.1) }
        #expect(
            said.count == text.matches(of: /## carillon [a-z ]+ --json/).count + 1 && said.allSatisfy { $0 == version }, "\(said)"
        )
        #expect(text.contains("`reportVersion`, now \(version)."))
    }

    @Test func theGuideHasTheKeysOfTheDeclarations() {
        let guide = Program.package + "/Sources/Carillon/Carillon.docc/Guides/ReportsAsJSON.md"
        let text = String(decoding: bytes(guide), as: UTF8.self)
        for shape in [
            RenderResult.shape, SongInspection.shape, SoundFontInspection.shape, SoundFontTable.shape, UnitReference.shape,
        ] {
            let rows = shape.rows(nothing: "").joined(separator: "\n")
            #expect(text.contains(rows), "out of date; write these rows into the guide:\n\(rows)")
        }
    }

    @Test func roomIsToldWhereThereIsMuch() throws {
        let options = ["one.mid", "--instrument", "square-wave", "--tail", "exact"]
        func run(_ more: String...) -> ProgramRun { Program.run(["render", "--force"] + options + more, in: folder) }
        let report = try object(run("--gain", "-20", "--json").output)
        let peak = try #require(report["peak"] as? Double), gain = try #require(report["fittingGain"] as? Int)
        let rest = -20 - peak - 2 - Double(gain)
        #expect(rest >= -0.001 && rest < 1)
        let soft = run("--gain", "-20").errorLines.last ?? ""
        #expect(soft.hasSuffix(" dB of room (--gain \(gain) uses it)"), "\(soft)")
        // Done as told, there is none, and the limiter has nothing to do.
        let full = run("--gain", "\(gain)").errorLines.last ?? ""
        #expect(!full.contains("room") && !full.contains("limiter"), "\(full)")
        #expect(run("--gain", "-20", "--quiet").errors.isEmpty)
    }

    @Test func theRenderReportHasTheDocumentedKeys() throws {
        let run = Program.run(["render", "damaged.mid", "--json", "--max-duration", "1"], in: folder)
        #expect(run.exitCode == 0 && run.errors.isEmpty)
        #expect(run.output.last == UInt8(ascii: "\n") && run.text.split(separator: "\n").count == 1)
        let report = try object(run.output)
        // Only a song that brings a SoundFont has a bank, only one with a level of its own a gain that fits, and stems and a
        // passage only where they are asked for.
        #expect(Set(report.keys).union(["bank", "fittingGain", "stems", "passage"]) == (try documentedKeys(of: "render")))
        #expect(report["reportVersion"] as? Int == 3 && report["replaced"] as? Bool == false)
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
            let options = ["one.mid", "--instrument", "square-wave", "--tail", "exact", "--gain", gain, "--force"]
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

    /// The remarks of a report as a person reads them.
    static func remarks(in report: [String: Any]) -> [String] {
        (report["remarks"] as? [[String: Any]] ?? []).map { remark in
            ["subject", "sentence", "remedy"].compactMap { remark[$0] as? String }.joined(separator: ": ")
        }
    }

    @Test func silenceHasNoLevels() throws {
        folder.add("silent.mid", SongBytes.song([SongBytes.end]))
        let run = Program.run(["render", "silent.mid", "--json", "--instrument", "square-wave"], in: folder)
        let report = try object(run.output)
        #expect(report["peak"] == nil && report["loudness"] == nil)
        #expect(Self.remarks(in: report).first?.contains("no notes") == true)
    }

    @Test func notesThatCannotBeHeardAreSaid() throws {
        // A drum: the square wave plays none.
        folder.add("drum.mid", SongBytes.song([SongBytes.note(38, ticks: 480, channel: 9) + SongBytes.end]))
        let run = Program.run(["render", "drum.mid", "--instrument", "square-wave"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.errors.contains("drum.mid: its only note cannot be heard; look at --instrument"), "\(run.errors)")
        for options in [[], ["--quiet"]] {
            let strict = Program.run(
                ["render", "drum.mid", "--instrument", "square-wave", "--strict", "-o", "strict.wav"] + options, in: folder)
            #expect(strict.exitCode == 65 && strict.errorLines.count == 1, "\(strict.errors)")
            #expect(!folder.names.contains { $0.hasPrefix("strict.wav") })
        }
    }

    @Test func eachTrackIsToldToBeAsItStandsOrRecovered() throws {
        let sound = SongBytes.note(60, ticks: 480) + SongBytes.end
        folder.add("half.mid", SongBytes.song([sound, [0, 0xF8] + sound]))
        let report = try object(Program.run(["inspect", "half.mid", "--json"], in: folder).output)
        let tracks = try #require(report["tracks"] as? [[String: Any]])
        #expect(tracks.map { $0["reading"] as? String } == ["as it stands", "recovered"])
        #expect(tracks.map { $0["recoveredFrom"] as? Int } == [nil, 22 + sound.count + 8 + 1])
        let render = Program.run(["render", "half.mid", "--json", "--instrument", "square-wave"], in: folder)
        #expect(try object(render.output)["recoveredTracks"] as? [Int] == [2])
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
        // A song without a title, a loop or a SoundFont of its own has none; it was not measured.
        #expect(documented.subtracting(report.keys) == ["title", "loop", "bank", "bankFault", "measured"])
        #expect(report["reportVersion"] as? Int == 3)
        #expect(report["notes"] as? Int == 1)
        #expect(report["duration"] as? Double == 0.5)
        #expect((report["division"] as? [String: Int]) == ["ticksPerQuarter": 480])
    }

    @Test func theInspectionKnowsWhatIsWrittenBesideTheNotes() throws {
        let report = try object(Program.run(["inspect", "told.mid", "--json"], in: folder).output)
        #expect(report["title"] as? String == nil, "\"Piano\" is the second track's")
        func list(_ key: String) -> [[String: Any]] { report[key] as? [[String: Any]] ?? [] }
        #expect(list("tempos").map { $0["beatsPerMinute"] as? Double } == [100, 50])
        #expect(list("tempos").map { $0["time"] as? Double } == [0, 1.8])
        #expect(list("tempos").map { $0["bar"] as? Int } == [1, 2])
        #expect(list("timeSignatures").map { $0["numerator"] as? Int } == [3])
        #expect(list("timeSignatures").map { $0["denominator"] as? Int } == [4])
        #expect(list("keys").map { $0["key"] as? String } == ["E flat major"])
        #expect(list("keys").map { $0["sharps"] as? Int } == [-3])
        #expect(list("markers").map { $0["text"] as? String } == ["Verse"])
        #expect(list("lyrics").map { $0["text"] as? String } == ["Ding dong", "bell"])
        #expect(list("texts").map { $0["text"] as? String } == ["(c) nobody"])
        #expect(list("texts").map { $0["kind"] as? String } == ["copyright"])
        #expect(list("texts").map { $0["track"] as? Int } == [1])
        let text = Program.run(["inspect", "told.mid"], in: folder).text
        for line in [
            "told.mid: untitled,", "tempo: 100 (bar 1), 50 (bar 2)\n", "meter: 3/4 (bar 1)\n", "key: E flat major (bar 1)\n",
            "markers: Verse (bar 2)\n", "lyrics:\n  (bar 1) Ding dong\n  (bar 2) bell\n",
            "texts:\n  copyright, track 1: (c) nobody\n",
        ] {
            #expect(text.contains(line), "\(line) is not in \(text)")
        }
    }

    @Test func severalSongsAreShownOneAfterTheOther() throws {
        let text = Program.run(["inspect", "one.mid", "none.mid", "damaged.mid", "--full"], in: folder)
        #expect(text.exitCode == 66)
        #expect(text.errorLines.count == 1 && text.errors.contains("none.mid"))
        let shown = text.text.components(separatedBy: "\n\n")
        #expect(shown.count == 2 && shown[0].hasPrefix("one.mid: ") && shown[1].hasPrefix("damaged.mid: "))
        let json = Program.run(["inspect", "one.mid", "none.mid", "damaged.mid", "--json"], in: folder)
        #expect(json.exitCode == 66)
        let reports = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]])
        #expect(reports.map { $0["song"] as? String } == ["one.mid", "damaged.mid"])
        #expect(reports.map { $0["reportVersion"] as? Int } == [3, 3])
        let none = Program.run(["inspect", "none.mid", "nowhere.mid", "--json"], in: folder)
        #expect(none.exitCode == 66 && none.output.isEmpty && none.errorLines.count == 2)
    }

    @Test func theReportCountsTheNotesThatWerePlayed() throws {
        folder.add("two.mid", SongBytes.twoTracks)
        folder.add("row.mid", SongBytes.song([(0..<4).flatMap { _ in SongBytes.note(60, ticks: 480) } + SongBytes.end]))
        func notes(_ arguments: [String]) throws -> Int? {
            let run = Program.run(["render", "--json", "--force", "--instrument", "square-wave"] + arguments, in: folder)
            return try object(run.output)["notes"] as? Int
        }
        #expect(try notes(["two.mid"]) == 2)
        #expect(try notes(["two.mid", "--track", "2"]) == 1)
        #expect(try notes(["row.mid"]) == 4)
        #expect(try notes(["row.mid", "--max-duration", "1.25"]) == 3)
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
        let report = try object(run.output)
        let units = try #require(report["units"] as? [[String: Any]])
        #expect(Set(units[0].keys).union(report.keys) == (try documentedKeys(of: "units")))
    }

    @Test func numbersOfUnitsAreNumbers() throws {
        let report = try object(Program.run(["units", "soundfont", "--json"], in: folder).output)
        let unit = try #require((report["units"] as? [[String: Any]])?.first)
        let gain = try #require((unit["parameters"] as? [[String: Any]])?.first { $0["name"] as? String == "gain" })
        #expect(gain["low"] as? Double == 0 && gain["high"] as? Double == 10)
        #expect(gain["default"] as? Double == 0.2)
        #expect(gain["unit"] as? String == "ratio" && gain["rangeText"] as? String == "0 ... 10")
    }

    @Test func everyReportHasAVersion() throws {
        let font = Program.package + "/soundfonts/carillon.sf2"
        let reports = [
            ["render", "one.mid", "--json", "--tail", "exact"], ["inspect", "one.mid", "--json"],
            ["soundfont", font, "--json"], ["units", "--json"], ["latency", "--device", "null", "--json"],
        ]
        for arguments in reports {
            let report = try object(Program.run(arguments, in: folder).output)
            #expect(report["reportVersion"] as? Int == 3, "\(arguments)")
        }
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
                ["render", "one.mid", "--tail", "exact", "--force"] + arguments, in: folder, environment: environment)
            return run.errorLines.first { $0.hasPrefix("SoundFont") }
        }
        #expect(line([], [:]) == "SoundFont: \(own) (from $CARILLON_SOUNDFONT)")
        #expect(line(["--soundfont", own], [:]) == "SoundFont: \(own)")
        #expect(line(["--instrument", "square-wave"], [:]) == nil)
        let chosen = line([], ["CARILLON_SOUNDFONT": ""])
        let choice = SoundFontLocator().installed[0]
        #expect(chosen == "SoundFont: \(choice.path) (\(choice.origin.rawValue))")
    }

    /// A better one is named once, where the search has found a small one.
    @Test func aBetterSoundFontIsNamed() {
        let own = SoundFontLines(["embedded"], .embedded),
            better = "a better SoundFont: FluidR3 GM, apt-get install fluid-soundfont-gm"
        #expect(own.lines == ["SoundFont: embedded (carillon.sf2)", better])
        let small = SoundFontLines(["/a/TimGM6mb.sf2"], .installed)
        #expect(small.lines == ["SoundFont: /a/TimGM6mb.sf2 (the best that is installed)", better])
        #expect(small.line(gain: 12) == "gain: +12.0 dB (TimGM6mb)")
        #expect(SoundFontLines(["/a/TimGM6mb.sf2"], .named).lines == ["SoundFont: /a/TimGM6mb.sf2"])
        #expect(SoundFontLines(["/a/TimGM6mb.sf2"], .environment).lines.count == 1)
        #expect(SoundFontLines(["/a/FluidR3_GM.sf2"], .installed).lines.count == 1)
        #expect(SoundFontLines([], nil).lines.isEmpty)
    }

    @Test func withoutAFileTheSoundFontsAreListed() throws {
        let run = Program.run(["soundfont"], in: folder), lines = run.text.split(separator: "\n")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(lines.first == "SoundFont: \(Program.package)/soundfonts/carillon.sf2 (from $CARILLON_SOUNDFONT)")
        for font in KnownSoundFont.ranked {
            let line = lines.first { $0.hasPrefix("\(font.rank)  \(font.title) ") } ?? ""
            #expect(line.contains("\(font.licence) "), "\(font.title): \(run.text)")
        }
        let report = try object(Program.run(["soundfont", "--json"], in: folder).output)
        #expect(report["origin"] as? String == "environment" && report["better"] == nil)
        let gain = try #require(report["gain"] as? Double)
        #expect(lines.last?.hasSuffix("  \(SoundFontLines.decibels(gain))  embedded") == true, "\(run.text)")
        #expect((report["soundFonts"] as? [Any])?.count ?? 0 >= KnownSoundFont.ranked.count)
        let none = Program.run(["soundfont"], in: folder, environment: ["CARILLON_SOUNDFONT": "/none.sf2"])
        #expect(none.exitCode == 66 && none.errors.contains("/none.sf2"))
    }

    /// The packages that the program's own package suggests are the first of the table.
    @Test func thePackageSuggestsTheBestSoundFonts() {
        let text = String(decoding: bytes(Program.package + "/tools/packages.sh"), as: UTF8.self)
        let best = KnownSoundFont.ranked.prefix(2).compactMap(\.package).joined(separator: " ")
        #expect(text.contains("\nsoundfont_packages=(\(best))\n"))
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
