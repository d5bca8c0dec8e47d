import CRealtime
import CarillonTestKit
import Graphs
import RTProbe
import RealtimeCore
import RemoteIO
import Testing

/// The audio loop on a simulated card: what goes wrong with cards, and what the loop makes of it.
@Suite(.serialized) struct SimulatedPortTests {
    /// A port that plays a ramp that never repeats within a second, from its first frame on.
    static func port(
        _ hardware: SimulatedHardware = SimulatedHardware(), period: Int = 256, periods: Int = 2, keepsFull: Bool = false,
        rate: Int = 48_000, troubles: [SimulatedTrouble] = []
    ) throws -> (SimulatedPort, OfflineRig) {
        let rig = OfflineRig(), port = SimulatedPort()
        let ramp = (0..<1_440_000).map { Float($0 % 48_000 + 1) / 65_536 }
        try rig.graph.setOutput(rig.add(left: ramp, right: ramp))
        try rig.publish()
        port.hardware = hardware
        port.troubles = troubles
        let request = DeviceRequest(
            devices: ["simulated"], deviceRate: rate, periodFrames: period, periods: periods, keepsFull: keepsFull)
        _ = try port.open(rig.renderer, request, input: nil)
        try port.start {}
        return (port, rig)
    }

    @Test(arguments: [1, 32, 256], [false, true]) func aPunctualMachineHearsEverything(_ step: Int, _ keepsFull: Bool) throws {
        let (port, rig) = try Self.port(SimulatedHardware(pointerStep: step), keepsFull: keepsFull)
        port.advance(seconds: 2)
        #expect(port.status.counts == DeviceCounts() && port.status.phase == .running)
        #expect(port.played[0].count == 96_000)
        #expect(
            port.played[0].indices.allSatisfy {
                port.played[0][$0] == ($0 < 512 ? 0 : Float(($0 - 512) % 48_000 + 1) / 65_536)
            })
        withExtendedLifetime(rig) {}
    }

    @Test(arguments: [-200.0, 200]) func aCardThatDriftsIsFollowed(_ drift: Double) throws {
        let (port, rig) = try Self.port(SimulatedHardware(drift: drift, pointerStep: 1))
        port.advance(seconds: 20)
        let time = try #require(port.status.time)
        #expect(time.isSettled && abs(time.sampleRate / 48_000 - 1 - drift / 1e6) < 5e-6)
        #expect(port.status.counts.xruns == 0)
        withExtendedLifetime(rig) {}
    }

    @Test(arguments: [false, true]) func aCardOnACoarseTimerPlaysWithoutXruns(_ keepsFull: Bool) throws {
        let (port, rig) = try Self.port(SimulatedHardware(pointerStep: 1, timer: 0.004), period: 512, keepsFull: keepsFull)
        port.advance(seconds: 10)
        #expect(port.status.counts.xruns == 0 && port.status.phase == .running)
        withExtendedLifetime(rig) {}
    }

    /// Frames by which the last of what was played is ahead of its place.
    private func displacement(_ port: SimulatedPort) -> Int {
        let place = port.played[0].count - 100
        return Int(port.played[0][place] * 65_536) - ((place - 512) % 48_000 + 1)
    }

    @Test func aHoldUpIsAnXrunOfTheMachineAndATroubleOfTheCardIsNot() throws {
        let (port, rig) = try Self.port(
            SimulatedHardware(pointerStep: 1), troubles: [.holdUp(at: 1, lasting: 0.03), .xrun(at: 2)])
        port.advance(seconds: 1.9)
        #expect(port.status.counts.wokeLate == 1)
        // What should have been heard meanwhile was not: the ramp goes on where it would have been.
        #expect(abs(displacement(port)) <= 1)
        port.advance(seconds: 1.1)
        #expect(port.status.counts.driver == 1 && port.status.counts.xruns == 2)
        // A card that lost its buffer is behind by as much, at most.
        #expect((-1...512).contains(displacement(port)))
        withExtendedLifetime(rig) {}
    }

    @Test func aSuspendedDeviceWakesUp() throws {
        let (port, rig) = try Self.port(troubles: [.suspension(at: 1, lasting: 0.5)])
        port.advance(seconds: 1.4)
        #expect(port.status.phase == .suspended && port.status.counts.suspends == 1)
        port.advance(seconds: 0.6)
        #expect(port.status.phase == .running && port.status.counts.losses == 0)
        #expect(abs(rig.renderer.sampleTime.rawValue - 96_000) <= 512)
    }

    @Test func aDeviceThatIsGoneIsOpenedAgain() throws {
        let (port, rig) = try Self.port(troubles: [.absence(at: 1, lasting: 2)])
        port.advance(seconds: 2.9)
        #expect(port.status.phase != .running && port.status.counts.losses == 1)
        #expect(abs(rig.renderer.sampleTime.rawValue - 139_200) <= 512)
        port.advance(seconds: 0.5)
        #expect(port.status.phase == .running && port.status.counts.returns == 1)
        #expect(abs(rig.renderer.sampleTime.rawValue - 163_200) <= 512)
    }

    /// The load governor sees simulated time: a slice that took nine tenths of its time.
    @Test func slowRenderingShedsLoad() throws {
        let (port, rig) = try Self.port(period: 512, periods: 3)
        port.renderLoad = 0.9
        port.advance(seconds: 1)
        #expect(port.status.sheddingLevel == 3 && port.status.load > 0.8 && port.status.counts.xruns == 0)
        port.renderLoad = 1.2
        port.advance(seconds: 1)
        #expect(port.status.counts.renderLate > 0)
        withExtendedLifetime(rig) {}
    }

    /// Same script, same sound: nothing depends on the machine or on how time is cut.
    @Test func timeMayBeCutIntoAnyPieces() throws {
        let troubles: [SimulatedTrouble] = [
            .holdUp(at: 0.3, lasting: 0.02), .xrun(at: 0.5), .absence(at: 0.7, lasting: 0.1),
            .suspension(at: 1.3, lasting: 0.2),
        ]
        var heard: [[Float]] = []
        for piece in [96_000, 4_800, 333, 48] {
            let (port, rig) = try Self.port(SimulatedHardware(drift: 30, pointerStep: 1), keepsFull: true, troubles: troubles)
            for _ in 0..<96_000 / piece { port.advance(frames: piece) }
            port.advance(frames: 96_000 % piece)
            heard.append(port.played[0])
            withExtendedLifetime(rig) {}
        }
        #expect(heard.allSatisfy { $0 == heard[0] })
    }

    /// The whole loop, with all that may go wrong but opening a device, watched by the probe.
    @Test(.enabled(if: rt_probe_counts()), arguments: [48_000, 44_100]) func theLoopAllocatesNothing(_ rate: Int) throws {
        let (port, rig) = try Self.port(
            SimulatedHardware(pointerStep: 1), keepsFull: true, rate: rate,
            troubles: [
                .holdUp(at: 1.1, lasting: 0.04), .holdUp(at: 1.4, lasting: 0.015), .xrun(at: 1.6),
                .suspension(at: 1.8, lasting: 0.1),
            ])
        port.advance(seconds: 1)
        let turns = port.watch(seconds: 1) {
            _ = rt_probe_take()
            rt_enter()
        } after: {
            rt_leave()
        }
        let first = String(cString: rt_probe_first()), counts = rt_probe_take()
        #expect(turns > 100 && port.status.counts.xruns >= 2 && port.status.counts.suspends == 1)
        #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0 && counts.blocking == 0, "\(first)")
        print("\(rate) Hz, \(turns) turns: \(counts)")
        #expect(counts.objects == 0, "\(first)")
        #if !DEBUG
            #expect(counts.arc == 0 && counts.metadata == 0 && counts.casts == 0 && counts.once == 0, "\(first)")
        #endif
        withExtendedLifetime(rig) {}
    }
}
