import ALSA
import Carillon
import CarillonTestKit
import Glibc
import Testing

/// What throws, throws for its arguments too; what does not brings them into its range, or says that it ends the process.
@Suite struct ArgumentTests {
    private func engine(_ maximumFrames: Int = 512) throws -> (Engine, NodeID) {
        let engine = Engine(maximumFrames: maximumFrames)
        return (
            engine,
            try engine.edit { graph in
                let square = try graph.add(SquareWave.self)
                try graph.setOutput(square)
                return square
            }
        )
    }

    private func expectRefusal(_ name: String, _ call: () throws -> Void, line: Int = #line) {
        let error = #expect(throws: Fault.self, "line \(line)") { try call() }
        let text = error?.description ?? ""
        #expect(text.hasPrefix(name) && text.contains("is out of range; choose from"), "line \(line): \(text)")
    }

    @Test func anImpossiblePullIsRefused() throws {
        let (engine, _) = try engine()
        try engine.start(on: .offline)
        for frames in [513, -1, .max, .min] { expectRefusal("frames") { try engine.pull(frames) } }
        for frames in [-1, .min] { expectRefusal("frames") { _ = try engine.render(frames: frames) } }
        #expect(try engine.render(frames: 0) == [[], []])
        #expect(try engine.pull(512).capacity == 512 && engine.now == SampleTime(512))
    }

    @Test func anImpossibleOutputIsRefused() throws {
        let (engine, _) = try engine()
        for channels in [0, -1, 65, 1_000_000] {
            expectRefusal("channels") { try engine.start(on: .offline(channels: channels)) }
        }
        for channels in [0, -1, 1_000_000] { expectRefusal("channels") { _ = try engine.offlineOutput(channels: channels) } }
        for frames in [0, -1, .max] {
            expectRefusal("frames") { _ = try engine.offlineOutput(frames: frames) }
            expectRefusal("frames") { _ = try engine.offlineOutput(layout: .quad, frames: frames) }
        }
        for rate in [-1, 0, 1_000_000] {
            for choice in [DeviceChoice.device("null", rate: rate), .simulated(SimulatedPort(), rate: rate)] {
                let error = #expect(throws: Fault.self) { try engine.start(on: choice) }
                #expect(error?.description.contains("choose 1 to 768000 Hz") == true, "\(error?.description ?? "")")
            }
        }
        #expect(!engine.isRunning)
    }

    @Test(arguments: [(0, 1), (-5, 1), (1_000_000_000, 1 << 20)]) func aSliceIsAsLongAsItCanBe(_ asked: Int, _ frames: Int) throws
    {
        let (engine, _) = try engine(asked)
        #expect(engine.maximumFrames == frames)
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 3)[0].count == 3)
    }

    @Test func aClosureHasAPossibleWidth() throws {
        let (engine, _) = try engine()
        for channels in [-1, 0, 65] {
            #expect(throws: Fault.channels(unit: "a", asked: channels)) {
                try engine.edit { graph in try graph.add(source: "a", channels: channels) { _ in .silent } }
            }
            #expect(throws: Fault.channels(unit: "a", asked: channels)) {
                try engine.edit { graph in try graph.add(effect: "a", channels: channels) { _ in .silent } }
            }
        }
    }

    @Test func aUnitOfAnotherEngineIsUnknown() throws {
        let (engine, own) = try engine(), (other, foreign) = try self.engine()
        #expect(throws: Fault.unknownNode(foreign)) { try engine.send(.noteOn(60), to: foreign) }
        #expect(throws: Fault.unknownNode(foreign)) { try engine.midi.connect(to: foreign) }
        #expect(throws: Fault.unknownNode(foreign)) { try engine.edit { graph in try graph.remove(foreign) } }
        #expect(throws: Fault.unknownNode(foreign)) { _ = try engine.tap(foreign) }
        #expect(throws: Fault.self) { try engine.set(SquareWave.Parameter.gain, -3, of: foreign) }
        #expect(throws: Fault.self) { _ = try engine.value(SquareWave.Parameter.gain, of: foreign) }
        try engine.start(on: .offline)
        try other.start(on: .offline)
        try engine.send(.noteOn(60), to: own)
        #expect(try engine.render(frames: 500)[0].contains { $0 != 0 } && other.render(frames: 500)[0].allSatisfy { $0 == 0 })
    }

    @Test func aPortPlaysOneEngine() throws {
        let (first, _) = try engine(), (second, _) = try engine(), port = SimulatedPort()
        try first.start(on: .simulated(port))
        let error = #expect(throws: Fault(DeviceError.busy(device: "simulated", owner: "another engine"))) {
            try second.start(on: .simulated(port))
        }
        #expect(error?.description.contains("in use by another engine") == true)
        port.advance(seconds: 0.5)
        #expect(first.isRunning && !second.isRunning && first.now > SampleTime(20_000) && second.now == .zero)
        try first.stop()
        try second.start(on: .simulated(port))
        port.advance(seconds: 0.5)
        #expect(second.now > SampleTime(20_000))
        let device = ALSAPort.ofEverySystem()
        try first.start(on: DeviceChoice(device, DeviceRequest(devices: ["null"])))
        usleep(50_000)
        try second.stop()
        #expect(throws: Fault(DeviceError.busy(device: "null", owner: "another engine"))) {
            try second.start(on: DeviceChoice(device, DeviceRequest(devices: ["null"])))
        }
        try first.stop()
        try second.start(on: DeviceChoice(device, DeviceRequest(devices: ["null"])))
        try second.stop()
    }

    @Test func aTimeBeyondAllTimesIsTheLast() throws {
        let (engine, _) = try engine()
        #expect(SampleTime(.max) + 1 == SampleTime(.max) && SampleTime(.min) + -1 == SampleTime(.min))
        #expect(engine.time(after: .seconds(Int64.max / 2)) == SampleTime(1 << 53))
        #expect(engine.frames(.seconds(-Int64.max / 2)) == -(1 << 53))
        let player = try engine.edit { graph in try graph.add(player: MemoryReader([[0, 1]])) }
        #expect(throws: Fault.self) { try engine.fade(player, to: -3, over: .seconds(Int64.max / 2)) }
        #expect(throws: Fault.self) { try engine.setRate(1, of: player, over: .seconds(-1)) }
    }

    @Test func whatCannotThrowEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            try OfflineOutput(renderer: Renderer(), maximumFrames: 512).pull(513)
        }
        await #expect(processExitsWith: .signal(SIGILL)) { _ = TimeSignature(4, over: 3) }
        await #expect(processExitsWith: .signal(SIGILL)) { _ = TimeSignature(4, over: 0) }
        await #expect(processExitsWith: .signal(SIGILL)) { _ = MusicEvent.noteOn(200 as UInt8) }
        await #expect(processExitsWith: .signal(SIGILL)) { _ = MusicEvent.noteOn(60, channel: 0) }
        await #expect(processExitsWith: .signal(SIGILL)) { _ = MusicEvent.program(0) }
        await #expect(processExitsWith: .signal(SIGILL)) { _ = ChannelMap([1: 17]) }
        await #expect(processExitsWith: .signal(SIGILL)) {
            let engine = Engine()
            try engine.edit { graph in
                let unit = try graph.add(source: "a") { io in
                    io.output(0, 5)[0] = 1
                    return .sounding
                }
                try graph.setOutput(unit)
            }
            try engine.start(on: .offline)
            _ = try engine.render(frames: 10)
        }
    }
}
