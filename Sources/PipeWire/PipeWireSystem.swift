import DSP
import RemoteIO

/// The devices of a PipeWire daemon: `pipewire`, which plays where the session wants it, `pipewire:NODE`, which plays on that
/// node, and `pipewire:none`, which is linked to nothing.
///
/// libpipewire is loaded when the first of these devices is asked for.
public struct PipeWireSystem: Sendable {
    /// The daemon's socket; nil for the default, which `PIPEWIRE_REMOTE` may say.
    public let remote: String?
    /// What the node is called.
    public let nodeName: String

    /// The devices of the daemon behind that socket. Nothing is loaded or connected yet.
    public init(remote: String? = nil, nodeName: String = "carillon") {
        self.remote = remote
        self.nodeName = nodeName
    }

    /// A node that plays.
    public struct Entry: Sendable, Equatable {
        /// What `--device` takes.
        public let name: String
        /// What people call it.
        public let description: String
    }

    /// What could be played on now, `pipewire` first. - Throws: `missingLibrary`, `noServer`, `failed`.
    public func entries() throws(DeviceError) -> [Entry] {
        let sinks = try PipeWireCalls.sinks(remote: remote)
        return [Entry(name: "pipewire", description: "the session's choice")]
            + sinks.map { Entry(name: "pipewire:\($0.name)", description: $0.description) }
    }
}

extension PipeWireSystem: PullSystem {
    package func claims(_ name: String) -> Bool { PipeWireName(name) != nil }

    package func open(
        _ name: String, _ request: DeviceRequest, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) -> any PulledDevice {
        try PipeWireDevice(name, request, self, gate)
    }

    package func isThere(_ name: String) -> Bool {
        do {
            let entries = try entries()
            guard case .node? = PipeWireName(name) else { return true }
            return entries.contains { $0.name == name }
        } catch { return false }
    }
}

/// Streams of a PipeWire daemon.
final class PipeWireDevice: PulledDevice {
    /// How long the graph may take to ask for sound until the device counts as asleep, milliseconds.
    private static let patience = 500

    let grant: DeviceGrant
    private let device: PipeWireCalls.Device
    private let priority: Int
    private var isOpen = true

    /// Makes the streams and waits a moment for the graph to ask; silent until the gate opens.
    init(
        _ name: String, _ request: DeviceRequest, _ system: PipeWireSystem, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) {
        let channels = request.deviceChannels
        let captured = request.capture ? request.captureChannels : 0
        // What PipeWire cannot play at this rate it converts itself.
        let rate = request.deviceRate ?? request.sampleRate
        let period = max(1, request.periodFrames * rate / max(request.sampleRate, 1))
        try request.check(device: name, rate: rate)
        var captureTarget: String?
        if captured > 0, let device = request.captureDevice {
            guard let other = PipeWireName(device) else {
                throw .request(
                    reason: "\(device): what PipeWire plays is captured by PipeWire; choose pipewire or pipewire:NODE")
            }
            captureTarget = other.target
        }
        // Until the graph says otherwise.
        gate.pointee.pause(true)
        device = try PipeWireCalls.open(
            name, PipeWireCalls.Wish(
                name: system.nodeName, target: PipeWireName(name)?.target, captureTarget: captureTarget,
                remote: system.remote, rate: rate, period: period, outputs: channels, inputs: captured,
                places: (request.layout(ofChannels: channels)?.speakers ?? []).map(Self.place)), gate)
        priority = request.priority
        grant = DeviceGrant(
            request: request, device: name, sampleRate: rate, periodFrames: period, bufferFrames: 2 * period,
            format: .float32, channels: channels, layout: request.layout(ofChannels: channels),
            captureChannels: captured)
        _ = PipeWireCalls.wait(device, milliseconds: Self.patience)
    }

    /// PipeWire's number for a loudspeaker (`enum spa_audio_channel`): what makes of more of them than a sink has a downmix of
    /// its own.
    private static func place(_ speaker: Speaker) -> UInt32 {
        switch speaker {
        case .frontLeft: 3
        case .frontRight: 4
        case .centre: 5
        case .lowFrequency: 6
        case .sideLeft: 7
        case .sideRight: 8
        case .rearLeft: 12
        case .rearRight: 13
        }
    }

    var threadPriority: ThreadPriority? {
        PipeWireCalls.priority(device).map { ThreadPriority(ofServer: $0, wanted: priority) }
    }

    func close() {
        if isOpen { PipeWireCalls.close(device) }
        isOpen = false
    }

    deinit { close() }
}
