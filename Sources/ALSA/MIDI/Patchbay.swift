/// The ports that are there and their connections: decides which connections to make and to remove. Pure: its input is the
/// ports and connections that come and go.
struct Patchbay: Sendable {
    struct Change: Hashable, Sendable {
        let port: MIDIPortAddress
        let input: Int
        let isConnection: Bool
    }

    struct Entry: Sendable {
        var port: MIDIPort
        var reason = ConnectionReason.noRule
        /// Our input port that we have connected it to.
        var ours: Int?
        /// Our input ports that others have connected it to.
        var others: Set<Int> = []
        /// The reason why the port is left alone, although a rule names it, until it goes.
        var bar: ConnectionReason?
        var retry: Int64 = 0

        /// Our input ports that it is connected to.
        var inputs: [Int] { others.union(ours.map { [$0] } ?? []).sorted() }
    }

    /// Nanoseconds.
    static let retryTime: Int64 = 500_000_000

    /// The clients whose ports wait until their card is listed.
    var announced = AnnouncedCards()

    private let rules: [ConnectionRule]
    private let inputCount: Int
    private var entries: [MIDIPortAddress: Entry] = [:]
    /// Ports whose reason has changed since the last call of `takeChanged`.
    private var changed: [MIDIPortAddress] = []

    init(rules: [ConnectionRule], inputCount: Int) {
        self.rules = rules
        self.inputCount = inputCount
    }

    var ports: [Entry] { entries.values.sorted { $0.port.address < $1.port.address } }

    subscript(address: MIDIPortAddress) -> Entry? { entries[address] }

    mutating func update(client: UInt8, ports: [MIDIPort]) -> [Entry] {
        let here = Set(ports.map(\.address))
        let gone = self.ports.filter { $0.port.address.client == client && !here.contains($0.port.address) }
        for entry in gone { entries[entry.port.address] = nil }
        for port in ports {
            guard let entry = entries[port.address] else {
                entries[port.address] = Entry(port: port)
                changed.append(port.address)
                continue
            }
            // Another identity at the same address: the old one went without a word.
            if entry.port != port {
                entries[port.address]?.port = port
                entries[port.address]?.retry = 0
            }
        }
        return gone
    }

    mutating func remove(_ address: MIDIPortAddress) -> Entry? { entries.removeValue(forKey: address) }

    mutating func connected(_ port: MIDIPortAddress, _ input: Int) {
        guard let entry = entries[port], entry.ours != input else { return }
        entries[port]?.others.insert(input)
        entries[port]?.bar = nil
    }

    /// A connection is no more: we, another program or the kernel took it away.
    mutating func disconnected(_ port: MIDIPortAddress, _ input: Int) {
        guard let entry = entries[port] else { return }
        if entry.ours == input {
            entries[port]?.ours = nil
            if entry.bar == nil { entries[port]?.bar = .disconnected }
        }
        entries[port]?.others.remove(input)
    }

    /// Updates the entry from the kernel's own list, since events may have been lost. Returns the inputs that are no longer
    /// connected: the port may have gone and come back at the same address, so our connection must be made again.
    mutating func reconcile(_ port: MIDIPortAddress, with inputs: Set<Int>) -> [Int] {
        guard let entry = entries[port] else { return [] }
        if let ours = entry.ours, !inputs.contains(ours) { entries[port]?.ours = nil }
        entries[port]?.others = entry.others.intersection(inputs)
        for input in inputs.subtracting(entry.inputs).sorted() { connected(port, input) }
        return entry.inputs.filter { !inputs.contains($0) }
    }

    /// What goes out comes back here: its connections are to be taken away, and not made again.
    mutating func bar(_ port: MIDIPortAddress, because reason: ConnectionReason) { entries[port]?.bar = reason }

    mutating func done(_ change: Change, _ fault: ALSAFault?, at now: Int64) {
        if !change.isConnection {
            if entries[change.port]?.ours == change.input { entries[change.port]?.ours = nil }
            entries[change.port]?.others.remove(change.input)
        } else if let fault {
            entries[change.port]?.retry = now + Self.retryTime
            give(change.port, .refused(fault))
        } else {
            entries[change.port]?.ours = change.input
        }
    }

    /// nil when none was refused.
    var deadline: Int64? { entries.values.filter(\.isRefused).map(\.retry).min() }

    /// Returns the changes to make, in the order of addresses.
    /// `fedBack` are ports that carry what we send: connecting one would make a loop.
    mutating func changes(at now: Int64, fedBack: Set<MIDIPortAddress> = []) -> [Change] {
        let chosen = ConnectionPlan.choices(for: ports.map(\.port), rules: rules)
        var changes: [Change] = []
        for entry in ports {
            let address = entry.port.address
            let rule = chosen[address].flatMap { $0.input < inputCount ? $0 : nil }
            let bar = fedBack.contains(address) && (rule != nil || !entry.inputs.isEmpty) ? .loop : entry.bar
            if bar == .loop || bar == .feedback {
                changes += entry.inputs.map { Change(port: address, input: $0, isConnection: false) }
                give(address, bar ?? .loop)
                continue
            }
            if let ours = entry.ours, ours != rule?.input {
                changes.append(Change(port: address, input: ours, isConnection: false))
            }
            if let rule, bar == nil || entry.ours == rule.input {
                if entry.ours == rule.input {
                    give(address, .rule(rule))
                } else if !entry.isRefused || now >= entry.retry {
                    changes.append(Change(port: address, input: rule.input, isConnection: true))
                }
            } else if !entry.others.isEmpty {
                give(address, .otherProgram)
            } else {
                give(address, bar ?? ConnectionPlan.refusal(of: entry.port, rules: rules))
            }
        }
        return changes
    }

    /// The ports whose reason has changed since the last call, in the order in which that happened.
    mutating func takeChanged() -> [Entry] {
        var seen: Set<MIDIPortAddress> = []
        let entries = changed.filter { seen.insert($0).inserted }.compactMap { self.entries[$0] }
        changed = []
        return entries
    }

    private mutating func give(_ address: MIDIPortAddress, _ reason: ConnectionReason) {
        guard entries[address]?.reason != reason else { return }
        entries[address]?.reason = reason
        changed.append(address)
    }
}

extension Patchbay.Entry {
    var isRefused: Bool { if case .refused = reason { true } else { false } }
}
