import RealtimeCore
import RemoteIO

/// Looks whether a device that is to capture does: what nobody gives is not the same as a quiet room.
package struct CaptureWatch {
    /// What has changed since the last look.
    package enum News: Sendable, Equatable { case deaf, hears }

    /// The part of a second in which something must come: half of it.
    private static let patience = 2
    private var captured = 0
    private var since: SampleTime?
    /// Whether nothing has been captured for half a second.
    package private(set) var isDeaf = false
    /// Whether something was captured ever.
    package var hasHeard: Bool { captured > 0 }

    /// One that has not looked yet.
    package init() {}

    /// Takes a look at a device; some ten times a second.
    package mutating func look(_ status: DeviceStatus, sampleRate: Int) -> News? {
        let before = isDeaf, begin = since ?? status.sampleTime
        if status.capturedFrames == captured, since != nil {
            isDeaf = status.sampleTime - begin > sampleRate / Self.patience
        } else {
            (captured, since, isDeaf) = (status.capturedFrames, status.sampleTime, false)
        }
        return isDeaf == before ? nil : isDeaf ? .deaf : .hears
    }

    /// Why nothing is captured, in words.
    package static func reason(_ phase: DeviceState.Phase, _ error: DeviceError?) -> String {
        if let error { return "nothing is captured: \(error)" }
        let reason = switch phase {
        case .running: "no source is linked, or it sleeps; link one, or choose another device"
        case .suspended: "the device sleeps, as one does that is linked to nothing; link it, or choose another device"
        default: "the device is \(phase); it is waited for"
        }
        return "nothing is captured: " + reason
    }
}

extension Engine {
    /// Why nothing is captured though the device plays, for as long as that is so; nil where it may begin by itself.
    public var captureError: DeviceError? { output?.port?.captureError }
}

extension LiveSession {
    /// Tells, once, that a device that is to capture gives nothing, and why; and that it does again.
    func listen() {
        // Of a device that is gone is told already.
        guard let grant = port.grant, grant.captureChannels > 0, port.status.phase == .running else { return }
        switch listening.look(port.status, sampleRate: options.sampleRate) {
        case .deaf?: notices.append("\(grant.device): \(CaptureWatch.reason(.running, port.captureError))")
        case .hears?: notices.append("\(grant.device): is heard now")
        case nil: break
        }
    }
}
