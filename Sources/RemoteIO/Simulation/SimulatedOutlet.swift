import MIDI
import Synchronization

/// An outlet in simulated time: it keeps what goes out and when, and plays nothing.
package final class SimulatedOutlet: MIDIOutlet {
    /// A message that went out, and the moment, nanoseconds of the simulated clock.
    package struct Sent: Hashable, Sendable {
        package let nanoseconds: Int64
        package let message: MIDIMessage
    }

    private struct State {
        var outputs: [MIDIOutput] = []
        var clock: [String] = []
        var sent: [Sent] = []
        var clockMessages: [StampedClockMessage] = []
        var scheduled: [StampedMIDIMessage] = []
        var connections = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    /// - Parameter now: nanoseconds of the simulated clock, as `SimulatedPort.nanoseconds`.
    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The outputs as they were named last.
    package var outputs: [MIDIOutput] { state.withLock { $0.outputs } }
    /// The ports that get MIDI clock.
    package var clock: [String] { state.withLock { $0.clock } }
    /// All that was sent, in order.
    package var sent: [Sent] { state.withLock { $0.sent } }
    /// Messages of the clock that were sent, or are scheduled now; a moment that had passed already counts as now.
    package var clockMessages: [StampedClockMessage] { state.withLock { $0.clockMessages } }
    /// Messages for outputs that were sent at their moments, or are scheduled now.
    package var scheduled: [StampedMIDIMessage] { state.withLock { $0.scheduled } }
    /// The number of calls of `connectClock`.
    package var clockConnections: Int { state.withLock { $0.connections } }

    /// The outputs and the ports that get the clock, each connected to a port of its own name.
    package var destinations: [MIDIDestination] {
        let (outputs, clock) = state.withLock { ($0.outputs.map(\.name), $0.clock) }
        return (outputs.map { ($0, false) } + clock.map { ($0, true) }).map { name, getsBeat in
            MIDIDestination(name, getsBeat: getsBeat, port: name, state: "plays out to \(name)")
        }
    }

    /// The simulated clock.
    package var nanoseconds: Int64 { now() }

    /// A port that gets MIDI clock is plugged in.
    package func connectClock() { state.withLock { $0.connections += 1 } }

    /// Keeps the names.
    package func open(_ outputs: [MIDIOutput], clock: [String]) {
        state.withLock { ($0.outputs, $0.clock) = (outputs, clock) }
    }

    /// Keeps the messages.
    package func send(_ messages: [MIDIMessage]) {
        let now = now()
        state.withLock { $0.sent += messages.map { Sent(nanoseconds: now, message: $0) } }
    }

    /// Keeps the messages for their moments.
    package func schedule(_ messages: [StampedClockMessage], withdrawing withdrawn: Int64?) {
        let now = now()
        state.withLock { state in
            // What is out is out.
            if let withdrawn { state.clockMessages.removeAll { $0.nanoseconds >= max(withdrawn, now) } }
            state.clockMessages += messages.map { StampedClockMessage($0.message, at: max($0.nanoseconds, now)) }
        }
    }

    /// Keeps the messages for their moments.
    package func schedule(_ messages: [StampedMIDIMessage], withdrawing withdrawn: Int64?) {
        let now = now()
        state.withLock { state in
            if let withdrawn { state.scheduled.removeAll { $0.nanoseconds >= max(withdrawn, now) } }
            state.scheduled += messages.map { StampedMIDIMessage($0.message, at: max($0.nanoseconds, now)) }
        }
    }
}
