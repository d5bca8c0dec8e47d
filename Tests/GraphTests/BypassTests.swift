import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI

/// Remembers its input for ever: what a bypassed unit would still ring with.
struct AddingUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "addi", manufacturer: "Test"), name: "adding",
        summary: "Plays the last sound it heard again and again.", inputs: [.init("main")],
        outputs: [.init("main"), .init("send")], tail: 1e9)

    private var held: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 {
            let input = io.input(0, channel), main = io.output(0, channel), send = io.output(1, channel)
            for i in 0..<io.frames {
                held = max(held, input[i])
                main[i] = held
                send[i] = 2
            }
        }
        return .sounding
    }

    @_noLocks mutating func reset() { held = 0 }
}

/// Sound is led around a unit, as late as the unit is.
@Suite struct BypassTests {
    private func sine(_ count: Int) -> [Float] {
        (0..<count).map { Float(DeterministicMath.sine(turns: Double($0) * 997 / 48_000)) }
    }

    @Test func aBypassedUnitPassesItsInputOnAsLateAsItIs() throws {
        let rig = OfflineRig(channels: 2), sound = sine(6000)
        let source = try rig.add(left: sound, right: sound.map { -$0 }, name: "source"), late = try rig.add(LateUnit.self)
        try rig.graph.chain(source, late)
        try rig.graph.setOutput(late)
        try rig.publish()
        rig.render(1000, block: 64)
        try rig.graph.bypass(late)
        try rig.publish()
        rig.render(2000, block: 64)
        try rig.clean()
        rig.render(1000, block: 64)
        try rig.graph.bypass(late, false)
        try rig.publish()
        rig.render(2000, block: 64)
        // A delay of 100 is the same as a delay of 100, but for the rounding of the fades.
        for n in 100..<6000 { #expect(abs(rig.recording[0][n] - sound[n - 100]) < 1e-5) }
        #expect(Array(rig.recording[0][2000..<4000]) == Array(sound[1900..<3900]))
        #expect(Array(rig.recording[1][2000..<4000]) == sound[1900..<3900].map { -$0 })
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    /// The way through the unit waits until the unit is full; an edit that leads past it and is undone on the same frame
    /// must not let it sound beside the way around.
    @Test func anEditThatIsUndoneAtOnceLeavesAWayThatWaitsWaiting() throws {
        let rig = OfflineRig(channels: 1), sound = [Float](repeating: 0.5, count: 8000)
        let source = try rig.add(left: sound, right: sound, name: "source"), counting = try rig.add(CountingUnit.self)
        try rig.graph.chain(source, counting)
        try rig.graph.setOutput(counting)
        try rig.graph.bypass(counting)
        try rig.publish()
        rig.render(3000, block: 100)
        try rig.graph.bypass(counting, false)
        try rig.publish()
        rig.render(100, block: 100)
        let before = rig.graph, other = try rig.add(left: sound, right: sound, name: "other")
        try rig.graph.setOutput(other)
        try rig.publish()
        rig.graph = before
        try rig.publish()
        rig.render(3000, block: 100)
        let steps = zip(rig.recording[0].dropFirst(3000), rig.recording[0].dropFirst(3001)).map { abs($1 - $0) }
        #expect(try #require(steps.max()) <= 3 * 2 * 0.5 / Float(GraphCompiler.fade))
        #expect(rig.recording[0].last == 0.5 && rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func itRestsAndStartsAfresh() throws {
        let rig = OfflineRig(channels: 1)
        let sound = [Float](repeating: 1, count: 1000) + [Float](repeating: 0.25, count: 9000)
        let source = try rig.add(left: sound, right: sound, name: "source")
        let adding = try rig.add(AddingUnit.self), counting = try rig.add(CountingUnit.self)
        try rig.graph.chain(source, adding, counting)
        try rig.graph.setOutput(counting)
        try rig.publish()
        rig.render(2000, block: 100)
        #expect(rig.recording[0][1500] == 1)
        try rig.graph.bypass(adding)
        try rig.graph.bypass(counting)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(rig.recording[0].suffix(500).allSatisfy { $0 == 0.25 })
        let calls = try rig.graph.node(counting).instance.readout("calls")
        // It is not rendered, but its parameters can be set.
        rig.set(CountingUnit.Parameter.factor, 2, of: counting, at: 3000)
        rig.render(1000, block: 100)
        #expect(try rig.graph.node(counting).instance.readout("calls") == calls)
        #expect(rig.renderer.counters.lostEvents == 0)
        try rig.graph.bypass(adding, false)
        try rig.graph.bypass(counting, false)
        try rig.publish()
        rig.render(2000, block: 100)
        #expect(rig.recording[0].suffix(1000).allSatisfy { $0 == 0.5 }, "what it held is forgotten, what it was told is not")
    }

    @Test func itsOtherOutputsAreSilentAndAnInstrumentPlaysOnUnheard() throws {
        let rig = OfflineRig(channels: 1), ones = [Float](repeating: 1, count: 9000)
        let source = try rig.add(left: ones, right: ones, name: "source"), adding = try rig.add(AddingUnit.self)
        let stairs = try rig.add(StairsUnit.self), sum = try rig.add(CountingUnit.self)
        try rig.graph.chain(source, adding, sum)
        try rig.graph.connect(adding[1], to: sum)
        try rig.graph.connect(stairs, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.send(.note(velocity: 4), to: stairs, at: 0)
        rig.render(1000, block: 100)
        #expect(rig.recording[0].last == 7)
        try rig.graph.bypass(adding)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(rig.recording[0].last == 5)
        try rig.graph.bypass(stairs)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(rig.recording[0].last == 1)
        rig.send(.note(velocity: 8), to: stairs, at: 0)
        try rig.clean()
        rig.render(1000, block: 100)
        #expect(rig.recording[0].last == 1)
        try rig.graph.bypass(stairs, false)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(rig.recording[0].last == 13)
        #expect(rig.renderer.counters.lostEvents == 0)
    }

    @Test func aUnitMayBeAddedBypassed() throws {
        let rig = OfflineRig(channels: 1), ones = [Float](repeating: 1, count: 9000)
        let source = try rig.add(left: ones, right: ones, name: "source"), late = try rig.add(LateUnit.self)
        try rig.graph.chain(source, late)
        try rig.graph.bypass(late)
        try rig.graph.setOutput(late)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(rig.recording[0][..<100].allSatisfy { $0 == 0 } && rig.recording[0][100...].allSatisfy { $0 == 1 })
        try rig.graph.bypass(late, false)
        try rig.publish()
        rig.render(2000, block: 100)
        #expect(rig.recording[0][100...].allSatisfy { abs($0 - 1) < 1e-5 })
    }

    @Test func aMixerHasNoMainInput() throws {
        var graph = Graph(sampleRate: 48_000)
        let mixer = try graph.add(ManyInputsUnit.self, inputs: 3)
        #expect(throws: Fault.notBypassable(unit: "many-inputs")) { try graph.bypass(mixer) }
        #expect(throws: Fault.unknownNode(NodeID(rawValue: 9))) { try graph.bypass(NodeID(rawValue: 9)) }
    }
}

/// Has as many inputs as it is asked for, and adds them up.
struct ManyInputsUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "many", manufacturer: "Test"), name: "many-inputs",
        summary: "Adds its inputs up.", inputs: [.init("main")], outputs: [.init("main")], repeatsLastInput: true)

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 {
            let output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = 0 }
            for b in 0..<io.inputCount {
                let input = io.input(b, channel)
                for i in 0..<io.frames { output[i] += input[i] }
            }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}
