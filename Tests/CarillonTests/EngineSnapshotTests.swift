import Carillon
import Testing

/// An engine as a value.
@Suite struct EngineSnapshotTests {
    private func engine() throws -> (Engine, square: NodeID, limiter: NodeID) {
        let engine = Engine()
        let (square, limiter) = try engine.edit { graph in
            let square = try graph.add(SquareWave.self, name: "tone", role: .instrument)
            let reverb = try graph.add(Reverb.self)
            let limiter = try graph.add(Limiter.self, startValues: ["ceiling": -3])
            try graph.chain(square, reverb, limiter)
            try graph.setOutput(limiter)
            try graph.route(part: 0, to: square)
            return (square, limiter)
        }
        try engine.start(on: .offline)
        return (engine, square, limiter)
    }

    @Test func itSaysWhatTheUnitsSay() throws {
        let (engine, square, limiter) = try engine()
        try engine.send(.noteOn(60), at: nil)
        _ = try engine.render(frames: 9600)
        let snapshot = engine.snapshot
        #expect(snapshot.sampleTime == SampleTime(9600) && snapshot.seconds == 0.2)
        #expect(snapshot.counters == engine.renderer.counters)
        #expect(snapshot.units.map(\.name) == ["tone", "reverb", "limiter"])
        let tone = try #require(snapshot[unit: "tone"])
        #expect(tone.component == "square-wave" && tone.role == .instrument && !tone.isAtRest && !tone.isBypassed)
        #expect(tone.faults == 0 && tone.load == nil && snapshot.load == nil)
        let last = try #require(snapshot[unit: "limiter"]), instance = try engine.graph.node(limiter).instance
        #expect(last.latency == instance.latency && instance.latency > 0 && snapshot.latency == instance.latency)
        #expect(last.parameters["ceiling"] == [-3])
        for name in instance.descriptor.readouts { #expect(last.readouts[name] == instance.readout(name)) }
        #expect(snapshot.tail == engine.graph.nodes.map(\.instance.descriptor.tail).max())
        // A unit that is passed by has no latency that counts.
        try engine.edit { graph in try graph.bypass(limiter) }
        try engine.edit { graph in try graph.bypass(square) }
        #expect(engine.snapshot.units.map(\.isBypassed) == [true, false, true])
        #expect(try engine.snapshot.latency == engine.graph.latency)
        #expect(Engine().snapshot.units.isEmpty && Engine().snapshot.latency == 0)
    }

    @Test func loadsAreThoseSinceTheLastLookAlsoOfUnitsThatCameLater() throws {
        let (engine, _, limiter) = try engine()
        _ = try engine.render(frames: 480)
        // Turned on while it renders.
        engine.measuresLoad = true
        #expect(engine.snapshot.load == nil, "nothing has been rendered since")
        try engine.send(.noteOn(60))
        _ = try engine.render(frames: 4800)
        try engine.edit { graph in
            let meter = try graph.add(PeakMeter.self)
            try graph.connect(limiter, to: meter)
        }
        _ = try engine.render(frames: 4800)
        let snapshot = engine.snapshot
        let load = try #require(snapshot.load), loads = snapshot.units.compactMap(\.load)
        #expect(loads.count == 4 && loads.allSatisfy { $0 > 0 })
        #expect(loads.reduce(0, +) <= load, "units are rendered within the whole")
        let total = engine.renderer.renderTime
        #expect(load == Double(total) / (9600 / 48_000 * 1e9))
        // Only what has come since.
        _ = try engine.render(frames: 480)
        let next = try #require(engine.snapshot.load)
        #expect(next == Double(engine.renderer.renderTime - total) / (480 / 48_000 * 1e9))
        engine.measuresLoad = false
        _ = try engine.render(frames: 480)
        #expect(engine.snapshot.load == nil && engine.snapshot.units.allSatisfy { $0.load == nil })
    }

    @Test func measuringChangesNoSample() throws {
        func sound(_ isMeasured: Bool) throws -> [[Float]] {
            let (engine, _, _) = try engine()
            engine.measuresLoad = isMeasured
            try engine.send(.noteOn(60))
            return try engine.render(frames: 20_000)
        }
        #expect(try sound(true) == sound(false))
    }
}
