import RemoteIO
import Synchronization

/// The board on which the MIDI thread shows its state and gets requests: copies under a lock that both sides hold
/// for a moment. The audio thread has no part in it.
final class MIDIBoard: Sendable {
    private struct State {
        var sources: [MIDISource] = []
        var destinations: [MIDIDestination] = []
        var counters = MIDICounters()
        var notices: [MIDINotice] = []
        var commands: [MIDIClientSession.Command] = []
        var clock: [StampedClockMessage] = []
        var master: String?
        var priority: ThreadPriority?
    }

    private static let noticeLimit = 256
    /// The most messages of the clock that wait: half a minute. If they are not taken, the oldest are dropped.
    private static let clockLimit = 2_048
    private let state = Mutex(State())

    var sources: [MIDISource] { state.withLock { $0.sources } }
    var destinations: [MIDIDestination] { state.withLock { $0.destinations } }
    var counters: MIDICounters { state.withLock { $0.counters } }
    var priority: ThreadPriority? { state.withLock { $0.priority } }

    /// MIDI thread.
    func write(priority: ThreadPriority) { state.withLock { $0.priority = priority } }

    /// MIDI thread. If notices are not read, the oldest are dropped.
    func write(
        sources: [MIDISource], destinations: [MIDIDestination], counters: MIDICounters, notices: [MIDINotice],
        master: String?
    ) {
        state.withLock { state in
            state.sources = sources
            state.destinations = destinations
            state.counters = counters
            state.master = master
            state.notices += notices
            state.notices.removeFirst(max(state.notices.count - Self.noticeLimit, 0))
        }
    }

    var master: String? { state.withLock { $0.master } }

    /// MIDI thread.
    func hear(_ message: StampedClockMessage) {
        state.withLock { state in
            if state.clock.count >= Self.clockLimit { state.clock.removeFirst(Self.clockLimit / 2) }
            state.clock.append(message)
        }
    }

    func takeClock() -> [StampedClockMessage] {
        state.withLock { state in
            defer { state.clock.removeAll(keepingCapacity: true) }
            return state.clock
        }
    }

    func takeNotices() -> [MIDINotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    func ask(_ command: MIDIClientSession.Command) { state.withLock { $0.commands.append(command) } }

    func takeCommands() -> [MIDIClientSession.Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }
}
