import DSP
import RemoteIO

/// The devices of a PipeWire daemon: `pipewire`, which plays on the session's default device, `pipewire:NODE`, which plays on
/// that node, and `pipewire:none`, which is linked to nothing.
///
/// libpipewire is loaded when the first of these devices is requested.
public struct PipeWireSystem: Sendable {
    /// The daemon's socket; nil for the default, which `PIPEWIRE_REMOTE` may set.
    public let remote: String?
    /// The node's name.
    public let nodeName: String

    /// The devices of the daemon at that socket. Nothing is loaded or connected yet.
    public init(remote: String? = nil, nodeName: String = "carillon") {
        self.remote = remote
        self.nodeName = nodeName
    }

    /// A node that plays, or captures.
    public struct Entry: Sendable, Equatable {
        /// The name for `--device`.
        public let name: String
        /// The name for display.
        public let description: String
    }

    /// Lists what could be played on now, or captured from, `pipewire` first. - Throws: `missingLibrary`, `noServer`, `failed`.
    public func entries(capturing: Bool = false) throws(DeviceError) -> [Entry] {
        let nodes = try PipeWireCalls.nodes(for: "pipewire", remote: remote)
        return [Entry(name: "pipewire", description: "the session's choice")]
            + nodes.filter { capturing ? $0.isSource : $0.isSink }.map {
                Entry(name: "pipewire:\($0.name)", description: $0.description)
            }
    }

    /// A session manager would play on another device where a named one is missing: then the next of the list has its turn.
    func check(_ device: String, captures: Bool) throws(DeviceError) {
        guard case .node(let wanted)? = PipeWireName(device) else { return }
        let nodes = try PipeWireCalls.nodes(for: device, remote: remote)
        if nodes.contains(where: { $0.isMeant(by: wanted) && (captures ? $0.givesSound : $0.takesSound) }) { return }
        let there = nodes.filter { captures ? $0.isSource : $0.isSink }
        throw .notFound(device: device, cards: there.map { "pipewire:\($0.name)" })
    }
}

extension PipeWireSystem: PullSystem {
    package func claims(_ name: String) -> Bool { PipeWireName(name) != nil }

    package func open(
        _ name: String, _ request: DeviceRequest, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) -> any PulledDevice {
        try PipeWireDevice(name, request, self, gate)
    }

    package func isThere(_ name: String, _ request: DeviceRequest) -> Bool {
        do {
            // The daemon is asked in any case.
            _ = try entries()
            try check(name, captures: !request.playback)
            return true
        } catch { return false }
    }
}

final class PipeWireDevice: PulledDevice {
    /// Milliseconds that the graph may take to ask for sound until the device counts as asleep.
    private static let patience = 500

    let grant: DeviceGrant
    private let device: PipeWireCalls.Device
    private let captureName: String
    private let priority: Int
    private var isOpen = true

    /// Waits a moment for the graph to ask; silent until the gate opens.
    init(
        _ name: String, _ request: DeviceRequest, _ system: PipeWireSystem, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) {
        // The graph asks the stream that plays; if nothing is to be heard, it plays silence on the session's default device,
        // and the name is that of the source.
        let channels = request.playback ? request.deviceChannels : 2
        let captured = request.capture ? request.captureChannels : 0
        // What PipeWire cannot play at this rate it converts itself.
        let rate = request.deviceRate ?? request.sampleRate
        let period = max(1, request.periodFrames * rate / max(request.sampleRate, 1))
        try request.check(device: name, rate: rate)
        try system.check(name, captures: !request.playback)
        var captureTarget: String?
        if captured > 0, let device = request.captureDevice {
            guard let other = PipeWireName(device) else {
                throw .request(
                    reason: "\(device): what PipeWire plays is captured by PipeWire; choose pipewire or pipewire:NODE")
            }
            try system.check(device, captures: true)
            captureTarget = other.target
        } else if !request.playback {
            captureTarget = PipeWireName(name)?.target
        }
        captureName = request.captureDevice ?? name
        let own = PipeWireName(name)?.target
        // What is linked to nothing stays so.
        let target = request.playback || own?.isEmpty == true ? own : nil
        // Until the graph changes it.
        gate.pointee.pause(true)
        device = try PipeWireCalls.open(
            name,
            PipeWireCalls.Wish(
                name: system.nodeName, target: target, captureTarget: captureTarget,
                remote: system.remote, rate: rate, period: period, outputs: channels, inputs: captured,
                places: (request.layout(ofChannels: channels)?.speakers ?? []).map(Self.place)), gate)
        priority = request.priority
        grant = DeviceGrant(
            request: request, device: name, sampleRate: rate, periodFrames: period, bufferFrames: 2 * period,
            format: .float32, channels: channels, layout: request.layout(ofChannels: channels),
            captureChannels: captured)
        _ = PipeWireCalls.wait(device, milliseconds: Self.patience)
    }

    /// `enum spa_audio_channel`: what makes of more of them than a sink has a downmix of its own.
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

    var captureError: DeviceError? {
        PipeWireCalls.captureFault(device).map { .failed(device: captureName, $0) }
    }

    func close() {
        if isOpen { PipeWireCalls.close(device) }
        isOpen = false
    }

    deinit { close() }
}
