import CarillonTestKit
import Graphs
import Testing
import UnitAPI

/// Edits of several edges at once: bus numbers stay, and a refused one changes nothing.
@Suite struct GraphChainTests {
    private func edges(_ graph: Graph) -> Set<String> {
        func name(_ id: NodeID) -> String { graph.nodes.first { $0.id == id }?.name ?? "?" }
        return Set(
            graph.connections.map {
                "\(name($0.source))[\($0.sourceBus)]-\(name($0.destination))[\($0.destinationBus)]"
            })
    }

    private func graph() throws -> (graph: Graph, a: NodeID, b: NodeID, mixer: NodeID) {
        var graph = Graph(sampleRate: 48_000)
        let a = try graph.add(AddingUnit.self, name: "a"), b = try graph.add(CountingUnit.self, name: "b")
        let mixer = try graph.add(ManyInputsUnit.self, name: "mixer", inputs: 3)
        return (graph, a, b, mixer)
    }

    @Test func aChainEndsInTheBusThatIsNamed() throws {
        var (graph, a, b, mixer) = try graph()
        try graph.chain(a[1], b, mixer[2])
        #expect(edges(graph) == ["a[1]-b[0]", "b[0]-mixer[2]"])
        try graph.connect(a, to: mixer[0])
        try graph.connect(a[1], to: mixer[1])
        #expect(edges(graph).isSuperset(of: ["a[0]-mixer[0]", "a[1]-mixer[1]"]))
        #expect(throws: Fault.noSuchBus(unit: "mixer", direction: "input", bus: 3, count: 3)) {
            try graph.chain(b, mixer[1], mixer[3])
        }
        #expect(edges(graph).count == 4, "all or nothing")
    }

    @Test func anInsertedUnitKeepsTheBusNumbers() throws {
        var (graph, a, b, mixer) = try graph()
        try graph.connect(a[1], to: mixer[2])
        try graph.insert(b, between: a, and: mixer)
        #expect(edges(graph) == ["a[1]-b[0]", "b[0]-mixer[2]"])
        let mono = try graph.add(MonoUnit.self)
        #expect(throws: Fault.self) { try graph.insert(mono, between: b, and: mixer) }
        #expect(edges(graph) == ["a[1]-b[0]", "b[0]-mixer[2]"])
        #expect(throws: Fault.noSuchConnection(source: "a", destination: "mixer")) {
            try graph.insert(mono, between: a, and: mixer)
        }
    }

    @Test func oneOfSeveralConnectionsHasToBeNamed() throws {
        var (graph, a, b, mixer) = try graph()
        try graph.connect(a[0], to: mixer[0])
        try graph.connect(a[1], to: mixer[1])
        #expect(throws: Fault.severalConnections(source: "a", destination: "mixer", count: 2)) {
            try graph.insert(b, between: a, and: mixer)
        }
        try graph.insert(b, between: a[1], and: mixer[1])
        #expect(edges(graph) == ["a[0]-mixer[0]", "a[1]-b[0]", "b[0]-mixer[1]"])
    }

    @Test func aUnitLeavesNoGapBehindIfAskedTo() throws {
        var (graph, a, b, mixer) = try graph()
        let c = try graph.add(CountingUnit.self, name: "c")
        try graph.chain(a, b, mixer[1])
        try graph.connect(c, to: b)
        try graph.setOutput(b)
        #expect(throws: Fault.noSuccessor(unit: "b", sources: 2)) { try graph.removeClosingGap(b) }
        #expect(graph.nodes.count == 4)
        try graph.setOutput(mixer)
        try graph.removeClosingGap(b)
        #expect(edges(graph) == ["a[0]-mixer[1]", "c[0]-mixer[1]"])
        let d = try graph.add(CountingUnit.self, name: "d")
        try graph.append(d)
        #expect(graph.output?.node == d)
        try graph.removeClosingGap(d)
        #expect(graph.output?.node == mixer)
    }

    @Test func aReplacementTakesOverEdgesRoutesAndOutput() throws {
        var (graph, a, b, mixer) = try graph()
        try graph.chain(a, b, mixer[1])
        try graph.route(part: 7, to: b)
        let c = try graph.add(CountingUnit.self, name: "c"), mono = try graph.add(MonoUnit.self)
        try graph.setOutput(b)
        #expect(throws: Fault.self) { try graph.replace(b, with: mono) }
        #expect(edges(graph) == ["a[0]-b[0]", "b[0]-mixer[1]"])
        try graph.replace(b, with: c)
        #expect(edges(graph) == ["a[0]-c[0]", "c[0]-mixer[1]"])
        #expect(graph.routes[7] == [c] && graph.output?.node == c && graph.node(named: "b") == nil)
    }
}
