import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// What may be connected to what, and that a refused change leaves the graph as it was.
@Suite struct GraphEditingTests {
    private func graph() throws -> (graph: Graph, a: NodeID, b: NodeID, c: NodeID) {
        var graph = Graph(sampleRate: 48_000)
        let a = try graph.add(CountingUnit.self, name: "a")
        let b = try graph.add(CountingUnit.self, name: "b")
        let c = try graph.add(CountingUnit.self, name: "c")
        return (graph, a, b, c)
    }

    @Test func aConnectionExistsOnceAndCanBeTakenAway() throws {
        var (graph, a, b, _) = try graph()
        try graph.connect(a, to: b)
        #expect(throws: Fault.duplicateConnection(source: "a", destination: "b")) { try graph.connect(a, to: b) }
        #expect(graph.connections.count == 1)
        try graph.disconnect(a, from: b)
        #expect(graph.connections.isEmpty)
        #expect(throws: Fault.noSuchConnection(source: "a", destination: "b")) { try graph.disconnect(a, from: b) }
        try graph.connect(a, to: b)
        #expect(graph.connections.count == 1)
    }

    @Test func busesAreCheckedByNumber() throws {
        var (graph, a, b, _) = try graph()
        #expect(throws: Fault.noSuchBus(unit: "a", direction: "output", bus: 1, count: 1)) {
            try graph.connect(a, output: 1, to: b)
        }
        #expect(throws: Fault.noSuchBus(unit: "b", direction: "input", bus: -1, count: 1)) {
            try graph.connect(a, to: b, input: -1)
        }
        #expect(throws: Fault.noSuchBus(unit: "a", direction: "output", bus: 7, count: 1)) {
            try graph.setOutput(a, bus: 7)
        }
        #expect(graph.connections.isEmpty && graph.output == nil)
    }

    @Test func formatsOfAnEdgeMustAgree() throws {
        var (graph, a, _, _) = try graph()
        let mono = try graph.add(MonoUnit.self)
        let error = #expect(throws: Fault.self) { try graph.connect(a, to: mono) }
        #expect(error?.description.contains("2 channels do not fit a bus of 1") == true)
        #expect(error?.description.contains("a -> mono") == true)
    }

    @Test func namesAreUniqueAndIdentifiersAreNeverUsedTwice() throws {
        var (graph, a, b, c) = try graph()
        #expect(throws: Fault.duplicateName("a")) { try graph.add(CountingUnit.self, name: "a") }
        // Without a name of its own a unit gets its type's, numbered where that is taken.
        let type = CountingUnit.descriptor.name
        for _ in 0..<3 { try graph.add(CountingUnit.self) }
        #expect(graph.nodes.suffix(3).map(\.name) == [type, "\(type)-2", "\(type)-3"])
        try graph.remove(c)
        let d = try graph.add(CountingUnit.self, name: "c")
        #expect(d != c && Set([a, b, c, d]).count == 4)
        #expect(throws: Fault.unknownNode(c)) { try graph.connect(a, to: c) }
        #expect(graph.node(named: "c")?.id == d)
    }

    @Test func removingAUnitTakesItsConnectionsRoutesAndOutputAlong() throws {
        var (graph, a, b, c) = try graph()
        try graph.connect(a, to: b)
        try graph.connect(b, to: c)
        try graph.connect(a, to: c)
        try graph.route(part: 3, to: b)
        try graph.setOutput(b)
        try graph.remove(b)
        #expect(graph.connections.map(\.source) == [a] && graph.connections.map(\.destination) == [c])
        #expect(graph.routes.allSatisfy(\.isEmpty) && graph.output == nil)
    }

    @Test func aCircleIsRefusedAndNamed() throws {
        var (graph, a, b, c) = try graph()
        try graph.connect(a, to: b)
        try graph.connect(b, to: c)
        try graph.connect(c, to: a)
        try graph.setOutput(c)
        let error = #expect(throws: Fault.self) { try GraphCompiler.compile(graph) }
        #expect(error?.kind == .misfit)
        let names = (error?.sentence ?? "").split(separator: ": ").last?.split(separator: " -> ").map(String.init) ?? []
        #expect(Set(names) == ["a", "b", "c"] && names.first == names.last && names.count == 4)
        // The names follow the sound.
        for (from, to) in zip(names, names.dropFirst()) { #expect(["ab", "bc", "ca"].contains(from + to)) }
    }

    @Test func aUnitThatFeedsItselfIsACircle() throws {
        var (graph, a, _, _) = try graph()
        try graph.connect(a, to: a)
        try graph.setOutput(a)
        #expect(throws: Fault.cycle(["a", "a"])) { try GraphCompiler.compile(graph) }
    }

    @Test func aGraphNeedsAnOutput() throws {
        let graph = try graph().graph
        #expect(throws: Fault.noOutput) { try GraphCompiler.compile(graph) }
    }

    @Test func aPartIsHeardByAnyNumberOfUnits() throws {
        let rig = OfflineRig(channels: 1)
        var previous: NodeID?
        for n in 0..<40 {
            let stairs = try rig.add(StairsUnit.self, name: "stairs-\(n)")
            let sum = try rig.add(CountingUnit.self, name: "sum-\(n)")
            try rig.graph.connect(stairs, to: sum)
            if let previous { try rig.graph.connect(previous, to: sum) }
            try rig.graph.route(part: 0, to: stairs)
            try rig.graph.route(part: 0, to: stairs)
            previous = sum
        }
        if let previous { try rig.graph.setOutput(previous) }
        try rig.publish()
        #expect(rig.renderer.send(RenderCommand(time: .zero, node: nil, event: .music(.note()))))
        rig.render(10, block: 10)
        #expect(rig.recording[0] == [Float](repeating: 40, count: 10))
    }

    @Test func aChainOfTwoThousandUnitsCompilesAndSounds() throws {
        let rig = OfflineRig(maximumFrames: 16)
        var last = try rig.add(left: [0.25, 0.5], right: [1, 2])
        for n in 0..<2000 {
            let next = try rig.add(CountingUnit.self, name: "unit-\(n)")
            try rig.graph.connect(last, to: next)
            last = next
        }
        try rig.graph.setOutput(last)
        try rig.publish()
        rig.render(4, block: 4)
        #expect(rig.recording == [[0.25, 0.5, 0, 0], [1, 2, 0, 0]])
    }

    /// Each of the four shares is told of the buses of the sum.
    @Test func aUnitIsToldWhichOfItsBusesAreHeard() throws {
        let rig = OfflineRig()
        let unit = try UnitInstance.make(ChoirUnit.self, rig.setup())
        let choir = try rig.graph.add(unit)
        let through = try rig.add(CountingUnit.self)
        try rig.graph.route(part: 0, to: choir)
        try rig.graph.connect(choir, output: 0, to: through)
        try rig.graph.setOutput(through)
        func heard(_ events: [TimedMusicEvent] = []) throws -> Float? {
            try rig.publish()
            if !events.isEmpty { rig.renderer.play(Score(events)) }
            rig.render(9_600, block: 480)
            return unit.readout("heard-buses")
        }
        #expect(try heard((60..<64).map { TimedMusicEvent(time: .zero, event: .note(key: $0)) }) == 4)
        try rig.graph.connect(choir, output: 1, to: through)
        #expect(try heard() == 404)
        try rig.graph.disconnect(choir, output: 0, from: through)
        // As long as it fades out, too.
        #expect(try heard() == 404)
        #expect(try heard() == 400)
        #expect(rig.violations.total == 0)
    }
}
