import ALSA
import Carillon
import CarillonTestKit
import Glibc
import RemoteIO
import Testing

/// An engine on a device, in simulated time.
@Suite struct EngineDeviceTests {
    /// An engine whose output is a sine of 997 Hz at a quarter of full scale.
    static func sineEngine(_ sampleRate: Double = 48_000, seconds: Double = 3) throws -> Engine {
        let engine = Engine(sampleRate: sampleRate)
        let sine = (0..<Int(seconds * sampleRate)).map { Float(0.25 * sin(2 * .pi * 997 * Double($0) / sampleRate)) }
        _ = try engine.edit { (graph) throws(Fault) in
            let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
            let node = try graph.add(UnitInstance.boxing(SignalSource(left: sine, right: sine), setup))
            try graph.setOutput(node)
        }
        return engine
    }

    @Test func aFrameIsHeardABufferAfterItWasRendered() throws {
        let engine = try Self.sineEngine(), port = SimulatedPort()
        let grant = try engine.start(on: .simulated(port, period: 128, periods: 3))
        #expect(grant.isAsWanted && grant.sampleRate == 48_000)
        port.advance(seconds: 0.5)
        #expect(port.played[0].count == 24_000 / 128 * 128)
        #expect(port.played[0][..<384].allSatisfy { $0 == 0 })
        for i in 0..<10_000 {
            #expect(port.played[0][384 + i] == Float(0.25 * sin(2 * .pi * 997 * Double(i) / 48_000)))
        }
        #expect(engine.renderer.sampleTime == SampleTime(Int64(port.played[0].count)))
        #expect(engine.deviceStatus?.time?.sampleTime(atNanoseconds: 0) == SampleTime(-384))
    }

    @Test func anEngineOfAnotherRateIsConvertedAndTheGrantSaysSo() throws {
        let engine = try Self.sineEngine(44_100), port = SimulatedPort(sampleRate: 48_000)
        let grant = try engine.start(on: .simulated(port, period: 441))
        #expect(grant.hasRateConversion && grant.sampleRate == 48_000 && grant.request.sampleRate == 44_100)
        #expect(grant.description.contains("48000 Hz (wanted 44100), rate converted"))
        port.advance(seconds: 1.5)
        // As long a time, and the same pitch.
        #expect(abs(engine.renderer.sampleTime.rawValue - 66_150) <= 2 * 441)
        let heard = Array(port.played[0][24_000..<64_000])
        let crossings = (1..<heard.count).filter { heard[$0 - 1] < 0 && heard[$0] >= 0 }
        let periods = Double(crossings[crossings.count - 1] - crossings[0]) / Double(crossings.count - 1)
        #expect(abs(48_000 / periods - 997) < 0.5)
        #expect(abs((heard.max() ?? 0) - 0.25) < 1e-3)
    }

    @Test func aRateThatTheDeviceMustHaveAndHasNotIsAnErrorWithBothRates() throws {
        let engine = try Self.sineEngine(44_100)
        let error = #expect(throws: Fault.self) {
            try engine.start(on: .simulated(SimulatedPort(sampleRate: 48_000), rate: 44_100))
        }
        #expect(error == Fault(DeviceError.rate(device: "simulated", granted: 48_000, wanted: 44_100)))
        #expect(error?.description.contains("48000") == true && error?.description.contains("44100") == true)
        #expect(!engine.isRunning)
    }

    @Test func oneOutputAtATimePullsAnEngine() throws {
        let engine = try Self.sineEngine(), other = SimulatedPort()
        let output = try engine.offlineOutput()
        #expect(throws: Fault.alreadyPulled) { try engine.start(on: .simulated(other)) }
        #expect(throws: PullError.alreadyPulled) {
            _ = try OfflineOutput(renderer: engine.renderer, maximumFrames: 64)
        }
        output.pull(64)
        let device = try RemoteIOUnit(renderer: engine.renderer, request: DeviceRequest(devices: ["null"]))
        #expect(throws: DeviceError.alreadyPulled) { try device.start() }
        withExtendedLifetime(output) {}
    }

    @Test func theClaimEndsWithTheOutput() throws {
        let engine = try Self.sineEngine(), port = SimulatedPort()
        do { _ = try engine.offlineOutput() }
        try engine.start(on: .simulated(port))
        #expect(throws: Fault.alreadyPulled) { _ = try engine.offlineOutput() }
        try engine.stop()
        try engine.start(on: .offline)
        try engine.stop()
        try engine.start(on: .simulated(port))
    }

    @Test func callsOutOfOrderAreErrors() throws {
        let engine = try Self.sineEngine(), port = SimulatedPort()
        #expect(throws: Fault.notRunning) { try engine.stop() }
        #expect(throws: Fault.notRunning) { _ = try engine.render(frames: 10) }
        try engine.start(on: .simulated(port))
        #expect(throws: Fault.alreadyRunning(on: "simulated")) { try engine.start(on: .offline) }
        #expect(throws: Fault.notOffline(on: "simulated")) { try engine.pull(10) }
        try engine.stop()
        #expect(throws: Fault.notRunning) { try engine.stop() }
        let frames = engine.renderer.sampleTime
        port.advance(seconds: 1)
        #expect(engine.renderer.sampleTime == frames, "a stopped port pulls no more")
    }

    @Test func aDeviceThatCannotBeHadLeavesTheEngineAsItWas() throws {
        let engine = try Self.sineEngine()
        let busy = DeviceError.busy(device: "hw:0", owner: nil)
        #expect(throws: Fault(busy)) {
            try engine.start(on: .simulated(SimulatedPort(refusal: busy)))
        }
        #expect(throws: Fault.self) { try engine.start(on: .device("no-such-device")) }
        #expect(!engine.isRunning && engine.grant == nil)
        try engine.start(on: .offline)
    }

    @Test func theEngineRunsOnTheSystemsClockWithoutADevice() throws {
        let engine = try Self.sineEngine()
        let grant = try engine.start(on: .device("null", period: 64))
        #expect(grant.isNull && engine.isRunning)
        #expect(engine.now - engine.renderer.sampleTime >= 64)
        try engine.stop()
    }

    @Test func anEventAtATimeIsHeardOnItsFrame() throws {
        let engine = Engine(), port = SimulatedPort()
        let square = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(SquareWave.self)
            try graph.setOutput(node)
            return node
        }
        try engine.start(on: .simulated(port, period: 128, periods: 2))
        port.advance(frames: 1_280)
        let time = engine.time(after: .milliseconds(500))
        #expect(time == engine.now + 24_000 && engine.frames(.seconds(0.5)) == 24_000)
        try engine.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 127)), to: square, at: time)
        port.advance(seconds: 1)
        let onset = port.played[0].firstIndex { $0 != 0 }
        #expect(onset == Int(time.rawValue) + 256)
    }

    @Test func offlineGivesTheSamplesThatASimulatedDevicePlays() throws {
        let device = try Self.sineEngine(), port = SimulatedPort(), offline = try Self.sineEngine()
        try device.start(on: .simulated(port, period: 96, periods: 2))
        port.advance(frames: 96 * 100)
        try offline.start(on: .offline)
        let sound = try offline.render(frames: 96 * 98)
        #expect(port.played.map { Array($0[192...]) } == sound)
    }

    /// Frames by which what `port` played around `frame` is not the sine a buffer after it was rendered.
    private func displacement(_ port: SimulatedPort, at frame: Int, buffer: Int) -> Int? {
        let heard = port.played[0][frame..<frame + 100]
        return (-4...4).first { shift in
            heard.indices.allSatisfy {
                abs(heard[$0] - Float(0.25 * sin(2 * .pi * 997 * Double($0 - buffer + shift) / 48_000))) < 1e-3
            }
        }
    }

    @Test func timeRunsOnWhileADeviceIsLostOrLate() throws {
        let engine = try Self.sineEngine(), port = SimulatedPort()
        try engine.start(on: .simulated(port, period: 128, periods: 2))
        port.advance(frames: 1_280)
        port.isLost = true
        port.advance(frames: 12_800)
        #expect(engine.deviceStatus?.phase == .lost)
        #expect(engine.renderer.sampleTime.rawValue >= 12_800)
        // There again, it is tried within a quarter of a second, and rises from silence.
        port.isLost = false
        port.advance(frames: 20_480)
        #expect(engine.deviceStatus?.phase == .running)
        #expect(port.played[0][1_280..<14_080].allSatisfy { $0 == 0 })
        #expect(displacement(port, at: 33_000, buffer: 256) != nil)
        port.xrun(periods: 2)
        #expect(port.played[0].suffix(256).allSatisfy { $0 == 0 })
        port.advance(frames: 12_800)
        #expect(displacement(port, at: 46_000, buffer: 256) != nil)
        #expect(engine.deviceStatus?.counts.losses == 1 && engine.deviceStatus?.counts.returns == 1)
        #expect(engine.deviceStatus?.counts.xruns == 1 && engine.deviceStatus?.phase == .running)
    }
}
