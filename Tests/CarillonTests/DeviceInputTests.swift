import Carillon
import Glibc
import RemoteIO
import Testing

@testable import EngineCore
@testable import Sessions

/// Element 1 in the graph: what a device captures comes out of it, at a latency that is told.
@Suite struct DeviceInputTests {
    private func engine(_ sampleRate: Double = 48_000, inputs: Int = 1) throws -> (Engine, [NodeID]) {
        let engine = Engine(sampleRate: sampleRate)
        let nodes = try engine.edit { (graph) throws(Fault) in
            var nodes: [NodeID] = []
            for number in 0..<inputs { nodes.append(try graph.add(DeviceInput.self, name: "input-\(number)")) }
            try graph.setOutput(nodes[0])
            return nodes
        }
        return (engine, nodes)
    }

    private func sine(_ frame: Int, _ channel: Int) -> Float {
        Float(sin(2 * .pi * 440 * Double(frame) / 48_000)) / Float(channel + 2)
    }

    @Test(arguments: [(64, 2), (128, 3), (1_000, 4)]) func aSineComesBackAfterTheLatencyThatIsTold(
        _ period: Int, _ periods: Int
    ) throws {
        let (engine, nodes) = try engine(), port = SimulatedPort()
        port.captures = sine
        let grant = try engine.start(on: .simulated(port, period: period, periods: periods))
        #expect(grant.captureChannels == 2)
        #expect(engine.inputLatency == period * (periods + 1))
        port.advance(frames: 20_000)
        let latency = engine.inputLatency
        for channel in 0..<2 {
            let heard = port.played[channel]
            #expect(heard[..<latency].allSatisfy { $0 == 0 })
            #expect(Array(heard[latency...]) == (0..<heard.count - latency).map { sine($0, channel) })
        }
        #expect(try engine.readout("missing-frames", of: nodes[0]) == 0)
    }

    @Test func withoutADeviceAnInputIsSilent() throws {
        let (engine, _) = try engine()
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 10_000).allSatisfy { $0.allSatisfy { $0 == 0 } })
        #expect(engine.inputLatency == 0)
    }

    @Test func anInputIsSilentAgainAfterTheDevice() throws {
        let (engine, _) = try engine(), port = SimulatedPort()
        port.captures = sine
        try engine.start(on: .simulated(port))
        port.advance(frames: 10_000)
        try engine.stop()
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 10_000)[0].allSatisfy { $0 == 0 })
        try engine.stop()
        try engine.start(on: .simulated(port))
        port.advance(frames: 10_000)
        let latency = engine.inputLatency
        #expect(Array(port.played[0][latency...]) == (0..<port.played[0].count - latency).map { sine($0, 0) })
    }

    @Test func aGraphHasOneInputAndOneRate() throws {
        let (two, _) = try engine(inputs: 2)
        #expect(throws: Fault.severalInputs(count: 2)) { try two.start(on: .simulated(SimulatedPort())) }
        let (other, _) = try engine(44_100)
        #expect(throws: Fault(DeviceError.inputRate(device: "simulated", rate: 48_000, renderer: 44_100))) {
            try other.start(on: .simulated(SimulatedPort(sampleRate: 48_000)))
        }
    }

    @Test func anotherDevicesLatencyIsToldAnew() throws {
        let (engine, _) = try engine(), moved = MovedPort()
        moved.port.captures = sine
        let request = DeviceRequest(devices: ["simulated"], periodFrames: 128, periods: 2)
        try engine.start(on: DeviceChoice(moved, request))
        moved.port.advance(frames: 12_800)
        let before = engine.inputLatency
        #expect(before == 3 * 128)
        moved.more = 512
        moved.port.advance(frames: 12_800)
        #expect(engine.inputLatency == before + 512)
        let heard = moved.port.played[0]
        // From a period after the change on it comes as late as the new device hears.
        for frame in 14_000..<25_600 { #expect(heard[frame] == sine(frame - before - 512, 0), "frame \(frame)") }
        moved.more = nil
        moved.port.advance(frames: 12_800)
        #expect(engine.inputLatency == 0)
        #expect(moved.port.played[0].suffix(12_000).allSatisfy { $0 == 0 })
    }

    @Test func aSessionTellsTheLatencyOfAnotherDevice() throws {
        let moved = MovedPort()
        moved.port.captures = sine
        var options = LiveOptions()
        options.ports = 0
        (options.device.period, options.device.periods) = (128, 2)
        var patch = Patch()
        (patch.units, patch.outputs) = ([PatchUnit("input", "input")], [PatchPort("input")])
        options.patch = patch
        let session = try Session(options, on: moved)
        try session.start()
        for _ in 0..<20 {
            moved.port.advance(seconds: 0.01)
            try session.maintain()
        }
        #expect(session[CardPart.self]!.feeds.input?.latency == 3 * 128)
        moved.more = 512
        try session.maintain()
        #expect(session[CardPart.self]!.feeds.input?.latency == 3 * 128 + 512)
        try session.finish()
    }

    @Test(arguments: [1, 3, 6, 8]) func asManyChannelsAreCapturedAsTheUnitHas(_ channels: Int) throws {
        let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
        let input = try engine.edit { (graph) throws(Fault) in
            let input = try graph.add(DeviceInput.self, properties: ["channels": .integer(channels)])
            try graph.setOutput(input)
            return input
        }
        port.captures = sine
        let grant = try engine.start(on: .simulated(port, channels: channels))
        #expect(grant.captureChannels == channels)
        #expect(try engine.layout(of: input) == (channels == 1 ? .mono : nil))
        port.advance(frames: 10_000)
        let latency = engine.inputLatency
        for channel in 0..<channels {
            let heard = port.played[channel]
            #expect(Array(heard[latency...]) == (0..<heard.count - latency).map { sine($0, channel) })
        }
        #expect(try engine.readout("missing-frames", of: input) == 0)
    }
}
