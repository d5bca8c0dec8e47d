import ALSA
import Carillon
import RealtimeCore
import RemoteIO
import Testing

@testable import Sessions

/// Whether a device gives what it is to capture, and which sessions need keyboards.
@Suite struct CaptureWatchTests {
    private func status(_ time: Int64, captured: Int) -> DeviceStatus {
        var status = DeviceStatus()
        (status.sampleTime, status.capturedFrames) = (SampleTime(time), captured)
        return status
    }

    @Test func whatGivesNothingForHalfASecondIsDeafUntilItGivesSomething() {
        var watch = CaptureWatch()
        #expect(watch.look(status(0, captured: 0), sampleRate: 48_000) == nil)
        #expect(watch.look(status(24_000, captured: 0), sampleRate: 48_000) == nil && !watch.isDeaf)
        #expect(watch.look(status(24_001, captured: 0), sampleRate: 48_000) == .deaf && watch.isDeaf && !watch.hasHeard)
        #expect(watch.look(status(90_000, captured: 0), sampleRate: 48_000) == nil)
        #expect(watch.look(status(95_000, captured: 256), sampleRate: 48_000) == .hears && watch.hasHeard)
        // However seldom somebody looks.
        #expect(watch.look(status(990_000, captured: 48_000), sampleRate: 48_000) == nil && !watch.isDeaf)
        #expect(watch.look(status(1_030_000, captured: 48_000), sampleRate: 48_000) == .deaf && watch.hasHeard)
    }

    @Test func aDeviceThatReturnsOrAnotherOneHasItsTimeAgain() {
        var watch = CaptureWatch()
        func look(_ time: Int64, _ captured: Int, _ phase: DeviceState.Phase, device: Int = 0) -> CaptureWatch.News? {
            var status = status(time, captured: captured)
            (status.phase, status.device) = (phase, device)
            return watch.look(status, sampleRate: 48_000)
        }
        #expect(look(0, 256, .running) == nil && look(48_000, 256, .lost) == nil && look(96_000, 256, .lost) == .deaf)
        // Nothing has come yet, and that is no wonder.
        #expect(look(100_000, 256, .running) == nil && !watch.isDeaf)
        #expect(look(110_000, 256, .running) == nil && look(130_000, 256, .running) == .deaf)
        #expect(look(140_000, 256, .running, device: 1) == nil && !watch.isDeaf)
        #expect(look(160_000, 256, .running, device: 1) == nil && look(170_000, 256, .running, device: 1) == .deaf)
    }

    @Test func theReasonIsThatOfTheServerWhereItHasOne() {
        let fault = DeviceFault(function: "pw_stream", code: 5, text: "no more input formats")
        #expect(CaptureWatch.reason(.running, .failed(device: "pipewire", fault)).contains("no more input formats"))
        #expect(CaptureWatch.reason(.running, nil).contains("no source is linked"))
        #expect(CaptureWatch.reason(.suspended, nil).contains("sleeps"))
    }

    @Test(arguments: [
        (["null"], true), (["jack"], true), (["pipewire:hall", "jack:none", "null"], true), (["default"], false),
        (["hw:0", "null"], false),
    ]) func onlyWhereNoCardIsWantedASequencerMayBeMissing(_ devices: [String], _ runs: Bool) {
        var options = LiveOptions()
        options.device.names = devices
        #expect(options.canDoWithoutKeyboards(.noSequencer, on: nil) == runs)
        #expect(options.canDoWithoutKeyboards(.notPermitted, on: nil) == runs)
        #expect(!options.canDoWithoutKeyboards(.noRoom, on: nil))
        // What plays counts, too, and not only what is wanted.
        let grant = DeviceGrant(
            request: DeviceRequest(), device: "jack", sampleRate: 48_000, periodFrames: 256, bufferFrames: 512,
            format: .float32, channels: 2)
        #expect(options.canDoWithoutKeyboards(.noSequencer, on: grant))
        options.keyboardsPlay = false
        #expect(options.canDoWithoutKeyboards(.noSequencer, on: nil))
    }
}
