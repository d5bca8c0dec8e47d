import MIDI
import RemoteIO
import Synchronization

/// An outlet in simulated time: it keeps what goes out and when, and plays nothing.
final class SimulatedOutlet: MIDIOutlet {
    /// A message that went out, and the moment, nanoseconds of the simulated clock.
    struct Sent: Hashable, Sendable {
        let nanoseconds: Int64
        let message: MIDIMessage
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
    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The outputs as they were named last.
    var outputs: [MIDIOutput] { state.withLock { $0.outputs } }
    /// The ports that get the beat.
    var clock: [String] { state.withLock { $0.clock } }
    /// All that was sent, in order.
    var sent: [Sent] { state.withLock { $0.sent } }
    /// Messages of the clock that were sent, or are scheduled now; a moment that had passed already counts as now.
    var clockMessages: [StampedClockMessage] { state.withLock { $0.clockMessages } }
    /// Messages for outputs that were sent at their moments, or are scheduled now.
    var scheduled: [StampedMIDIMessage] { state.withLock { $0.scheduled } }
    /// The number of calls of `connectClock`.
    var clockConnections: Int { state.withLock { $0.connections } }

    /// All are connected, each to itself.
    var destinations: [MIDIDestination] {
        let (outputs, clock) = state.withLock { ($0.outputs.map(\.name), $0.clock) }
        return (outputs.map { ($0, false) } + clock.map { ($0, true) }).map { name, getsBeat in
            MIDIDestination(name, getsBeat: getsBeat, port: name, state: "plays out to \(name)")
        }
    }

    /// The simulated clock.
    var nanoseconds: Int64 { now() }

    /// A port that gets the beat is plugged in.
    func connectClock() { state.withLock { $0.connections += 1 } }

    /// Keeps the names.
    func open(_ outputs: [MIDIOutput], clock: [String]) {
        state.withLock { ($0.outputs, $0.clock) = (outputs, clock) }
    }

    /// Keeps the messages.
    func send(_ messages: [MIDIMessage]) {
        let now = now()
        state.withLock { $0.sent += messages.map { Sent(nanoseconds: now, message: $0) } }
    }

    /// Keeps the messages for their moments.
    func schedule(_ messages: [StampedClockMessage], withdrawing withdrawn: Int64?) {
        let now = now()
        state.withLock { state in
            // What is out is out.
            if let withdrawn { state.clockMessages.removeAll { $0.nanoseconds >= max(withdrawn, now) } }
            state.clockMessages += messages.map { StampedClockMessage($0.message, at: max($0.nanoseconds, now)) }
        }
    }

    /// Keeps the messages for their moments.
    func schedule(_ messages: [StampedMIDIMessage], withdrawing withdrawn: Int64?) {
        let now = now()
        state.withLock { state in
            if let withdrawn { state.scheduled.removeAll { $0.nanoseconds >= max(withdrawn, now) } }
            state.scheduled += messages.map { StampedMIDIMessage($0.message, at: max($0.nanoseconds, now)) }
        }
    }
}
