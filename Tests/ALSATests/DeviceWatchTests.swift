import CRealtime
import Graphs
import RealtimeCore
import RemoteIO
import Testing

@testable import ALSA

/// Which device is offered while another plays. `plug:null` swallows all, and every machine has it.
@Suite(.serialized) struct DeviceWatchTests {
    /// The second of a list plays. `periodFrames` beyond the longest are refused when a device is set up.
    static func watch(_ devices: [String], periodFrames: Int = 256) throws -> (DeviceWatch, AudioThread) {
        PCMCalls.silence()
        let request = DeviceRequest(devices: devices, periodFrames: periodFrames, startsWithoutDevice: true)
        let thread = try AudioThread(renderer: Renderer(), request: request, capture: nil, input: nil)
        var status = DeviceStatus()
        status.phase = .running
        status.device = 1
        thread.view.status.publish(status)
        return (try DeviceWatch(thread), thread)
    }

    static func offer(_ thread: AudioThread) -> Int { thread.view.betterDevice.exchange(-1, ordering: .relaxed) }

    @Test func aDeviceThatCanBeHadIsOfferedAndAfterAFailureNotAtOnceAgain() throws {
        let (watch, thread) = try Self.watch(["plug:null", "plug:null"])
        var offers: [Int64] = []
        for second in stride(from: Int64(0), to: 100, by: 2) {
            watch.look(at: second * 1_000_000_000)
            if Self.offer(thread) == 0 { offers.append(second) }
        }
        #expect(offers == [0, 10, 30, 70])
    }

    @Test func aDeviceThatOpensButRefusesWhatIsWantedIsNotOffered() throws {
        let (watch, thread) = try Self.watch(["plug:null", "plug:null"], periodFrames: 2 * PCMStream.longestPeriod)
        PCMCalls.close(try PCMCalls.open("plug:null", isCapture: false))
        watch.look(at: 0)
        #expect(Self.offer(thread) == -1)
        let error = #expect(throws: DeviceError.self) {
            try PCMStream.check(device: "plug:null", request: thread.request)
        }
        guard case .buffer? = error else { throw error ?? DeviceError.request(reason: "no error") }
    }

    @Test func aDeviceThatIsNotThereIsNotOffered() throws {
        let (watch, thread) = try Self.watch(["hw:NoSuchCard", "plug:null"])
        watch.look(at: 0)
        #expect(Self.offer(thread) == -1)
    }
}
