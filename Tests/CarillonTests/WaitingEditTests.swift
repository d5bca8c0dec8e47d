import Carillon
import CarillonTestKit
import Testing

/// Edits that wait for a time: others go first, and they can be taken back.
@Suite struct WaitingEditTests {
    /// A square wave that sounds, through a mixer.
    private struct Stage {
        let engine: Engine, square: NodeID, mixer: NodeID
        var sound: [Float] = []

        init(_ engine: Engine = Engine()) throws {
            self.engine = engine
            (square, mixer) = try engine.edit { graph in
                let square = try graph.add(SquareWave.self), mixer = try graph.add(MultichannelMixer.self, inputs: 4)
                try graph.connect(square, to: mixer[0])
                try graph.setOutput(mixer)
                return (square, mixer)
            }
            try engine.start(on: .offline)
            try engine.send(.noteOn(60), to: square)
        }

        mutating func render(_ frames: Int) throws {
            sound += try engine.render(frames: frames)[0]
            try engine.maintain()
        }

        var names: [String] { engine.graph.nodes.map(\.name) }
    }

    private func addLimiter(_ graph: inout Graph) throws { try graph.append(graph.add(Limiter.self)) }

    @Test func oneFarAwayBlocksNoOther() throws {
        var stage = try Stage(), plain = try Stage()
        try stage.render(1000)
        try plain.render(1000)
        try stage.engine.edit(at: SampleTime(.max)) { graph in try addLimiter(&graph) }
        #expect(stage.names.last == "limiter" && stage.engine.newestEdit == 2)
        for number in 0..<200 {
            for (engine, square, mixer) in [stage, plain].map({ ($0.engine, $0.square, $0.mixer) }) {
                try engine.edit { graph in
                    if number % 2 == 0 {
                        try graph.disconnect(square, from: mixer)
                    } else {
                        try graph.connect(square, to: mixer[0])
                    }
                }
            }
            try stage.render(700)
            try plain.render(700)
        }
        #expect(stage.sound == plain.sound && stage.sound.suffix(700).contains { abs($0) > 0.01 })
        #expect(stage.engine.takeReports().map(\.plan) == [1] + Array(3...202))
        #expect(try stage.engine.undo() && stage.names.last == "limiter", "the newest edit was another")
        #expect(try stage.engine.cancelEdit(2) && !stage.names.contains("limiter"))
        #expect(try !stage.engine.cancelEdit(2) && !stage.engine.cancelEdit(1) && !stage.engine.cancelEdit(99))
        try stage.render(700)
        #expect(try stage.engine.undo() && stage.names == plain.names)
    }

    @Test func editsHappenInTheOrderOfTheirTimesAndKeepTheirNumbers() throws {
        var stage = try Stage()
        let engine = stage.engine, mixer = stage.mixer
        try stage.render(100)
        try engine.edit(at: SampleTime(3000)) { graph in try addLimiter(&graph) }
        let delay = try engine.edit(at: SampleTime(2000)) { graph in
            let delay = try graph.add(Delay.self)
            try graph.insert(delay, between: mixer, and: try #require(graph.node(named: "limiter")).id)
            return delay
        }
        // It needs the limiter, which is not there before frame 3000; and the delay is on its way to be there then.
        try engine.edit { graph in try graph.bypass(delay) }
        try engine.edit(at: SampleTime(2000)) { graph in try graph.connect(graph.add(SquareWave.self), to: mixer[1]) }
        #expect(stage.names == ["square-wave", stage.names[1], "limiter", "delay", "square-wave-2"])
        for _ in 0..<50 { try stage.render(100) }
        #expect(
            engine.takeReports() == [
                PlanAdoption(plan: 1, time: .zero), PlanAdoption(plan: 4, time: SampleTime(100)),
                PlanAdoption(plan: 3, time: SampleTime(2000)), PlanAdoption(plan: 5, time: SampleTime(2000)),
                PlanAdoption(plan: 2, time: SampleTime(3000)),
            ])
        #expect(engine.graph.connections.count == 4 && engine.graph[delay]?.isBypassed == true)
        #expect(engine.renderer.counters.faults == 0)
    }

    @Test func oneThatWaitsIsTakenBackAndThoseAfterItGoOnWithoutIt() throws {
        var stage = try Stage()
        let engine = stage.engine
        try stage.render(100)
        try engine.edit(at: SampleTime(2000)) { graph in try addLimiter(&graph) }
        try engine.edit(at: SampleTime(3000)) { graph in try graph.append(graph.add(Delay.self)) }
        let (first, second) = (engine.newestEdit - 1, engine.newestEdit)
        // The delay hangs on the limiter.
        #expect(throws: Fault.editInUse(first)) { try engine.cancelEdit(first) }
        #expect(try engine.cancelEdit(second) && stage.names.last == "limiter")
        _ = try engine.edit(at: SampleTime(3000)) { graph in try graph.add(Delay.self) }
        #expect(try engine.cancelEdit(first) && engine.graph.output?.node == stage.mixer)
        #expect(stage.names.count == 3 && stage.names.last == "delay")
        for _ in 0..<40 { try stage.render(100) }
        #expect(engine.takeReports() == [PlanAdoption(plan: 1, time: .zero), PlanAdoption(plan: 4, time: SampleTime(3000))])
        #expect(try !engine.cancelEdit(4), "it has happened")
        #expect(try engine.undo() && stage.names.count == 2)
        #expect(try !engine.undo())
        #expect(stage.sound.suffix(500).contains { abs($0) > 0.01 })
    }

    @Test func undoCancelsWhatWaits() throws {
        var stage = try Stage()
        try stage.render(100)
        try stage.engine.edit(at: SampleTime(5000)) { graph in try addLimiter(&graph) }
        #expect(try stage.engine.undo() && stage.names.count == 2)
        for _ in 0..<60 { try stage.render(100) }
        #expect(stage.engine.takeReports().map(\.plan) == [1])
        #expect(try !stage.engine.undo())
        try stage.engine.edit { graph in try addLimiter(&graph) }
        try stage.render(100)
        #expect(stage.engine.takeReports().map(\.plan) == [3])
    }

    @Test func anEngineWithoutASoundYetWaitsForItsFirstGraph() throws {
        let engine = Engine()
        try engine.edit(at: SampleTime(.max)) { graph in try graph.setOutput(graph.add(SquareWave.self)) }
        try engine.edit { graph in try addLimiter(&graph) }
        try engine.start(on: .offline)
        _ = try engine.render(frames: 1000)
        #expect(engine.takeReports().isEmpty)
        #expect(throws: Fault.editInUse(1)) { try engine.cancelEdit(1) }
        #expect(try engine.cancelEdit(2) && engine.cancelEdit(1) && engine.graph.nodes.isEmpty)
        try engine.edit { graph in try graph.setOutput(graph.add(SquareWave.self)) }
        _ = try engine.render(frames: 1000)
        #expect(engine.takeReports() == [PlanAdoption(plan: 3, time: SampleTime(1000))])
    }

    @Test func anEditInAnEditIsRefused() throws {
        let stage = try Stage(), engine = stage.engine
        try engine.edit { graph in
            for nested: () throws -> Void in [
                { try engine.edit { graph in try graph.append(graph.add(Limiter.self)) } }, { try engine.undo() },
                { try engine.cancelEdit(1) }, { _ = try engine.tap(stage.mixer) },
            ] {
                #expect(throws: Fault.editInEdit) { try nested() }
            }
            try graph.append(graph.add(Delay.self))
        }
        #expect(throws: Fault.noOutput) { try engine.edit { graph in try graph.remove(graph.nodes[2].id) } }
        try engine.edit { graph in try addLimiter(&graph) }
        #expect(stage.names.suffix(2) == ["delay", "limiter"])
    }

    /// Each of twenty units is bypassed at a time of its own, some of that is taken back: the reports and the sound are those of
    /// the edits in the order of their times.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func anyOrderGivesTheSoundOfTheOrderOfTimes(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let edits = (0..<20).map { (unit: $0, time: 1000 + Int.random(in: 0..<20_000, using: &random)) }
        let cancelled = Set((0..<20).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        func play(_ edits: [(unit: Int, time: Int)], cancelling: Set<Int>, mixed: Bool) throws -> ([Float], [Int64]) {
            var stage = try Stage(Engine(maximumFrames: 512))
            let engine = stage.engine
            let units = try engine.edit { graph in
                try (0..<20).map { _ in
                    let unit = try graph.add(Chorus.self)
                    try graph.append(unit)
                    return unit
                }
            }
            try stage.render(500)
            try stage.render(400)
            for edit in edits {
                try engine.edit(at: SampleTime(Int64(edit.time))) { graph in try graph.bypass(units[edit.unit]) }
                let number = engine.newestEdit
                if mixed, edit.unit % 5 == 3 { try engine.edit { graph in try graph.route(part: edit.unit, to: units[0]) } }
                if cancelling.contains(edit.unit) { #expect(try engine.cancelEdit(number)) }
            }
            for _ in 0..<50 { try stage.render(512) }
            return (stage.sound, engine.takeReports().map(\.time.rawValue).filter { $0 >= 1000 })
        }
        let (sound, times) = try play(edits, cancelling: cancelled, mixed: true)
        let kept = edits.filter { !cancelled.contains($0.unit) }.sorted { $0.time < $1.time }
        let (expected, expectedTimes) = try play(kept, cancelling: [], mixed: false)
        #expect(times == expectedTimes)
        #expect(times == kept.map { Int64($0.time) })
        let difference = zip(sound, expected).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil, "frame \(difference?.offset ?? 0)")
    }
}
