import CRealtime
import RemoteIO
import Synchronization

/// Listens to the ports that rules ask for, those that come later too, and gives what they send as bytes with their names.
///
/// One thread looks and takes.
package final class MIDIListener: Sendable {
    /// What a port sent, with the moment at which the kernel took it (CLOCK_MONOTONIC).
    package struct Heard: Sendable {
        package let port: String
        package let nanoseconds: Int64
        package let bytes: [UInt8]
    }

    /// What there is since the last time.
    package struct News: Sendable {
        package var heard: [Heard] = []
        /// What was given up because it was not taken in time.
        package var lost = 0
    }

    private struct Waiting {
        var arrivals: [SequencerPorts.Arrival] = []
        var lost = 0
    }

    private struct State {
        var connected: Set<MIDIPortAddress> = []
        var refused: Set<MIDIPortAddress> = []
        var names: [MIDIPortAddress: String] = [:]
    }

    /// The most pieces that wait to be taken: some ten seconds of the fastest cable.
    private static let limit = 16_384

    private let rules: [ConnectionRule]
    private let ports: SequencerPorts
    private let input: UInt8
    private let wake: Wake
    private let state = Mutex(State())

    /// What the reading thread and the taking one share.
    private final class Wake: Sendable {
        let event: WakeEvent
        let waiting = Mutex(Waiting())

        init() throws(MIDIInletError) { event = try WakeEvent() }
    }

    /// Opens the client, with a port that others may play to as well. Nothing is connected before `look`.
    package init(name: String, rules: [ConnectionRule]) throws(MIDIInletError) {
        self.rules = rules
        let wake = try Wake()
        self.wake = wake
        ports = try SequencerPorts(name: name) { arrival in
            wake.waiting.withLock { waiting in
                if waiting.arrivals.count < Self.limit { waiting.arrivals.append(arrival) } else { waiting.lost += 1 }
            }
            wake.event.signal()
        } changed: {
            wake.event.signal()
        }
        do throws(MIDIInletError) { input = try ports.addInput("\(name) in") } catch {
            ports.close()
            throw error
        }
    }

    /// Readable when there is something to take, or a port came or went.
    package var descriptor: Int32 { wake.event.descriptor }

    /// Connects the ports that are wanted and new. Returns a sentence about each that came, went or was refused.
    package func look() -> [String] {
        state.withLock { state in
            let here = ports.ports, wanted = ConnectionPlan.choices(for: here, rules: rules)
            var sentences: [String] = []
            for port in here where wanted[port.address] != nil && !state.connected.contains(port.address) {
                if let fault = ports.connect(from: port.address, to: input) {
                    if state.refused.insert(port.address).inserted {
                        sentences.append("\(port.name): cannot be listened to: \(fault)")
                    }
                } else {
                    state.connected.insert(port.address)
                    sentences.append("listening to \(port.name)")
                }
            }
            let gone = state.connected.filter { address in !here.contains { $0.address == address } }
            sentences += gone.sorted().map { "\(state.names[$0] ?? "\($0)") has gone" }
            state.connected.subtract(gone)
            state.refused.formIntersection(here.map(\.address))
            for port in here { state.names[port.address] = port.name }
            return sentences
        }
    }

    /// True once a port is listened to, and while it is there.
    package var isConnected: Bool { state.withLock { !$0.connected.isEmpty } }

    /// Takes what came since the last call.
    package func take() -> News {
        rt_event_clear(wake.event.descriptor)
        let waiting = wake.waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        return state.withLock { state in
            News(
                heard: waiting.arrivals.map { arrival in
                    Heard(
                        port: state.names[arrival.source] ?? "\(arrival.source)", nanoseconds: arrival.nanoseconds,
                        bytes: arrival.bytes)
                }, lost: waiting.lost)
        }
    }

    /// Ends it; nothing comes any more.
    package func close() { ports.close() }
}
