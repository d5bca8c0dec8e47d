import CRealtime
import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Testing

@testable import ALSA

/// What an I/O unit does where there is no device.
@Suite(.serialized) struct RemoteIOUnitTests {
    /// Waits until `condition` holds, at most `seconds`.
    static func eventually(_ seconds: Double = 5, _ condition: () -> Bool) -> Bool {
        let end = rt_monotonic_nanoseconds() + Int64(seconds * 1e9)
        while rt_monotonic_nanoseconds() < end {
            if condition() { return true }
            usleep(1000)
        }
        return condition()
    }

    @Test func nullPullsTheRendererAtTheRateAsked() throws {
        let renderer = Renderer()
        let capture = CaptureQueue(channels: 2, frames: 96000, blockFrames: 64)
        let unit = try RemoteIOUnit(
            renderer: renderer, request: DeviceRequest(devices: ["null"], sampleRate: 48000, periodFrames: 64),
            capture: capture)
        try unit.start()
        #expect(Self.eventually { unit.status.slices > 100 })
        let first = (renderer.sampleTime, rt_monotonic_nanoseconds())
        usleep(300_000)
        let second = (renderer.sampleTime, rt_monotonic_nanoseconds())
        let time = try #require(unit.deviceTime)
        unit.stop()
        let rate = Double(second.0 - first.0) / Double(second.1 - first.1) * 1e9
        // A busy machine wakes the thread late, but never makes it skip.
        #expect(abs(rate - 48000) < 4800, "\(rate)")
        #expect(abs(time.sampleTime(atNanoseconds: second.1) - second.0) < 4800)
        #expect(time.latency == 64 * 3 + 48)
        #expect(unit.state == .stopped)
        #expect(unit.grant.isNull && unit.grant.isAsWanted)
        #expect(unit.threadPriority != nil)
        // Every frame was shown, in order and without a gap.
        var next = SampleTime.zero
        while capture.drain({ time, _, frames in
            #expect(time == next)
            next = time + frames
        }) {}
        #expect(next == renderer.sampleTime && capture.droppedFrames == 0)
    }

    @Test func stoppingTwiceAndNeverStartingAreNoError() throws {
        let unit = try RemoteIOUnit(renderer: Renderer(), request: DeviceRequest(devices: ["null"]))
        unit.stop()
        #expect(unit.state == .idle)
        try unit.start()
        #expect(Self.eventually { unit.status.slices > 0 })
        unit.stop()
        let slices = unit.status.slices
        unit.stop()
        #expect(unit.state == .stopped && unit.status.slices == slices)
    }

    @Test func aDeviceThatIsNotThereIsOneClearSentence() throws {
        guard access("/proc/asound/card0", F_OK) != 0 else { return }
        let error = #expect(throws: DeviceError.self) {
            _ = try RemoteIOUnit(renderer: Renderer(), request: DeviceRequest(devices: ["default"]))
        }
        #expect(error == .noSoundCard(device: "default"))
        #expect(error?.description.contains("\n") == false)
    }

    @Test func aListThatEndsInNullNeverFails() throws {
        let request = DeviceRequest(devices: ["hw:NoSuchCard", "null"], periodFrames: 128)
        let unit = try RemoteIOUnit(renderer: Renderer(), request: request)
        try unit.start()
        #expect(Self.eventually { unit.counters.failedOpens >= 3 })
        #expect(unit.status.slices > 0)
        #expect(unit.lastError != nil)
        unit.stop()
    }

    @Test(arguments: [
        DeviceRequest(devices: []), DeviceRequest(sampleRate: 0), DeviceRequest(periodFrames: 1),
        DeviceRequest(periods: 1), DeviceRequest(channels: 0),
    ])
    func aRequestThatMakesNoSenseIsRefused(_ request: DeviceRequest) {
        let error = #expect(throws: DeviceError.self) { _ = try RemoteIOUnit(renderer: Renderer(), request: request) }
        guard case .request? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
