import CarillonTestKit
import Glibc
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// Parameters take their time, along their curve, frame by frame; and everybody may ask where they go.
@Suite struct RampTests {
    /// Ones through a unit that multiplies by `factor`, 0...2, and adds `step`: what is heard is the parameters' way.
    private func rig(_ start: [String: Float] = [:]) throws -> (rig: OfflineRig, node: NodeID) {
        let rig = OfflineRig(), ones = [Float](repeating: 1, count: 10_000)
        let source = try rig.add(left: ones, right: ones)
        let node = try rig.add(CountingUnit.self, startValues: start)
        try rig.graph.connect(source, to: node)
        try rig.graph.route(part: 0, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        return (rig, node)
    }

    private func ramp(
        _ rig: OfflineRig, _ node: NodeID, to value: Float, over frames: Int, _ curve: RampCurve, at time: Int
    ) {
        let event = UnitEvent.ramp(index: 0, element: 0, value: value, frames: Int32(frames), curve: curve)
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(Int64(time)), node: node, event: event)))
    }

    /// Where a ramp from `a` to `b` over `n` frames is after `k`.
    private func way(_ curve: RampCurve, _ a: Double, _ b: Double, _ k: Int, _ n: Int) -> Double {
        let u = min(Double(k) / Double(n), 1)
        switch curve {
        case .linear: return a + (b - a) * u
        case .exponential: return a * pow(b / a, u)
        case .sShaped: return a + (b - a) * (3 * u * u - 2 * u * u * u)
        }
    }

    @Test(arguments: RampCurve.allCases, [1, 7, 64, 500, 4096]) func aRampKeepsToItsCurve(
        _ curve: RampCurve, _ block: Int
    ) throws {
        let (rig, node) = try rig(["factor": 0.01])
        ramp(rig, node, to: 1.9, over: 5000, curve, at: 777)
        rig.render(7000, block: block)
        let worst = (0..<7000).map { frame in
            abs(Double(rig.recording[0][frame]) / way(curve, 0.01, 1.9, max(frame - 777, 0), 5000) - 1)
        }.max()
        #expect(try #require(worst) < 3e-6)
        #expect(rig.recording[0][5777...].allSatisfy { $0 == 1.9 })
        #expect(rig.violations.total == 0, "\(rig.violations)")
        let (other, unit) = try self.rig(["factor": 0.01])
        ramp(other, unit, to: 1.9, over: 5000, curve, at: 777)
        other.render(7000, block: 333)
        #expect(other.recording == rig.recording, "the same bits in slices of any length")
    }

    @Test func anotherRampBeginsWhereTheFirstOneIs() throws {
        let (rig, node) = try rig(["factor": 0.5])
        ramp(rig, node, to: 2, over: 1000, .exponential, at: 100)
        ramp(rig, node, to: 0.25, over: 400, .sShaped, at: 600)
        rig.render(1200, block: 256)
        let turn = way(.exponential, 0.5, 2, 500, 1000)
        #expect(abs(turn - 1) < 1e-9)
        let wanted =
            (0..<500).map { way(.exponential, 0.5, 2, $0, 1000) }
            + (0..<600).map { way(.sShaped, turn, 0.25, $0, 400) }
        let worst = zip(rig.recording[0][100...], wanted).map { abs(Double($0) - $1) }.max()
        #expect(try #require(worst) < 3e-6)
    }

    @Test func noFramesMeanTheDeclaredDuration() throws {
        let (set, a) = try rig(), (ramped, b) = try rig()
        set.set(CountingUnit.Parameter.factor, 0.25, of: a, at: 50)
        ramp(ramped, b, to: 0.25, over: 0, .exponential, at: 50)
        set.render(2000)
        ramped.render(2000)
        #expect(ramped.recording == set.recording && set.recording[0][49] == 1 && set.recording[0][1999] == 0.25)
    }

    @Test func oneFrameIsAStep() throws {
        let (rig, node) = try rig()
        for (index, curve) in RampCurve.allCases.enumerated() {
            ramp(rig, node, to: 0.5 + 0.25 * Float(index), over: 1, curve, at: 10 * index)
        }
        rig.render(30)
        #expect(rig.recording[0] == (0..<30).map { $0 < 1 ? 1 : $0 < 11 ? 0.5 : $0 < 21 ? 0.75 : 1 })
    }

    @Test func whereThereIsNoRatioTheWayIsLinear() {
        for (from, to) in [(0, 1), (1, 0), (-1, 1), (1, -0.5), (Float(bitPattern: 7), 1), (1e-38, -1e38)] as [(Float, Float)] {
            var ramp = ParameterRamp(from), line = ParameterRamp(from)
            ramp.move(to: to, over: 100, along: .exponential)
            line.move(to: to, over: 100)
            for k in 0...101 { #expect(ramp[k] == line[k]) }
        }
        var negative = ParameterRamp(-100)
        negative.move(to: -1, over: 100, along: .exponential)
        #expect(abs(negative[50] + 10) < 1e-4 && negative[100] == -1)
    }

    @Test func theLongestRampStaysOnItsWay() {
        for curve in RampCurve.allCases {
            var ramp = ParameterRamp(20)
            ramp.move(to: 20_000, over: .max, along: curve)
            let length = Int(ParameterRamp.longest)
            for _ in 0..<length / 2 / 4096 { ramp.advance(4096) }
            #expect(abs(Double(ramp[0]) / way(curve, 20, 20_000, length / 2, length) - 1) < 3e-6)
            for _ in 0..<length / 2 / 4096 { ramp.advance(4096) }
            #expect(ramp.isSteady && ramp[4095] == 20_000)
        }
    }

    @Test func aRampOfAParameterThatIsNotThereIsLost() throws {
        let (rig, node) = try rig()
        let event = UnitEvent.ramp(index: 9, element: 0, value: 1, frames: 5, curve: .linear)
        #expect(rig.renderer.send(RenderCommand(time: .immediately, node: node, event: event)))
        rig.render(10)
        #expect(rig.renderer.counters.lostEvents == 1)
    }

    // MARK: What other threads may ask

    @Test func theTargetIsKnownWhoeverMovedIt() throws {
        let (rig, node) = try rig(["factor": 0.75])
        let parameters = try rig.graph.node(node).instance.parameters
        #expect(parameters.target(0) == 0.75 && parameters.target(1) == 0)
        rig.set(CountingUnit.Parameter.factor, 0.5, of: node, at: 100)
        rig.render(100)
        #expect(parameters.target(0) == 0.75, "sent, and not due yet")
        rig.render(1)
        #expect(parameters.target(0) == 0.5, "on its way")
        ramp(rig, node, to: 1.5, over: 10_000, .sShaped, at: 110)
        rig.render(10)
        #expect(parameters.target(0) == 1.5)
        for music in [MusicEvent.controller(7, 127), .controller(20, 64)] {
            #expect(rig.renderer.sendLive(TimedMusicEvent(time: .immediately, event: music)))
        }
        rig.render(1)
        #expect(parameters.target(0) == 2 && parameters.target(1) == 64)
        #expect(rig.renderer.sendLive(TimedMusicEvent(time: .immediately, event: .reset(.generalMIDI, port: 0))))
        rig.render(1)
        #expect(parameters.target(0) == 0.75 && parameters.target(1) == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func whetherAUnitIsAtRestIsKnown() throws {
        let rig = OfflineRig()
        let node = try rig.add(StairsUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        let unit = try rig.graph.node(node).instance
        #expect(!unit.isAtRest, "it has not said so yet")
        rig.render(64)
        #expect(unit.isAtRest)
        rig.send(.note(), to: node, at: 128)
        rig.render(64)
        #expect(unit.isAtRest, "not due yet")
        rig.render(64)
        #expect(!unit.isAtRest)
        #expect(rig.renderer.send(RenderCommand(time: .immediately, node: node, event: .reset)))
        rig.render(64, block: 16)
        #expect(unit.isAtRest)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }
}
