import Carillon
import Glibc
import RemoteIO
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A bus of the graph on a second device, whose clock is another: it keeps step, and the first learns nothing of it.
@Suite struct DeviceOutputTests {
    @Test(arguments: [(-200.0, 200.0), (200, -200), (0, 0)]) func twoClocksKeepStep(_ first: Double, _ second: Double) throws {
        let devices = try TwoDevices(first: first, second: second, seconds: 60)
        try devices.pass(60)
        let state = try #require(devices.engine.deviceOutputs.first)
        #expect(state.state == "running" && state.name == "simulated" && state.unit == "device-output-1" && state.fault == nil)
        #expect(state.xruns == 0 && state.slips == 0 && state.missingFrames == 0, "\(state)")
        #expect(abs(state.drift - (second - first)) < 3)
        let heard = (30..<59).map { devices.heard(from: Double($0)) }
        let farthest = heard.map { abs($0.late) }.max() ?? .infinity
        // How far the tone moves in a second is how much its pitch is off.
        let steps = zip(heard, heard.dropFirst()).map { abs($1.late - $0.late) / Double(devices.rate) * 1e6 }
        let pitch = steps.max() ?? .infinity
        let residual = heard.map(\.residual).max() ?? 0
        print("\(first) and \(second) ppm: \(farthest) frames, \(pitch) ppm, \(residual) dB, drift \(state.drift)")
        #expect(farthest < 0.1)
        #expect(pitch < 0.5)
        #expect(residual < -80)
        #expect(heard.allSatisfy { abs($0.amplitude - 0.5) < 0.001 })
        #expect(devices.first.status.counts.xruns == 0)
    }

    @Test func theFirstDevicePlaysTheSameWithAndWithoutTheSecond() throws {
        let with = try TwoDevices(first: 100, second: -300, seconds: 5, troubles: [.absence(at: 2, lasting: 1)])
        let without = try TwoDevices(first: 100, second: -300, seconds: 5, plays: false)
        try with.pass(5)
        try without.pass(5)
        #expect(with.first.played == without.first.played && with.first.played[0].count > 39_000)
        #expect(with.second.played[0].contains { abs($0) > 0.4 } && without.engine.deviceOutputs.isEmpty)
    }

    @Test func aSecondDeviceThatVanishesComesBackInStep() throws {
        let devices = try TwoDevices(first: 200, second: -200, seconds: 40, troubles: [.absence(at: 10, lasting: 5)])
        try devices.pass(12)
        let gone = try #require(devices.engine.deviceOutputs.first)
        #expect(gone.state == "lost" && gone.name == nil && gone.fault != nil, "\(gone)")
        let complaint = devices.engine.graph.nodes.compactMap(\.instance.companion?.complaint)
        #expect(complaint == ["simulated is gone"])
        #expect(devices.first.status.phase == .running && devices.first.status.counts.losses == 0)
        #expect(devices.second.played[0][82_000..<95_000].allSatisfy { $0 == 0 })
        try devices.pass(28)
        let back = try #require(devices.engine.deviceOutputs.first)
        #expect(back.state == "running" && back.fault == nil)
        #expect(devices.engine.graph.nodes.allSatisfy { $0.instance.companion?.complaint == nil })
        let heard = devices.heard(from: 38)
        #expect(abs(heard.late) < 1 && abs(heard.amplitude - 0.5) < 0.001 && heard.residual < -60, "\(heard)")
    }

    @Test func theSecondPlaysOnWhileTheFirstIsLost() throws {
        let devices = try TwoDevices(first: 0, second: 100, seconds: 20, firstTroubles: [.absence(at: 8, lasting: 4)])
        try devices.pass(20)
        #expect(devices.first.status.counts.losses == 1)
        // Not for as long as a period is there silence in it, once the system's clock has taken over.
        let heard = devices.second.played[0][72_000..<92_000]
        var longest = 0, run = 0
        for sample in heard {
            run = abs(sample) < 1e-4 ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(longest < 64)
    }

    @Test func aChoiceForAUnitThatIsRefusedIsNobodysChoice() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 256)
        let (tone, other) = try engine.edit { (graph) throws(Fault) in
            let tone = try graph.add(Oscillator.self), limiter = try graph.add(Limiter.self)
            try graph.connect(tone, to: limiter)
            try graph.setOutput(limiter)
            return (tone, limiter)
        }
        let request = DeviceRequest(devices: ["elsewhere"], periodFrames: 256)
        for _ in 0..<20 {
            #expect(throws: Fault.self) { try engine.play(tone, bus: 7, on: DeviceChoice(SimulatedPort(), request)) }
            #expect(engine.otherDevices.choices.count == 0)
        }
        try engine.play(other, on: DeviceChoice(SimulatedPort(), request))
        #expect(engine.otherDevices.choices.count == 1)
    }

    @Test func theDelayIsAsTold() throws {
        // The first has enough in hand: no delay.
        let long = try TwoDevices(first: 0, second: 0, seconds: 3, period: 256, secondPeriod: 64)
        try long.pass(3)
        #expect(long.engine.deviceOutputs[0].delayMilliseconds == 0)
        #expect(abs(long.heard(from: 1.5).late) < 1)
        #expect(long.engine.deviceOutputs[0].missingFrames == 0)
        // The second has a longer buffer: it is later by what the first has not rendered yet, and no more.
        let short = try TwoDevices(first: 0, second: 0, seconds: 3, period: 64, secondPeriod: 256)
        try short.pass(3)
        let delay = try #require(short.engine.deviceOutputs[0].delayMilliseconds)
        #expect(abs(delay / 1000 * 8_000 - Double(3 * 256 + 64 - 64)) < 1e-6)
        #expect(abs(short.heard(from: 1.5).late) < 1)
        #expect(short.engine.deviceOutputs[0].missingFrames == 0)
    }

    @Test func theUnitThatPlaysIsRemovedAndTheDeviceLetGo() throws {
        let devices = try TwoDevices(first: 0, second: 0, seconds: 3)
        try devices.pass(1)
        #expect(devices.engine.deviceOutputs.count == 1)
        let unit = try #require(devices.engine.graph.node(named: "device-output-1"))
        try devices.engine.edit { (graph) throws(Fault) in try graph.remove(unit.id) }
        try devices.engine.maintain()
        #expect(devices.engine.deviceOutputs.isEmpty)
        let played = devices.second.played[0].count
        try devices.pass(1)
        #expect(devices.second.played[0].count == played)
        try devices.engine.stop()
    }

    @Test func offlineNothingIsPlayedThere() throws {
        let engine = try EngineDeviceTests.sineEngine(), second = SimulatedPort()
        let node = try #require(engine.graph.output?.node)
        try engine.play(node, on: .simulated(second))
        try engine.start(on: .offline)
        let with = try engine.render(frames: 4_800), plain = try EngineDeviceTests.sineEngine()
        try plain.start(on: .offline)
        #expect(with == (try plain.render(frames: 4_800)) && engine.deviceOutputs.isEmpty)
        #expect(throws: Fault(DeviceError.request(reason: "no device is named that would play it"))) {
            try engine.play(node, on: .offline)
        }
    }

    @Test func whatAUnitNamesIsChecked() throws {
        func refusal(_ properties: [String: PropertyValue]) -> UnitError? {
            do { _ = try DeviceOutput(UnitSetup(sampleRate: 48_000, properties: properties)) } catch {
                return error
            }
            return nil
        }
        #expect(refusal(["device": .text("hw:1")]) == nil)
        #expect(refusal(["device": .list([.text("hw:1"), .text("default")]), "channel": .integer(3)]) == nil)
        #expect(refusal(["device": .text("")])?.description.contains("device") == true)
        #expect(refusal(["device": .integer(1)])?.description.contains("device") == true)
        #expect(refusal(["channel": .integer(64)])?.description.contains("channel") == true)
        #expect(refusal(["channel": .text("left")])?.description.contains("channel") == true)
    }

    @Test func aSessionPlaysOnTheDeviceThatItsPatchNames() throws {
        var options = SessionInTime.options, patch = Patch()
        patch.units = [PatchUnit("lead", "square-wave", role: .instrument), PatchUnit("cue", "device-output")]
        patch.units[1].properties["device"] = .list([.text("hw:Cue"), .text("hw:Other")])
        patch.connections = [PatchConnection(PatchPort("lead"), to: PatchPort("cue"))]
        patch.outputs = [PatchPort("lead")]
        options.patch = patch
        options.ports = 1
        let first = SimulatedPort(), second = SimulatedPort()
        let session = try Session(options, on: first)
        var asked: [[String]] = []
        session.engine.otherDevices.makePort = {
            asked.append($0); return second
        }
        second.troubles = [.absence(at: 1, lasting: 1)]
        try session.start()
        try session.perform(.pressKey(channel: 1, key: 69, velocity: 100))
        var notices: [String] = []
        func pass(_ seconds: Double) throws {
            for _ in 0..<Int(seconds * 100) {
                first.advance(seconds: 0.01)
                second.advance(seconds: 0.01)
                try session.maintain()
                notices += session.takeNotices()
            }
        }
        try pass(0.9)
        #expect(asked == [["hw:Cue", "hw:Other"]])
        let state = try #require(session.snapshot.deviceOutputs.first)
        #expect(state.unit == "cue" && state.state == "running" && state.wanted == ["hw:Cue", "hw:Other"])
        #expect(second.played[0].contains { abs($0) > 0.01 })
        try pass(1)
        #expect(session.snapshot.deviceOutputs.first?.state == "lost")
        #expect(notices == ["cue: simulated is gone"])
        try pass(1)
        #expect(session.snapshot.deviceOutputs.first?.state == "running")
        #expect(first.status.counts.losses == 0)
        try session.finish()
        #expect(session.snapshot.deviceOutputs.isEmpty)
    }

    @Test func inSimulatedTimeADeviceThatIsNamedIsNotThere() throws {
        var options = SessionInTime.options, patch = Patch()
        patch.units = [PatchUnit("lead", "square-wave", role: .instrument), PatchUnit("cue", "device-output")]
        patch.units[1].properties["device"] = .text("hw:Cue")
        patch.connections = [PatchConnection(PatchPort("lead"), to: PatchPort("cue"))]
        patch.outputs = [PatchPort("lead")]
        options.patch = patch
        let time = try SessionInTime(options)
        try time.pass(0.5)
        #expect(time.session.snapshot.deviceOutputs.isEmpty && time.session.takeNotices().isEmpty)
    }
}
