import EngineCore
import RealtimeCore
import RemoteIO

/// Watches whether a device that is to capture delivers frames: no frames at all are not the same as a quiet room.
package struct CaptureWatch {
    /// A change since the last look.
    package enum News: Sendable, Equatable { case deaf, hears }

    /// The limit without frames, as a divisor of a second: half a second.
    private static let patience = 2
    private var captured = 0
    private var since: SampleTime?
    /// The phase of the device at the last look, and its place in the list.
    private var phase = DeviceState.Phase.idle, device = 0
    /// True while nothing has been captured for half a second.
    package private(set) var isDeaf = false
    /// True once something has been captured.
    package var hasHeard: Bool { captured > 0 }

    /// Creates a watch that has not looked yet.
    package init() {}

    /// Looks at a device, some ten times a second. A device that has come back, or another one, gets half a second again,
    /// during which it does not count as deaf, without news of that.
    package mutating func look(_ status: DeviceStatus, sampleRate: Int) -> News? {
        if status.phase != phase || status.device != device { (since, isDeaf) = (nil, false) }
        (phase, device) = (status.phase, status.device)
        let before = isDeaf, begin = since ?? status.sampleTime
        if status.capturedFrames == captured, since != nil {
            isDeaf = status.sampleTime - begin > sampleRate / Self.patience
        } else {
            (captured, since, isDeaf) = (status.capturedFrames, status.sampleTime, false)
        }
        return isDeaf == before ? nil : isDeaf ? .deaf : .hears
    }

    /// Puts into words why nothing is captured.
    package static func reason(_ phase: DeviceState.Phase, _ error: DeviceError?) -> String {
        if let error { return "nothing is captured: \(error)" }
        let reason =
            switch phase {
            case .running: "no source is linked, or it sleeps; link one, or choose another device"
            case .suspended: "the device sleeps, as one does that is linked to nothing; link it, or choose another device"
            default: "the device is \(phase); it is waited for"
            }
        return "nothing is captured: " + reason
    }
}

extension Engine {
    /// The reason why nothing is captured though the device plays, or not every channel, for as long as that is so; nil where
    /// all is, and where it may begin by itself.
    public var captureError: DeviceError? { output?.port?.captureError }
}
