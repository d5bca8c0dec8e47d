import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI

/// One channel goes up to many; every other difference of formats is refused.
@Suite struct MonoTests {
    private static let sine = (0..<8192).map { Float(DeterministicMath.sine(turns: Double($0) * 220 / 48_000)) }

    /// A source of one channel that plays `sine`.
    private func source(_ rig: OfflineRig) throws -> NodeID {
        try rig.graph.add(UnitInstance.boxing(MonoSource(Self.sine), rig.setup()))
    }

    /// Passes `channels` channels on.
    private func pass(_ rig: OfflineRig, channels: Int, name: String = "pass") throws -> NodeID {
        var descriptor = PassingUnit.descriptor
        descriptor.inputs = [.init("main", channels: channels)]
        descriptor.outputs = descriptor.inputs
        return try rig.graph.add(
            UnitInstance.boxing(PassingUnit(rig.setup()), rig.setup(), descriptor: descriptor), name: name)
    }

    @Test(arguments: [1, 2, 3, 8], [1, 64, 1000])
    func everyChannelOfAWiderBusIsABitExactCopy(_ channels: Int, _ block: Int) throws {
        let rig = OfflineRig(channels: 8), mono = try source(rig), wide = try pass(rig, channels: channels)
        try rig.graph.connect(mono, to: wide)
        try rig.graph.setOutput(wide)
        try rig.publish()
        rig.render(2000, block: block)
        for channel in 0..<8 {
            // What is wider than the graph's output is silent, but for one channel, which is everywhere.
            let isHeard = channel < channels || channels == 1
            #expect(rig.recording[channel] == (isHeard ? Array(Self.sine[..<2000]) : Array(repeating: 0, count: 2000)))
        }
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func theConnectionTells() throws {
        let rig = OfflineRig(), mono = try source(rig), one = try pass(rig, channels: 1, name: "one")
        let wide = try pass(rig, channels: 2)
        try rig.graph.chain(mono, one, wide)
        #expect(rig.graph.connections.map(\.conversion) == [.none, .monoToAll])
    }

    @Test func anOutputOfOneChannelIsHeardOnAllOfThem() throws {
        let rig = OfflineRig(channels: 2), mono = try source(rig)
        try rig.graph.setOutput(mono)
        try rig.publish()
        rig.render(1000, block: 64)
        #expect(rig.recording == [Array(Self.sine[..<1000]), Array(Self.sine[..<1000])])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test(arguments: [64, 1000]) func aDelayedEdgeDelaysEveryChannelAlike(_ block: Int) throws {
        let rig = OfflineRig(), mono = try source(rig), late = try rig.add(LateUnit.self)
        let sum = try pass(rig, channels: 2)
        try rig.graph.connect(mono, to: late)
        try rig.graph.connect(late, to: sum)
        try rig.graph.connect(mono, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.render(2000, block: block)
        let expected = (0..<2000).map { $0 < LateUnit.lag ? 0 : 2 * Self.sine[$0 - LateUnit.lag] }
        #expect(rig.recording == [expected, expected])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    /// Between a mono and a stereo sound that are the same, an edit changes nothing on any channel but rounding.
    @Test(arguments: [64, 1000]) func anEditCrossesFadesOnAllChannels(_ block: Int) throws {
        let rig = OfflineRig(), mono = try source(rig), wide = try pass(rig, channels: 2)
        try rig.graph.connect(mono, to: wide)
        try rig.graph.setOutput(wide)
        try rig.publish()
        rig.render(1000, block: block)
        // The way to the output becomes a mono one, then none of its own, then stereo again.
        let one = try pass(rig, channels: 1, name: "one")
        try rig.graph.insert(one, between: mono, and: wide)
        try rig.publish()
        rig.render(1000, block: block)
        try rig.graph.setOutput(one)
        try rig.publish()
        rig.render(1000, block: block)
        try rig.graph.setOutput(wide)
        try rig.publish()
        rig.render(1000, block: block)
        for channel in rig.recording {
            #expect(zip(channel, Self.sine).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func anEdgeThatGoesFadesOnAllChannels() throws {
        let rig = OfflineRig(), mono = try source(rig), wide = try pass(rig, channels: 2)
        try rig.graph.connect(mono, to: wide)
        try rig.graph.setOutput(wide)
        try rig.publish()
        rig.render(1000)
        try rig.graph.disconnect(mono, from: wide)
        try rig.publish()
        rig.render(1000)
        let slope: Float = 2 * .pi * 220 / 48_000
        #expect(rig.recording[0] == rig.recording[1])
        #expect(rig.recording[0][900..<1000].contains { abs($0) > 0.5 })
        #expect(rig.recording[0][1300...].allSatisfy { $0 == 0 })
        for (a, b) in zip(rig.recording[0], rig.recording[0].dropFirst()) { #expect(abs(a - b) < slope + 2.0 / 256) }
    }

    @Test(arguments: [(2, 1), (2, 3), (3, 2)]) func otherDifferencesAreRefused(_ widths: (from: Int, to: Int)) throws {
        let rig = OfflineRig(), from = try pass(rig, channels: widths.from, name: "from")
        let to = try pass(rig, channels: widths.to, name: "to")
        let error = try #require(throws: Fault.self) { try rig.graph.connect(from, to: to) }
        #expect(error.kind == .misfit)
        #expect("\(error)".contains("\(widths.from) channels do not fit a bus of \(widths.to); "))
    }

    /// A remedy of one's own.
    @Test func aCallbackBetweenThemGoesDown() throws {
        let rig = OfflineRig(), wide = try pass(rig, channels: 2), one = try pass(rig, channels: 1, name: "one")
        let down = try rig.graph.add(
            UnitInstance.callback("down", inputs: [2], outputs: [1], setup: rig.setup()) { _ in .silent })
        try rig.graph.chain(wide, down, one)
        #expect(rig.graph.connections.map(\.conversion) == [.none, .none])
    }

    @Test func aUnitOfAnotherRateIsRefused() throws {
        let rig = OfflineRig(), to = try pass(rig, channels: 2), setup = UnitSetup(sampleRate: 44_100, maximumFrames: 4096)
        let from = try rig.graph.add(UnitInstance.callback("slow", outputs: [1], setup: setup) { _ in .silent })
        let error = try #require(throws: Fault.self) { try rig.graph.connect(from, to: to) }
        #expect("\(error)".contains("rate"))
    }
}

/// Plays samples on one channel.
private struct MonoSource: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "mono", manufacturer: "Test"), name: "mono",
        summary: "Plays samples.", outputs: [.init("main", channels: 1)])

    private let samples: UnsafeMutableBufferPointer<Float>

    init(_ setup: UnitSetup) { self.init([]) }

    init(_ samples: [Float]) {
        self.samples = .allocate(capacity: samples.count)
        _ = self.samples.initialize(from: samples)
    }

    deinit { samples.deallocate() }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let output = io.output(0, 0)
        for i in 0..<io.frames { output[i] = samples[Int(io.sampleTime.rawValue) &+ i] }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// Passes its input on, as wide as its descriptor says.
private struct PassingUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "pass", manufacturer: "Test"), name: "pass",
        summary: "Changes nothing.", inputs: [.init("main")], outputs: [.init("main")])

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        for channel in 0..<io.outputChannels() {
            let input = io.input(0, channel), output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = input[i] }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}
