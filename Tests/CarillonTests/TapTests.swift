import Carillon
import CarillonTestKit
import RemoteIO
import Testing

/// What a tap hears, live and offline.
@Suite struct TapTests {
    /// An engine whose source counts: frame n is n / 2^20 on the left, and its negative on the right.
    static func countingEngine(frames: Int) throws -> (Engine, NodeID) {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 1_024)
        let left = (0..<frames).map { Float($0) / 1_048_576 }
        let node = try engine.edit { (graph) throws(Fault) in
            let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
            let node = try graph.add(UnitInstance.boxing(SignalSource(left: left, right: left.map { -$0 }), setup))
            try graph.setOutput(node)
            return node
        }
        return (engine, node)
    }

    @Test(arguments: [1, 100, 256, 1_000]) func blocksHoldWhatPassedAtTheirTimes(_ slice: Int) throws {
        let (engine, node) = try Self.countingEngine(frames: 10_000)
        let tap = try engine.tap(node)
        try engine.start(on: .offline)
        var blocks: [TapBlock] = []
        for _ in 0..<(5_120 / slice) {
            try engine.pull(slice)
            blocks += tap.read()
        }
        #expect(blocks.count == 5_120 / slice * slice / 256)
        for (index, block) in blocks.enumerated() {
            #expect(block.time == SampleTime(Int64(index * 256)) && block.frames == 256)
            let wanted = (0..<256).map { Float(index * 256 + $0) / 1_048_576 }
            #expect(block.channels == [wanted, wanted.map { -$0 }])
            #expect(block.peaks == [wanted[255], wanted[255]])
        }
        #expect(tap.droppedFrames == 0)
    }

    @Test func aTapIsNotHeard() throws {
        func sound(isTapped: Bool) throws -> [[Float]] {
            let (engine, node) = try Self.countingEngine(frames: 5_000)
            try engine.start(on: .offline)
            var sound = try engine.render(frames: 1_000)
            let tap = isTapped ? try engine.tap(node) : nil
            for (c, more) in try engine.render(frames: 1_000).enumerated() { sound[c] += more }
            if let tap { try engine.remove(tap) }
            for (c, more) in try engine.render(frames: 1_000).enumerated() { sound[c] += more }
            return sound
        }
        #expect(try sound(isTapped: true) == sound(isTapped: false))
    }

    @Test func whatNobodyReadsIsDroppedAndCounted() throws {
        let (engine, node) = try Self.countingEngine(frames: 100_000)
        let tap = try engine.tap(node, seconds: 0.1)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 51_200)
        let kept = tap.read()
        #expect(kept.first?.time == .zero && kept.count == 19)
        #expect(kept.count * 256 + tap.droppedFrames == 51_200)
        #expect(
            try engine.readout("dropped-frames", of: try #require(engine.graph.node(named: "tap-1")).id)
                == Float(tap.droppedFrames))
    }

    @Test func aLoopOverATapEndsWithIt() async throws {
        let (engine, node) = try Self.countingEngine(frames: 10_000)
        let tap = try engine.tap(node), port = SimulatedPort()
        try engine.start(on: .simulated(port, period: 100))
        let heard = Task {
            var times: [SampleTime] = []
            for await block in tap { times.append(block.time) }
            return times
        }
        port.advance(frames: 5_200)
        try engine.remove(tap)
        #expect(engine.graph.nodes.count == 1)
        #expect(await heard.value == (0..<20).map { SampleTime(Int64($0 * 256)) })
    }

    @Test func threeLoopsThatAreCancelledHearThreeTimes() async throws {
        let (engine, node) = try Self.countingEngine(frames: 100_000)
        let tap = try engine.tap(node), port = SimulatedPort()
        try engine.start(on: .simulated(port, period: 100))
        for round in 0..<3 {
            let (said, told) = AsyncStream<SampleTime>.makeStream()
            let loop = Task { for await block in tap { told.yield(block.time) } }
            port.advance(frames: 5_200)
            var times = said.makeAsyncIterator()
            let first = await times.next()
            #expect(first?.rawValue ?? -1 >= Int64(round * 5_000), "round \(round): \(String(describing: first))")
            loop.cancel()
            await loop.value
        }
        #expect(tap.droppedFrames == 0)
    }

    @Test func aLoopEndsWithItsEngine() async throws {
        var heard: Task<Int, Never>?
        do {
            let (engine, node) = try Self.countingEngine(frames: 100_000)
            let tap = try engine.tap(node)
            heard = Task { await tap.reduce(0) { count, _ in count + 1 } }
            try engine.start(on: .offline)
            for _ in 0..<20 { try engine.pull(256) }
        }
        #expect(await heard?.value ?? -1 >= 0)
    }

    @Test func aUnitPlaysInOneEngine() throws {
        let first = Engine(sampleRate: 48_000, maximumFrames: 1_024), second = Engine(sampleRate: 48_000, maximumFrames: 1_024)
        let unit = try UnitInstance.make(Noise.self, UnitSetup(sampleRate: 48_000, maximumFrames: 1_024))
        func play(_ engine: Engine) throws {
            try engine.edit { (graph) throws(Fault) in
                let node = try graph.add(unit)
                try graph.setOutput(node)
            }
        }
        try play(first)
        #expect(throws: Fault.unitInUse("noise")) { try play(second) }
        #expect(second.graph.nodes.isEmpty)
        #expect(throws: Fault.unitInUse("noise-2")) { try play(first) }
    }

    @Test(arguments: [0.0, 601, .nan]) func aTapHoldsASensibleTime(_ seconds: Double) throws {
        let (engine, node) = try Self.countingEngine(frames: 10)
        #expect(throws: Fault.self) { _ = try engine.tap(node, seconds: seconds) }
        #expect(engine.graph.nodes.count == 1)
    }
}
