import RemoteIO

/// The devices of a JACK server: `jack`, which plays on the machine's outputs, `jack:NAME`, which plays into another client,
/// and `jack:none`, which is connected to nothing.
///
/// The server is one that runs: none is started. libjack is loaded when the first of these devices is requested.
public struct JACKSystem: Sendable {
    /// The server's name; nil for the default, which `JACK_DEFAULT_SERVER` may set.
    public let server: String?
    /// The client's name among the others; JACK makes it unique.
    public let clientName: String

    /// The devices of the server called so. Nothing is loaded or connected yet.
    public init(server: String? = nil, clientName: String = "carillon") {
        self.server = server
        self.clientName = clientName
    }

    /// A client of the server that could be played to or captured from, or what leads out of the machine.
    public struct Entry: Sendable, Equatable {
        /// The name for `--device`.
        public let name: String
        /// Ports that take sound, and that give it.
        public let inputs: Int, outputs: Int
        /// The server's rate, and frames of a cycle.
        public let sampleRate: Int, periodFrames: Int
    }

    /// Lists what could be played on now, or captured from, `jack` first. - Throws: `missingLibrary`, `noServer`.
    public func entries(capturing: Bool = false) throws(DeviceError) -> [Entry] {
        let visitor = try JACKVisitor(server: server)
        let (taking, giving) = (visitor.ports(takeSound: true), visitor.ports(takeSound: false))
        func entry(_ name: String, _ taking: [String], _ giving: [String]) -> Entry {
            Entry(
                name: name, inputs: taking.count, outputs: giving.count, sampleRate: visitor.sampleRate,
                periodFrames: visitor.periodFrames)
        }
        var clients: [String] = []
        for port in capturing ? giving : taking {
            guard let name = Self.client(of: port), !clients.contains(name) else { continue }
            clients.append(name)
        }
        return [
            entry(
                "jack", visitor.ports(takeSound: true, arePhysical: true), visitor.ports(takeSound: false, arePhysical: true))
        ]
            + clients.map { name in
                func own(_ ports: [String]) -> [String] { ports.filter { Self.client(of: $0) == name } }
                return entry("jack:\(name)", own(taking), own(giving))
            }
    }

    static func client(of port: String) -> String? { port.firstIndex(of: ":").map { String(port[..<$0]) } }
}

extension JACKSystem: PullSystem {
    package func claims(_ name: String) -> Bool { JACKName(name) != nil }

    package func open(
        _ name: String, _ request: DeviceRequest, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) -> any PulledDevice {
        try JACKDevice(name, request, self, gate)
    }

    package func isThere(_ name: String, _ request: DeviceRequest) -> Bool {
        do {
            let entries = try entries(capturing: !request.playback)
            guard case .client? = JACKName(name) else { return true }
            return entries.contains { $0.name == name }
        } catch { return false }
    }
}
