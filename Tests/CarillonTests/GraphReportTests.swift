import Carillon
import CarillonTestKit
import Graphs
import Testing
import UnitAPI
import Units

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A graph as text, as Graphviz's language and as a drawing.
@Suite struct GraphReportTests {
    /// tone (mono) -> strip-1, strip-2, strip-3 -> mixer -> limiter -> output; strips send to a reverb.
    private static func engine() throws -> Engine {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
        try engine.edit { graph in
            let setup = UnitSetup(sampleRate: 48_000, maximumFrames: 512)
            let tone = try graph.add(
                UnitInstance.callback("tone", outputs: [1], setup: setup) { io in
                    let output = io.output(0, 0)
                    for i in 0..<io.frames { output[i] = 0.25 }
                    return .sounding
                }, role: .instrument)
            let reverb = try graph.add(Reverb.self, role: .send)
            let mixer = try graph.add(MultichannelMixer.self, name: "mixer", inputs: 5, role: .master)
            let limiter = try graph.add(Limiter.self, role: .master)
            for number in 1...3 {
                let strip = try graph.add(ChannelStrip.self, name: "strip-\(number)", role: .strip)
                try graph.connect(tone, to: strip)
                try graph.connect(strip, to: mixer[number - 1])
                try graph.connect(strip[1], to: reverb)
            }
            try graph.connect(reverb, to: mixer[3])
            try graph.connect(mixer, to: limiter)
            try graph.setOutput(limiter)
        }
        return engine
    }

    @Test func unitsStandFromTheSourcesToTheOutput() throws {
        let report = GraphReport(try Self.engine())
        #expect(report.units.map(\.name) == ["tone", "strip-1", "strip-2", "strip-3", "reverb", "mixer", "limiter"])
        #expect(report.columns == [0, 1, 1, 1, 2, 3, 4])
        #expect(report.output?.unit == "limiter" && report.output?.channels == 2)
    }

    @Test func edgesTellTheirFormatAndTheConversion() throws {
        let report = GraphReport(try Self.engine())
        #expect(report.edges.count == 11)
        let first = try #require(report.edges.first)
        #expect(first.source == "tone" && first.channels == 1 && first.destinationChannels == 2)
        #expect(first.conversion == .monoToAll && first.sampleRate == 48_000 && first.format == "mono to stereo")
        #expect(report.edges.dropFirst().count { $0.conversion == .monoToAll } == 2)
        #expect(report.edges.count { $0.isSend } == 3)
    }

    @Test func theLatencyIsThatOfThePlan() throws {
        let engine = try Self.engine()
        let limiter = try #require(engine.graph.node(named: "limiter"))
        #expect(GraphReport(engine).latency == limiter.instance.latency && limiter.instance.latency > 0)
        // A late unit in one way of several holds the others back.
        try engine.edit { graph in
            let late = try graph.add(Limiter.self, name: "late")
            let strip = try #require(graph.node(named: "strip-1")).id
            let mixer = try #require(graph.node(named: "mixer")).id
            try graph.insert(late, between: strip, and: mixer)
        }
        let report = GraphReport(engine), lag = limiter.instance.latency
        #expect(report.latency == 2 * lag)
        #expect(report.edges.filter { $0.destination == "mixer" }.map(\.delay).sorted() == [0, lag, lag, lag])
    }

    @Test func sharesAddUpToOne() throws {
        let engine = try Self.engine()
        #expect(GraphReport(engine).units.allSatisfy { $0.share == nil })
        for node in engine.graph.nodes { node.instance.measureTime() }
        let output = try engine.offlineOutput()
        for _ in 0..<8 { output.pull(512) }
        let shares = GraphReport(engine).units.compactMap(\.share)
        #expect(shares.count == 7 && abs(shares.reduce(0, +) - 1) < 1e-9)
    }

    @Test func theDrawingShowsWaysAndSends() throws {
        let text = GraphReport(try Self.engine()).text(width: 80)
        for row in [
            "tone", "strip-1 ... strip-3", "  |-> strip-1 ... strip-3", "  |-> mixer", "  |~> reverb", "  |-> limiter",
            "  |-> output",
        ] { #expect(text.split(separator: "\n").contains { $0.hasPrefix(row) }, "\(row) in\n\(text)") }
        #expect(text.contains("mono to stereo") && text.contains("reverb-send, stereo"))
    }

    @Test func aWayIntoASideChainIsNamed() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
        try engine.edit { graph in
            let first = try graph.add(Noise.self, name: "pad"), second = try graph.add(Noise.self, name: "bass")
            let compressor = try graph.add(Compressor.self)
            try graph.connect(first, to: compressor)
            try graph.connect(second, to: compressor[1])
            try graph.setOutput(compressor)
        }
        let lines = GraphReport(engine).text(width: 80).split(separator: "\n").filter { $0.contains("|-> compressor") }
        #expect(lines.count == 2 && lines.count { $0.hasSuffix("stereo, into key") } == 1, "\(lines)")
    }

    @Test(arguments: [30, 40, 80, 140]) func noLineIsWiderThanTheTerminal(_ width: Int) throws {
        let text = GraphReport(try Self.engine()).text(width: width)
        for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
    }

    @Test func graphvizGetsEveryUnitAndEdge() throws {
        let dot = GraphReport(try Self.engine()).dot
        #expect(dot.hasPrefix("digraph carillon {") && dot.hasSuffix("}"))
        #expect(dot.contains("\"strip-2\" -> \"reverb\" [label=\"reverb-send -> main\\nstereo\", style=dashed];"))
        #expect(dot.split(separator: "\n").count { $0.contains("\" -> \"") } == 12)
    }

    @Test func namesMayHoldWhatTheLanguagesQuote() throws {
        let engine = Engine()
        try engine.edit { graph in
            let setup = UnitSetup(sampleRate: 48_000, maximumFrames: 4096)
            try graph.setOutput(
                try graph.add(UnitInstance.callback("a\"<&>\\b", outputs: [2], setup: setup) { _ in .silent }))
        }
        let report = GraphReport(engine)
        #expect(report.dot.contains("\"a\\\"<&>\\\\b\""))
        #expect(report.svg.contains(">a&quot;&lt;&amp;&gt;\\b<"))
    }

    /// No line passes a box but at its ends, and no two boxes touch.
    @Test func linesOfTheDrawingRunBetweenTheBoxes() throws {
        let report = GraphReport(try Self.engine())
        let drawing = GraphDrawing(report) { slot in if case .passage = slot { (0, 20) } else { (120, 60) } }
        let frames = drawing.frames.map(\.value)
        for (a, b) in frames.enumerated().flatMap({ i, a in frames.dropFirst(i + 1).map { (a, $0) } }) {
            let apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
            #expect(apart, "\(a) \(b)")
        }
        for line in drawing.lines {
            for frame in frames { #expect(frame.x + frame.width <= line.start.x || line.end.x <= frame.x) }
        }
        #expect(report.svg.components(of: "<path class=\"line").count == drawing.lines.count + 1)
    }

    @Test func aGraphWithoutAnythingIsDrawnToo() {
        let report = GraphReport(Engine())
        #expect(report.text() == "48 kHz, 0 units, 0 connections, no output")
        #expect(report.svg.hasSuffix("</svg>") && report.dot.hasSuffix("}"))
    }
}

extension String {
    /// The places of `part`.
    fileprivate func components(of part: String) -> [Range<String.Index>] { ranges(of: part) }
}
