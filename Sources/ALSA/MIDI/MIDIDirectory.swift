import RemoteIO

/// The MIDI ports of this machine: their kinds, their connections, and what a session with these rules does or would do with
/// each.
public struct MIDIDirectory: Sendable {
    /// A port and its description.
    public struct Entry: Hashable, Sendable {
        public let port: MIDIPort
        /// One sentence: what the rules do with it.
        public let reason: ConnectionReason
        /// The ports that listen to it now, as `client: port`.
        public let listeners: [String]
    }

    /// The ports, in the order of their addresses.
    public let entries: [Entry]

    /// Looks at what is there now. Opens the sequencer for a moment, changes nothing. Any thread.
    ///
    /// Throws `MIDIInletError` if there is no sequencer.
    public init(rules: [ConnectionRule] = [.any]) throws(MIDIInletError) {
        let calls = try ALSASequencerCalls(name: "Carillon devices")
        let ports = calls.ports().filter { $0.kind != .own }
        var names: [MIDIPortAddress: String] = [:]
        for port in ports { names[port.address] = port.name }
        let chosen = ConnectionPlan.choices(for: ports, rules: rules)
        entries = ports.map { port in
            let reason =
                chosen[port.address].map(ConnectionReason.wanted)
                ?? ConnectionPlan.refusal(of: port, rules: rules)
            let listeners = port.isReadable ? calls.listeners(of: port.address) : []
            return Entry(port: port, reason: reason, listeners: listeners.map { names[$0] ?? "\($0)" })
        }
    }
}
