import Carillon
import Testing

/// A patch as a part of a graph.
@Suite struct NestedPatchTests {
    /// A square wave of part 3 through a limiter; the limiter's input and output are the patch's.
    private var lead: Patch {
        var patch = Patch()
        patch.units = [PatchUnit("tone", "square-wave", role: .instrument), PatchUnit("limiter", "limiter")]
        patch.units[0].parts.insert(3)
        patch.units[1].values = ["ceiling": [-6]]
        patch.connections = [PatchConnection(PatchPort("tone"), to: PatchPort("limiter"))]
        patch.inputs = [PatchPort("limiter")]
        patch.outputs = [PatchPort("limiter")]
        return patch
    }

    @Test func itsUnitsComeWithTheirEdgesPartsAndValues() throws {
        let engine = Engine()
        let part = try engine.edit { graph in
            let part = try graph.add(patch: self.lead, name: "lead")
            try graph.setOutput(part.outputs[0].node, bus: part.outputs[0].index)
            return part
        }
        #expect(engine.graph.nodes.map(\.name) == ["lead.tone", "lead.limiter"])
        let tone = try #require(part["tone"]), limiter = try #require(part["limiter"])
        #expect(part.inputs == [limiter.bus] && part.outputs == [limiter.bus] && part["echo"] == nil)
        #expect(engine.graph.routes[3] == [tone])
        #expect(try engine.graph.node(tone).role == .instrument)
        #expect(try engine.value("lead.limiter.ceiling") == -6)
        #expect(engine.graph.connections.map { [$0.source, $0.destination] } == [[tone, limiter]])
        // The engine says it as a patch inside, and makes the same of it.
        let patch = engine.patch
        #expect(patch.units.isEmpty && patch.patches.map(\.name) == ["lead"])
        #expect(try Engine(patch: patch).patch == patch)
        try engine.start(on: .offline)
        try engine.send(.noteOn(60, channel: 4))
        #expect(try engine.render(frames: 4800)[0].contains { $0 != 0 })
    }

    @Test func aPatchOfPatchesHasTheirNames() throws {
        var band = Patch()
        band.patches = [SubPatch("lead", lead)]
        band.outputs = [PatchPort("lead")]
        var graph = Graph(sampleRate: 48_000)
        let part = try graph.add(patch: band, name: "band")
        #expect(graph.nodes.map(\.name) == ["band.lead.tone", "band.lead.limiter"])
        #expect(part.units.keys.sorted() == ["lead.limiter", "lead.tone"])
        #expect(part.outputs == [try #require(part["lead.limiter"]).bus])
    }

    @Test func whatIsWrongChangesNothing() throws {
        var graph = Graph(sampleRate: 48_000)
        try graph.add(patch: lead, name: "lead")
        #expect(throws: Fault.duplicateName("lead")) { try graph.add(patch: self.lead, name: "lead") }
        #expect(throws: Fault(PatchError.badName("a.b"))) { try graph.add(patch: self.lead, name: "a.b") }
        var wrong = lead
        wrong.units[1].values = ["nosuch": [1]]
        #expect(throws: Fault.self) { try graph.add(patch: wrong, name: "other") }
        #expect(graph.nodes.map(\.name) == ["lead.tone", "lead.limiter"] && graph.connections.count == 1)
    }
}
