import Foundation
import TestFolders
import Testing

/// `carillon graph show`, as somebody calls it.
@Suite struct GraphCommandTests {
    private let folder = TemporaryFolder()

    init() { folder.add("one.mid", SongBytes.oneNote) }

    private func show(_ options: String...) -> ProgramRun {
        Program.run(["graph", "show", "one.mid", "--instrument", "square-wave"] + options, in: folder)
    }

    @Test func aSongIsDrawnAsText() {
        let run = show()
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text.hasPrefix("48 kHz, 6 units, 8 connections, latency "))
        for row in ["square-wave ", "strip-1 ", "  |~> reverb ", "  |-> mixer ", "  |-> output "] {
            #expect(run.text.split(separator: "\n").contains { $0.hasPrefix(row) }, "\(row) in\n\(run.text)")
        }
        #expect(show("--text").text.hasPrefix("48 kHz, 6 units"))
    }

    @Test func optionsChangeTheGraph() {
        #expect(show("--dry").text.hasPrefix("48 kHz, 4 units, 3 connections"))
        #expect(show("--set", "strip-1.gain=-3dB").exitCode == 0)
    }

    @Test func picturesAreWhatTheySay() {
        #expect(show("--dot").text.hasPrefix("digraph carillon {\n"))
        let svg = show("--svg").text
        #expect(svg.hasPrefix("<svg xmlns=") && svg.contains(">square-wave<") && svg.hasSuffix("</svg>\n"))
    }

    @Test func theReportHasTheDocumentedKeys() throws {
        let run = show("--json"), guide = Program.package + "/Sources/Carillon/Carillon.docc/Guides/ReportsAsJSON.md"
        let pages = String(decoding: bytes(guide), as: UTF8.self).components(separatedBy: "\n## ")
        let page = try #require(pages.first { $0.hasPrefix("carillon graph show --json") })
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(report["reportVersion"] as? Int == 3 && report["measuredSeconds"] as? Double ?? 0 > 0)
        let units = try #require(report["units"] as? [[String: Any]])
        let edges = try #require(report["edges"] as? [[String: Any]])
        for key in Set(report.keys).union(units[0].keys).union(edges[0].keys) where !key.hasPrefix("destinationBus") {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
        #expect(units.compactMap { $0["share"] as? Double }.count == units.count)
    }

    @Test func withoutASongItIsTheSessionsGraph() {
        let run = Program.run(["graph", "show", "--instrument", "square-wave"], in: folder)
        #expect(run.exitCode == 0 && run.text.contains("meter"), "\(run.errors)")
    }

    @Test func mistakesAreToldInOneLine() {
        for (arguments, code, text) in [
            (["graph", "show", "no.mid"], 66, "no.mid"), (["graph", "show", "--dot", "--svg"], 64, "--dot and --svg"),
            (["graph", "show", "one.mid", "--st", "x"], 64, "--st"), (["graph", "shwo"], 64, "shwo"),
            (["graph", "show", "one.mid", "--set", "reverb.decya=2"], 64, "decya"),
        ] as [([String], Int32, String)] {
            let run = Program.run(arguments, in: folder)
            #expect(run.exitCode == code && run.output.isEmpty, "\(arguments): \(run.errors)")
            #expect(run.errorLines.count == 1 && run.errors.contains(text), "\(run.errors)")
        }
    }
}
