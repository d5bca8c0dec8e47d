import RemoteIO

/// Our output ports and the ports that they go to: decides which connections to make and to remove. Pure: its input is the
/// ports that there are.
///
/// An output goes to one port: the first that has its name, for as long as it is there. One that goes away is waited for.
struct OutputBay: Sendable {
    struct Line: Sendable {
        let name: String
        let rule: ConnectionRule
        let own: UInt8
        var destination: MIDIPortAddress?
        var state = OutputState.absent
        var retry: Int64 = 0
        /// A port that it is not connected to again until that goes, and why.
        var bar: (port: MIDIPortAddress, state: OutputState)?
        var wasConnected = false
    }

    /// A connection to make, by the line's place.
    struct Change: Hashable, Sendable {
        let line: Int
        let destination: MIDIPortAddress
    }

    /// True if ports are listened to, instead of played to.
    private let listens: Bool
    private(set) var lines: [Line] = []
    /// Lines whose state has changed since it was last asked for.
    private var changed: [Int] = []

    init(listens: Bool = false) { self.listens = listens }

    mutating func add(_ name: String, _ rule: ConnectionRule, own: UInt8) {
        changed.append(lines.count)
        lines.append(Line(name: name, rule: rule, own: own))
    }

    mutating func remove(_ name: String, own: UInt8) -> MIDIPortAddress? {
        guard let index = lines.firstIndex(where: { $0.name == name && $0.own == own }) else { return nil }
        changed = changed.filter { $0 != index }.map { $0 > index ? $0 - 1 : $0 }
        return lines.remove(at: index).destination
    }

    mutating func vanished(_ port: MIDIPortAddress) {
        for index in lines.indices {
            if lines[index].bar?.port == port { lines[index].bar = nil }
            if lines[index].destination == port {
                lines[index].destination = nil
                give(index, .absent)
            }
        }
    }

    mutating func disconnected(_ own: UInt8, _ port: MIDIPortAddress) { bar(own, port, .disconnected) }

    /// What goes there comes back: it is not connected again until it goes.
    mutating func bar(_ own: UInt8, _ port: MIDIPortAddress, _ state: OutputState) {
        for index in lines.indices where lines[index].own == own && lines[index].destination == port {
            lines[index].destination = nil
            lines[index].bar = (port, state)
            give(index, state)
        }
    }

    /// The kernel's own list of the ports that listen to our port, if announcements may have been lost.
    mutating func reconcile(_ own: UInt8, with listeners: [MIDIPortAddress]) {
        for index in lines.indices where lines[index].own == own {
            if let port = lines[index].destination, !listeners.contains(port) { lines[index].destination = nil }
        }
    }

    mutating func done(_ change: Change, _ name: String, _ fault: ALSAFault?, at now: Int64) {
        if let fault {
            lines[change.line].retry = now + Patchbay.retryTime
            give(change.line, .refused(fault))
        } else {
            lines[change.line].destination = change.destination
            lines[change.line].wasConnected = true
            give(change.line, .connected(name))
        }
    }

    /// nil when no connection was refused.
    var deadline: Int64? { lines.filter(\.isRefused).map(\.retry).min() }

    /// The connections to make, of ports that are there.
    mutating func changes(_ ports: [MIDIPort], at now: Int64) -> [Change] {
        var changes: [Change] = []
        for index in lines.indices {
            let line = lines[index]
            if let port = line.destination, !ports.contains(where: { $0.address == port }) { vanished(port) }
            if lines[index].destination != nil { continue }
            guard let port = choice(ports, line.rule) else {
                give(index, .absent)
                continue
            }
            if line.bar?.port == port.address { continue }
            if line.isRefused && now < line.retry { continue }
            changes.append(Change(line: index, destination: port.address))
        }
        return changes
    }

    mutating func takeChanged() -> [Line] {
        var seen: Set<Int> = []
        defer { changed = [] }
        return changed.filter { seen.insert($0).inserted }.map { lines[$0] }
    }

    /// The one that fits best, of equals the first.
    private func choice(_ ports: [MIDIPort], _ rule: ConnectionRule) -> MIDIPort? {
        let known = ports.filter { (listens ? $0.isReadable : $0.isWritable) && $0.kind != .own && $0.kind != .system }
            .sorted { $0.address < $1.address }
        switch rule.selector {
        case .any: return nil
        case .name(let pattern):
            return known.first(where: pattern.matches)
        case .identity(let wanted):
            let ranked = known.compactMap { port in wanted.rank(of: port.identity).map { (port, $0) } }
            return ranked.first { entry in !ranked.contains { $0.1 > entry.1 } }?.0
        }
    }

    private mutating func give(_ index: Int, _ state: OutputState) {
        if lines[index].state == state { return }
        lines[index].state = state
        changed.append(index)
    }
}

extension OutputBay.Line {
    var isRefused: Bool { if case .refused = state { true } else { false } }
}

/// The state of an output: every one has a state, and it is one sentence.
public enum OutputState: Hashable, Sendable, CustomStringConvertible {
    /// Connected to the port of this name.
    case connected(String)
    /// No port has its name; it is connected when one comes.
    case absent
    /// The kernel refused; it is tried again twice a second.
    case refused(ALSAFault)
    /// Another program took the connection away.
    case disconnected
    /// Cut off: what was sent there came back, again and again.
    case feedback
    /// The name cannot be read.
    case unreadable(MIDIInletError.RuleFault)

    public var description: String {
        switch self {
        case .connected(let port): "plays out to \(port)"
        case .absent: "no MIDI port of this name can be played to; it is connected when one comes"
        case .refused(let fault): "the kernel refused to connect it: \(fault); it is tried again"
        case .disconnected: "another program disconnected it; plug it in again or use aconnect"
        case .feedback: "what went out came back in, a feedback loop; break it and plug it in again"
        case .unreadable(let fault): "\(fault)"
        }
    }
}
