import MIDI
import RemoteIO

/// The port that receives a master's beat. MIDI thread, once it runs.
///
/// One port of the system is connected to it, the first that has the name, for as long as it is there; one that goes away is
/// waited for. Two would send each pulse twice.
final class MIDIClockInput {
    let own: UInt8
    private let calls: ALSASequencerCalls
    private let name: String
    private var bay = OutputBay(listens: true)

    /// `name` is a part of the port's name, or an identity. Throws `failed` without a port.
    init(_ calls: ALSASequencerCalls, following name: String, client: String) throws(MIDIInletError) {
        let rule = try ConnectionRule(name)
        (self.calls, self.name) = (calls, name)
        own = try calls.createInput(name: "\(client) clock in")
        bay.add(name, rule, own: own)
    }

    var port: String? { if case .connected(let name) = bay.lines[0].state { name } else { nil } }
    var deadline: Int64? { bay.deadline }
    private var address: MIDIPortAddress { MIDIPortAddress(client: calls.client, port: own) }
    func takeNotices() -> [MIDINotice] { bay.takeChanged().map { .master(name: $0.name, $0.state) } }

    func vanished(_ port: MIDIPortAddress) { bay.vanished(port) }
    func disconnected(_ port: MIDIPortAddress) { bay.disconnected(own, port) }

    /// Announcements may have been lost.
    func lookAround() {
        guard let port = bay.lines[0].destination else { return }
        bay.reconcile(own, with: calls.listeners(of: port).contains(address) ? [port] : [])
    }

    /// Returns whether anything has changed.
    func connect(_ ports: [MIDIPort], at now: Int64) -> Bool {
        let changes = bay.changes(ports, at: now)
        for change in changes {
            var fault = calls.subscribe(from: change.destination, to: address)
            // Another program has connected the two already.
            if fault != nil, calls.listeners(of: change.destination).contains(address) { fault = nil }
            bay.done(change, ports.first { $0.address == change.destination }?.name ?? "", fault, at: now)
        }
        return !changes.isEmpty
    }
}
