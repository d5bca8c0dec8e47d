import Carillon
import CarillonTestKit
import RealtimeCore
import Testing

/// Edits of a sounding engine: taken back, told of, and written without ceremony.
@Suite struct EngineEditTests {
    private func render(_ engine: Engine, _ frames: Int) -> [Float] {
        let buffer = AudioBuffer(channels: 2, capacity: 100)
        var sound: [Float] = []
        for _ in 0..<frames / 100 {
            _ = engine.renderer.render(into: AudioBlock(buffer.channels, channelCount: 2, frames: 100))
            sound += UnsafeBufferPointer(start: buffer.channels[0], count: 100)
        }
        return sound
    }

    @Test func aClosureOfSeveralStatementsNeedsNoAnnotation() throws {
        let engine = Engine()
        let square = try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            return square
        }
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try engine.edit { graph in
                try graph.remove(square)
                throw Refusal()
            }
        }
        #expect(engine.graph.nodes.map(\.id) == [square])
        // Where the type of error matters, it is there.
        do throws(Fault) {
            try engine.edit { (graph) throws(Fault) in try graph.remove(square) }
            Issue.record("a graph without an output was accepted")
        } catch {
            #expect(error == .noOutput)
        }
    }

    @Test func anEditIsToldOfOnItsFrameAndTakenBack() throws {
        let engine = Engine()
        let square = try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            try graph.route(part: 0, to: square)
            return square
        }
        #expect(try !engine.undo(), "an engine needs an output")
        try engine.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)))
        _ = render(engine, 1000)
        try engine.edit(at: SampleTime(1550)) { graph in
            let other = try graph.add(SquareWave.self, name: "other")
            try graph.replace(square, with: other)
        }
        #expect(engine.newestEdit == 2)
        let replaced = render(engine, 3000)
        #expect(replaced[..<500].contains { abs($0) > 0.01 } && replaced[1500...].allSatisfy { $0 == 0 })
        #expect(
            engine.takeReports() == [
                PlanAdoption(plan: 1, time: .zero), PlanAdoption(plan: 2, time: SampleTime(1550)),
            ])
        #expect(engine.takeReports().isEmpty)
        try engine.maintain()
        // The key is still held, and the voice goes on where it was left.
        #expect(try engine.undo())
        #expect(engine.newestEdit == 3 && engine.graph.nodes.map(\.name) == ["square-wave"])
        #expect(render(engine, 3000).suffix(1000).contains { abs($0) > 0.01 })
        try engine.maintain()
        // Identifiers are not handed out twice, not even after an undo.
        let next = try engine.edit { graph in try graph.add(Limiter.self) }
        #expect(next.rawValue == 2)
    }

    @Test func aForgottenHistoryKeepsNothing() throws {
        let engine = Engine()
        try engine.edit { graph in try graph.setOutput(graph.add(SquareWave.self)) }
        for n in 0..<100 {
            try engine.edit { graph in try graph.setOutput(graph.add(SquareWave.self, name: "square-\(n)")) }
            _ = render(engine, 1000)
        }
        weak let first = engine.graph.nodes.first?.instance
        #expect(first != nil)
        try engine.edit { graph in try graph.remove(graph.nodes[0].id) }
        _ = render(engine, 1000)
        try engine.maintain()
        _ = render(engine, 100)
        try engine.maintain()
        #expect(first != nil, "undo would bring it back")
        engine.forgetHistory()
        #expect(first == nil)
        #expect(try !engine.undo())
        var undone = 0
        for n in 0..<100 { try engine.edit { graph in try graph.setOutput(graph.nodes[n % 5].id) }; _ = render(engine, 1000) }
        while try engine.undo() {
            undone += 1
            _ = render(engine, 1000)
        }
        #expect(undone == Engine.historyLimit)
    }
}
