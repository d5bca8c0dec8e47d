import Carillon
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A loop is a patch like any other: read, nested, drawn, edited while it sounds, and rendered to its end.
@Suite struct LoopPatchTests {
    private static let text = """
        version: 1
        units:
          tone: {unit: square-wave, role: instrument, parts: 1}
          desk: {unit: multichannel-mixer, inputs: 2}
          dark: {unit: filter}
          loop: {unit: feedback, gain: -3 dB}
        connections:
          - tone -> desk -> dark -> loop
          - loop -> desk[1]
        outputs: desk
        """

    private static func patch() throws -> Patch {
        try PatchFile(text: text, path: "loop.yaml", units: UnitCatalog.entries).playable()
    }

    @Test func aLoopIsReadAndSaidAgain() throws {
        let engine = try Engine(patch: Self.patch())
        #expect(engine.patch.connections == (try Self.patch().connections))
        #expect(try engine.value("loop.gain") == -3)
        let text = try PatchFile.text(of: engine.patch, units: UnitCatalog.entries)
        #expect(try PatchFile(text: text, units: UnitCatalog.entries).patch == engine.patch)
    }

    @Test func aLoopInsideAPatchIsALoopToo() throws {
        var outer = Patch()
        outer.patches = [SubPatch("dub", try Self.patch())]
        outer.outputs = [PatchPort("dub")]
        let engine = try Engine(patch: outer)
        #expect(engine.graph.nodes.map(\.name) == ["dub.tone", "dub.desk", "dub.dark", "dub.loop"])
        #expect(engine.patch.patches.map(\.name) == ["dub"])
    }

    @Test func theWayBackIsDrawnUnderTheOthers() throws {
        let report = GraphReport(try Engine(patch: Self.patch()))
        #expect(report.units.map(\.name) == ["tone", "loop", "desk", "dark"])
        #expect(report.columns == [0, 0, 1, 2])
        let drawing = GraphDrawing(report) { _ in (100, 40) }
        let back = drawing.backward.map { "\(report.edges[$0].source) -> \(report.edges[$0].destination)" }
        #expect(back == ["dark -> loop"])
        #expect(report.latency == 0 && report.edges.allSatisfy { $0.delay == 0 })
        #expect(report.text().contains("|-> loop") && report.dot.contains("\"dark\" -> \"loop\""))
        #expect(report.svg.contains("loop"))
    }

    @Test func anEditByAPatchLeavesWhatGoesAroundAlone() throws {
        let patch = try Self.patch()
        var quiet = patch
        quiet[unit: "tone"]?.values["release"] = [0.01]
        let engine = try Engine(patch: quiet), instance = try #require(engine.graph.node(named: "loop")).instance
        try engine.start(on: .offline)
        var other = quiet
        other.units.append(PatchUnit("room", "reverb"))
        other.connections.append(PatchConnection(PatchPort("tone"), to: PatchPort("room")))
        try engine.apply(other)
        #expect(engine.graph.node(named: "loop")?.instance === instance)
        other.connections.removeAll { $0.to.unit == "loop" || $0.from.unit == "loop" }
        other.units.removeAll { $0.name == "loop" }
        try engine.apply(other)
        #expect(engine.graph.node(named: "loop") == nil)
    }

    @Test func aSongThroughALoopEndsWhenTheLoopHasDiedAway() throws {
        let note: [(tick: Int64, kind: SongEvent.Kind)] = [
            (0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))),
            (240, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))),
        ]
        var seconds: [Double] = []
        for gain in [-12, -4] as [Float] {
            var patch = try #require(PatchExample.named("dub-loop")).patch
            patch[unit: "loop"]?.values["gain"] = [gain]
            var options = RenderOptions()
            options.patch = patch
            let (samples, _, seen) = try RenderedSong.render(RenderedSong.song(note), options)
            #expect(seen.isEmpty, "\(seen)")
            seconds.append(Double(samples[0].count) / Double(options.sampleRate))
        }
        #expect(seconds[0] > 1.5 && seconds[0] + 2 < seconds[1] && seconds[1] < 40, "\(seconds)")
    }
}
