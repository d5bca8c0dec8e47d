import CRealtime
import Glibc
import MIDI
import RemoteIO

@testable import ALSA

/// A program that is played to: a sequencer client with an input port, and what arrived there, with the kernel's stamps. On a
/// real kernel only.
final class VirtualSynthesizer {
    struct Arrival {
        let body: MIDIPortEvent.Body
        /// CLOCK_MONOTONIC nanoseconds.
        let nanoseconds: Int64
    }

    private let calls: ALSASequencerCalls
    private var clock = QueueClock()
    private let input: UInt8
    private(set) var arrivals: [Arrival] = []

    init(_ name: String) throws(MIDIInletError) {
        calls = try ALSASequencerCalls(name: name)
        try calls.startQueue(name: name)
        input = try calls.createInput(name: name)
    }

    var address: MIDIPortAddress { MIDIPortAddress(client: calls.client, port: input) }

    var messages: [MIDIMessage] {
        arrivals.flatMap { arrival -> [MIDIMessage] in
            if case .messages(let messages) = arrival.body { messages } else { [] }
        }
    }

    /// Messages of the clock and their moments.
    /// Note-ons, and when they came.
    var notes: [(message: MIDIMessage, nanoseconds: Int64)] {
        arrivals.flatMap { arrival -> [(message: MIDIMessage, nanoseconds: Int64)] in
            guard case .messages(let messages) = arrival.body else { return [] }
            return messages.filter { $0.kind == .noteOn }.map { ($0, arrival.nanoseconds) }
        }
    }

    var beats: [(message: ClockMessage, nanoseconds: Int64)] {
        arrivals.compactMap { arrival in
            if case .clock(let message) = arrival.body { (message, arrival.nanoseconds) } else { nil }
        }
    }

    /// Takes in what arrives until `condition` holds; false after `seconds`. The kernel's time is real: this one really waits.
    func wait(_ seconds: Double = 5, until condition: (VirtualSynthesizer) -> Bool) -> Bool {
        let end = rt_monotonic_nanoseconds() + Int64(seconds * 1e9)
        while rt_monotonic_nanoseconds() < end {
            read()
            if condition(self) { return true }
            usleep(500)
        }
        return condition(self)
    }

    private func read() {
        let before = rt_monotonic_nanoseconds()
        if let queue = calls.queueNanoseconds() {
            clock.observe(before: before, queue: queue, after: rt_monotonic_nanoseconds())
        }
        while case .event(let event) = calls.read() {
            let now = rt_monotonic_nanoseconds()
            let moment = event.stamp.flatMap { clock.nanoseconds(ofStamp: $0, now: now) } ?? now
            arrivals.append(Arrival(body: event.body, nanoseconds: moment))
        }
    }

    /// Listens to `port`.
    func connect(to port: MIDIPortAddress) -> ALSAFault? { calls.subscribe(from: port, to: address) }

    /// Takes the connection from `port` away, as another program would.
    func disconnect(from port: MIDIPortAddress) -> ALSAFault? { calls.unsubscribe(from: port, to: address) }
}
