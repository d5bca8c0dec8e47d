import DSP
import Glibc
import RemoteIO

final class JACKDevice: PulledDevice {
    let grant: DeviceGrant
    private let client: JACKCalls.Client
    private let priority: Int
    private var isOpen = true

    /// Silent until the gate opens.
    init(
        _ name: String, _ request: DeviceRequest, _ system: JACKSystem, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) {
        let channels = try Self.channels(name, request, system)
        let captured = request.capture ? request.captureChannels : 0
        client = try JACKCalls.open(
            name, name: system.clientName, server: system.server, outputs: channels, inputs: captured, gate)
        priority = request.priority
        let period = JACKCalls.period(client)
        grant = DeviceGrant(
            request: request, device: name, sampleRate: JACKCalls.sampleRate(client), periodFrames: period,
            bufferFrames: 2 * period, format: .float32, channels: channels,
            layout: request.layout(ofChannels: channels), captureChannels: captured)
        // What fails from here on ends with `deinit`.
        try request.check(device: name, rate: grant.sampleRate)
        try JACKCalls.activate(client, name)
        if channels > 0 { try connect(name, takeSound: true, count: channels) }
        if captured > 0 {
            try connect(request.captureDevice ?? name, takeSound: false, count: captured)
            _ = JACKCalls.linkedInputs(client)
        }
    }

    /// As many as are requested; no more than there are ports, where they are loudspeakers and can be folded down to those.
    private static func channels(
        _ name: String, _ request: DeviceRequest, _ system: JACKSystem
    ) throws(DeviceError) -> Int {
        guard request.layout != nil, request.deviceChannels > 2, let target = JACKName(name) else {
            return request.deviceChannels
        }
        let visitor = try JACKVisitor(server: system.server)
        let there = target.choose(
            visitor.ports(takeSound: true), physical: visitor.ports(takeSound: true, arePhysical: true)
        ).count
        let fitting = SpeakerLayout.allCases.last { $0.channels <= there && $0.channels <= request.deviceChannels }
        return there < 2 ? request.deviceChannels : fitting?.channels ?? request.deviceChannels
    }

    /// One to one; a single port with all.
    private func connect(_ name: String, takeSound: Bool, count: Int) throws(DeviceError) {
        guard let target = JACKName(name) else {
            throw .request(reason: "\(name): what JACK plays is captured by JACK; choose jack, jack:NAME or jack:none")
        }
        let all = JACKCalls.ports(client, takeSound: takeSound)
        let chosen = target.choose(all, physical: JACKCalls.ports(client, takeSound: takeSound, arePhysical: true))
        if chosen.isEmpty, case .client = target {
            let clients = Set(all.compactMap(JACKSystem.client)).subtracting([JACKCalls.name(client)])
            // A target without outputs is no error for capture: it has no sound to capture.
            if !takeSound, !target.choose(JACKCalls.ports(client, takeSound: true), physical: []).isEmpty { return }
            throw .notFound(device: name, cards: clients.sorted().map { "jack:\($0)" })
        }
        for index in 0..<count where !chosen.isEmpty {
            guard chosen.count == 1 || index < chosen.count,
                let own = JACKCalls.port(client, isInput: !takeSound, index)
            else { continue }
            let other = chosen[min(index, chosen.count - 1)]
            let isDone = takeSound ? JACKCalls.connect(client, own, other) : JACKCalls.connect(client, other, own)
            if !isDone {
                throw .failed(
                    device: name,
                    DeviceFault(
                        function: "jack_connect", code: EIO, text: "JACK does not connect \(own) with \(other)"))
            }
        }
    }

    var threadPriority: ThreadPriority? {
        JACKCalls.priority(client).map { ThreadPriority(ofServer: $0, wanted: priority) }
    }

    /// Looks, too, whether anything is linked: while the device plays this is asked for four times a second.
    var captureError: DeviceError? {
        let count = grant.captureChannels
        if count == 0 || !isOpen { return nil }
        let linked = JACKCalls.linkedInputs(client)
        let silent = (0..<count).filter { linked & 1 << UInt64($0) == 0 }
        // If none is, a source may still come.
        if silent.isEmpty || silent.count == count { return nil }
        let name = grant.request.captureDevice ?? grant.device
        let numbers = silent.map { "\($0 + 1)" }.joined(separator: ", ")
        let isOne = silent.count == 1
        return .request(
            reason: "\(name): channel\(isOne ? "" : "s") \(numbers) of \(count) \(isOne ? "is" : "are") linked to nothing and "
                + "silent; link \(isOne ? "it" : "them"), or capture fewer channels")
    }

    func close() {
        if isOpen { JACKCalls.close(client) }
        isOpen = false
    }

    deinit { close() }
}

final class JACKVisitor {
    let client: JACKCalls.Client

    init(server: String?) throws(DeviceError) {
        client = try JACKCalls.open("jack", name: "carillon-look", server: server, outputs: 0, inputs: 0, nil)
    }

    var sampleRate: Int { JACKCalls.sampleRate(client) }
    var periodFrames: Int { JACKCalls.period(client) }

    func ports(takeSound: Bool, arePhysical: Bool = false) -> [String] {
        JACKCalls.ports(client, takeSound: takeSound, arePhysical: arePhysical)
    }

    deinit { JACKCalls.close(client) }
}
