import Carillon
import RealtimeCore
import RemoteIO
import Testing

@testable import Sessions

/// Devices that go and come, as events, and what becomes of a song meanwhile. In simulated time.
@Suite struct AudioSessionTests {
    /// A song of a beat every tenth of a second, whose device is gone from 1.02 to 2.52 s.
    private func played(_ policy: InterruptionPolicy) throws -> (time: SessionInTime, events: [AudioSessionEvent]) {
        var options = SessionInTime.options
        options.device.onLoss = policy
        let time = try SessionInTime(options, [SessionInTime.listed(60)])
        var events: [AudioSessionEvent] = []
        time.session.onAudioSession = { events.append($0) }
        time.port.troubles = [.absence(at: 1.02, lasting: 1.5)]
        try time.pass(4)
        return (time, events)
    }

    @Test func aLostDeviceIsToldAndSoIsItsReturn() throws {
        let (time, events) = try played(.goOn)
        #expect(events.map(\.description) == ["simulated is gone", "simulated is back"], "\(events)")
        guard case .interruptionBegan(_, .lost, let began)? = events.first, case .interruptionEnded(_, let ended)? = events.last
        else { return #expect(Bool(false), "\(events)") }
        #expect(abs(Double(began.rawValue) / 48_000 - 1.02) < 0.1 && abs(Double(ended.rawValue) / 48_000 - 2.52) < 0.4)
        // Musical time went on.
        #expect(abs(try #require(time.transport).seconds - 4) < 0.1)
        #expect(time.session.takeNotices().isEmpty)
    }

    @Test func aSongWaitsWhereItWasHeardLast() throws {
        let (time, events) = try played(.pause)
        let gap = events[events.count - 1].time - events[0].time
        #expect(abs(try #require(time.transport).seconds - (4 - Double(gap) / 48_000)) < 0.1)
        #expect(time.session.takeNotices() == ["simulated is gone: the song waits"])
        // No beat was left out, and few were played twice.
        #expect(time.onsets.count >= Int(try #require(time.transport).seconds * 10) && time.onsets.count < 32)
    }

    @Test func aSongStops() throws {
        let (time, _) = try played(.stop)
        #expect(time.transport?.isPlaying == false && time.transport?.seconds == 0)
        #expect(time.session.takeNotices() == ["simulated is gone: the song has stopped"])
        #expect(!time.session.isOver)
    }

    @Test func whoHasPausedItselfStaysPaused() throws {
        var options = SessionInTime.options
        options.device.onLoss = .pause
        let time = try SessionInTime(options, [SessionInTime.listed(60)])
        time.port.troubles = [.absence(at: 1.02, lasting: 1)]
        try time.pass(0.5)
        try time.session.perform(.pause)
        try time.pass(3)
        #expect(time.transport?.isPlaying == false)
    }

    @Test func anotherDeviceIsAnotherRoute() {
        var session = AudioSession(), status = DeviceStatus()
        func grant(_ name: String) -> DeviceGrant {
            DeviceGrant(
                request: DeviceRequest(), device: name, sampleRate: 48_000, periodFrames: 256, bufferFrames: 512,
                format: .float32, channels: 2)
        }
        status.phase = .lost
        #expect(session.events(status, nil).isEmpty, "one that was never there is not missed")
        status.phase = .running
        #expect(session.events(status, grant("usb")).isEmpty)
        status.phase = .recovering
        #expect(session.events(status, grant("usb")).isEmpty)
        status.phase = .suspended
        #expect(session.events(status, grant("usb")) == [.interruptionBegan(device: "usb", reason: .suspended, time: .zero)])
        #expect(session.events(status, grant("usb")).isEmpty)
        status.phase = .running
        #expect(
            session.events(status, grant("hdmi")) == [
                .interruptionEnded(device: "hdmi", time: .zero), .routeChanged(from: "usb", to: "hdmi", time: .zero),
            ])
    }
}
