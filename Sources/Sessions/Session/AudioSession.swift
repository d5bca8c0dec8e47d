import RealtimeCore
import RemoteIO

/// An event of the sound output that neither the request nor the grant shows, like the notifications of an `AVAudioSession`.
public enum AudioSessionEvent: Sendable, Hashable, CustomStringConvertible {
    /// Nothing is heard any more, from this frame on; musical time goes on.
    case interruptionBegan(device: String, reason: Interruption, time: SampleTime)
    /// Sound is heard again, from this device.
    case interruptionEnded(device: String, time: SampleTime)
    /// Another device of the list plays than before.
    case routeChanged(from: String, to: String, time: SampleTime)

    /// The reason why nothing is heard.
    public enum Interruption: Sendable, Hashable {
        /// The device has gone, or another program has taken it.
        case lost
        /// The system has put the device to sleep.
        case suspended
    }

    /// The sample time of the slice that was next then.
    public var time: SampleTime {
        switch self {
        case .interruptionBegan(_, _, let time), .interruptionEnded(_, let time), .routeChanged(_, _, let time): time
        }
    }

    public var description: String {
        switch self {
        case .interruptionBegan(let device, .lost, _): "\(device) is gone"
        case .interruptionBegan(let device, .suspended, _): "\(device) sleeps"
        case .interruptionEnded(let device, _): "\(device) is back"
        case .routeChanged(let from, let to, _): "\(to) plays instead of \(from)"
        }
    }
}

/// The policy for a session's song while nothing is heard.
public enum InterruptionPolicy: String, Sendable, CaseIterable {
    /// The song goes on, unheard, and is heard again where it is by then.
    case goOn = "go-on"
    /// The song waits where it was last heard.
    case pause
    /// The song stops, at its beginning.
    case stop
}

/// Follows a device and reports interruptions and changes of route. Control side, polled with the session.
struct AudioSession {
    private var device: String?
    private var interrupted = false

    /// Returns the events since the last look; an xrun is not an interruption.
    mutating func events(_ status: DeviceStatus, _ grant: DeviceGrant?) -> [AudioSessionEvent] {
        switch status.phase {
        case .running, .starting, .null:
            guard let name = grant?.device else { return [] }
            defer { (device, interrupted) = (name, false) }
            var events: [AudioSessionEvent] = []
            if interrupted { events.append(.interruptionEnded(device: name, time: status.sampleTime)) }
            if let device, device != name { events.append(.routeChanged(from: device, to: name, time: status.sampleTime)) }
            return events
        case .lost, .suspended:
            // A device that never played is waited for; it does not count as lost.
            guard let device, !interrupted else { return [] }
            interrupted = true
            return [
                .interruptionBegan(
                    device: device, reason: status.phase == .suspended ? .suspended : .lost, time: status.sampleTime)
            ]
        case .idle, .opening, .recovering, .stopped: return []
        }
    }
}
