import CarillonTestKit
import RealtimeCore
import Testing
import UnitAPI

@testable import Graphs

/// Arguments that no graph can take are errors, and cost nothing.
@Suite struct GraphArgumentTests {
    private func callback(_ name: String, outputs: [Int] = [2]) -> UnitInstance {
        .callback(name, outputs: outputs, setup: UnitSetup(sampleRate: 48_000)) { _ in .silent }
    }

    private func name(of unit: UnitInstance, in graph: inout Graph) throws -> String {
        let id = try graph.add(unit)
        return try graph.node(id).name
    }

    @Test(arguments: [-1, 256, .max, .min]) func aPartThatIsNotThereIsRefused(_ part: Int) throws {
        var graph = Graph(sampleRate: 48_000)
        let unit = try graph.add(callback("a"))
        let error = #expect(throws: Fault.noSuchPart(part)) { try graph.route(part: part, to: unit) }
        #expect(error?.description.contains("choose 0 to 255") == true)
        graph.unroute(part: part, from: unit)
    }

    @Test(arguments: [-1, 65, .min, .max]) func aBusOfImpossibleWidthIsRefused(_ channels: Int) throws {
        var graph = Graph(sampleRate: 48_000)
        #expect(throws: Fault.channels(unit: "a", asked: channels)) { try graph.add(callback("a", outputs: [channels])) }
        #expect(graph.nodes.isEmpty)
        #expect(try name(of: callback("a"), in: &graph) == "a")
    }

    @Test(arguments: [(0, 1), (-5, 1), (1_000_000_000, 1 << 20), (512, 512)])
    func aSliceHasAPossibleLength(_ asked: Int, _ frames: Int) {
        #expect(Graph(sampleRate: 48_000, maximumFrames: asked).maximumFrames == frames)
    }

    @Test func aUnitOfAnotherGraphIsUnknown() throws {
        var first = Graph(sampleRate: 48_000), second = Graph(sampleRate: 48_000)
        let own = try first.add(callback("a")), other = try second.add(callback("a"))
        #expect(own.rawValue == other.rawValue && own != other)
        #expect(first.hasNamed(own) && !first.hasNamed(other) && !first.hasNamed(NodeID(rawValue: 0)))
        for change: (inout Graph) throws -> Void in [
            { try $0.remove(other) }, { try $0.connect(own, to: other) }, { try $0.setOutput(other) }, { try $0.bypass(other) },
            { try $0.route(part: 0, to: other) }, { try $0.leave(other) }, { try $0.setRole(nil, of: other) },
        ] {
            #expect(throws: Fault.unknownNode(other)) { try change(&first) }
        }
        // A copy goes on as the same graph.
        var copy = first
        try copy.remove(own)
        #expect(copy.hasNamed(own) && copy[own] == nil)
    }

    @Test func namesAreFoundWithoutLookingThroughAllUnits() throws {
        var graph = Graph(sampleRate: 48_000)
        let unit = callback("a")
        // Three loops over what is there would be 10^13 comparisons.
        for number in 1...20_000 {
            let id = try graph.add(callback("a"))
            if number % 5_000 == 1 { #expect(try graph.node(id).name == (number == 1 ? "a" : "a-\(number)")) }
        }
        try graph.remove(graph.nodes[9].id)
        try graph.rename(["a-3": "b"])
        #expect(try name(of: unit, in: &graph) == "a-3")
        #expect(try name(of: callback("a"), in: &graph) == "a-10")
        #expect(throws: Fault.duplicateName("a-3")) { try graph.add(callback("c"), name: "a-3") }
        #expect(throws: Fault.unitInUse("a-20001")) { try graph.add(unit) }
        #expect(throws: Fault.unitInUse("d")) { try graph.add(unit, name: "d") }
        #expect(try name(of: callback("a"), in: &graph) == "a-20001")
    }

    /// Changes of one graph are those of another that is the same, and of one that has more they leave the rest.
    @Test func aChangeIsMadeOnceMore() throws {
        var base = Graph(sampleRate: 48_000)
        let source = try base.add(callback("source")), spare = try base.add(callback("spare"))
        let mixer = try base.add(.callback("mixer", inputs: [2, 2], setup: base.setup) { _ in .silent })
        try base.connect(source, to: mixer[0])
        try base.setOutput(mixer)
        try base.route(part: 3, to: source)
        var changed = base
        try changed.remove(spare)
        let effect = try changed.add(.callback("effect", inputs: [2], setup: base.setup) { _ in .silent })
        try changed.append(effect)
        try changed.connect(source, to: mixer[1])
        try changed.route(part: 4, to: source)
        try changed.bypass(effect)
        #expect(facts(base.changed(from: base, to: changed)) == facts(changed))
        #expect(facts(changed.changed(from: changed, to: base)) == facts(base))
        // What another change has made meanwhile stays; what the change needs and is gone is left out.
        var other = base
        other.continueIdentifiers(of: changed)
        try other.remove(source)
        let late = try other.add(callback("late"))
        try other.connect(late, to: mixer[1])
        let both = other.changed(from: base, to: changed)
        #expect(both.nodes.map(\.name) == ["mixer", "late", "effect"])
        #expect(facts(both).edges == ["mixer[0]-effect[0]", "late[0]-mixer[1]"].sorted() && both.output?.node == effect)
        #expect(both.routes.allSatisfy(\.isEmpty) && both[effect]?.isBypassed == true)
    }

    private struct Facts: Equatable { var units: Set<String>, edges: [String], output: NodeID?, routes: [[NodeID]] }

    private func facts(_ graph: Graph) -> Facts {
        Facts(
            units: Set(graph.nodes.map { "\($0.name) \($0.isBypassed)" }),
            edges: graph.connections.map { edge in
                "\(graph[edge.source]?.name ?? "")[\(edge.sourceBus)]-\(graph[edge.destination]?.name ?? "")[\(edge.destinationBus)]"
            }.sorted(), output: graph.output?.node, routes: graph.routes)
    }
}

extension Graph {
    fileprivate var setup: UnitSetup { UnitSetup(sampleRate: sampleRate, maximumFrames: maximumFrames) }
}
