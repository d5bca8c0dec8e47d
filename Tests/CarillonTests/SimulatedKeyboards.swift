import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Synchronization

/// Keyboards in simulated time: their owner plugs them in, plays them and pulls them out. Any thread; events go to the
/// renderer on the thread that plays.
final class SimulatedKeyboards: MIDISystem, MIDIInlet {
    private struct Keyboard {
        let source: SourceLedger.Source
        let name: String
        let input: UInt8
        var events = 0
    }

    private struct State {
        var setup: MIDIInletSetup?
        var isRunning = false
        var keyboards: [Keyboard] = []
        var ledger = SourceLedger()
        var sentences: [String] = []
        var clock: [StampedClockMessage] = []
        var dropped = 0
        var count: UInt32 = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    /// - Parameter now: nanoseconds of the simulated clock, as `SimulatedPort.nanoseconds`.
    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Plugs a keyboard in, which plays an input port, 0...15.
    func plug(_ name: String, input: Int = 0) {
        state.withLock { state in
            state.count += 1
            state.keyboards.append(
                Keyboard(source: .init(rawValue: Int(state.count)), name: name, input: UInt8(input)))
            state.sentences.append("\(name): connected")
        }
    }

    /// Pulls it out: what it holds ends.
    func unplug(_ name: String) {
        state.withLock { state in
            for keyboard in state.keyboards where keyboard.name == name {
                let ends = state.ledger.release(keyboard.source)
                for event in ends { Self.send(event, &state, at: now()) }
                state.sentences.append("\(name): gone; \(ends.count) held notes, pedals and bends released")
            }
            state.keyboards.removeAll { $0.name == name }
        }
    }

    /// Plays an event on a keyboard, now; on one that is not plugged in nothing is heard.
    func play(_ event: MusicEvent, on name: String) {
        state.withLock { state in
            guard state.isRunning, let place = state.keyboards.firstIndex(where: { $0.name == name }) else { return }
            var event = event
            if case .message(var message) = event {
                message.port = state.keyboards[place].input
                event = .message(message)
            }
            state.keyboards[place].events += 1
            var events: [MusicEvent] = []
            state.ledger.take(event, from: state.keyboards[place].source) { events.append($0) }
            for event in events { Self.send(event, &state, at: now()) }
        }
    }

    /// Sends a message of the master, now.
    func say(_ message: ClockMessage) {
        state.withLock { $0.clock.append(StampedClockMessage(message, at: now())) }
    }

    private static func send(_ event: MusicEvent, _ state: inout State, at nanoseconds: Int64) {
        guard let setup = state.setup else { return }
        let time: SampleTime = setup.isImmediate ? .inTurn : setup.time(nanoseconds) ?? .inTurn
        for var command in setup.filter(event, time) {
            command.time = time
            if !setup.send(command) { state.dropped += 1 }
        }
    }

    /// Remembers where events go.
    func open(
        _ setup: MIDIInletSetup
    ) throws(MIDIInletError) -> (inlet: any MIDIInlet, outlet: (any MIDIOutlet)?) {
        state.withLock { $0.setup = setup }
        return (self, nil)
    }

    /// Events are heard from now on.
    func start() { state.withLock { $0.isRunning = true } }

    /// Ends what is held; nothing is heard any more.
    func stop() {
        state.withLock { state in
            for keyboard in state.keyboards {
                for event in state.ledger.release(keyboard.source) { Self.send(event, &state, at: now()) }
            }
            state.isRunning = false
        }
    }

    /// The keyboards that are plugged in.
    var keyboards: [MIDIKeyboard] {
        state.withLock { state in
            state.keyboards.map { keyboard in
                MIDIKeyboard(
                    name: keyboard.name, identity: keyboard.name, isConnected: true, reason: "plugged in",
                    heldNotes: state.ledger.noteCount(of: keyboard.source), events: keyboard.events)
            }
        }
    }

    /// Events that found no room.
    var droppedEvents: Int { state.withLock { $0.dropped } }

    /// Sentences on what came and went.
    func takeSentences() -> [String] {
        state.withLock { state in
            defer { state.sentences = [] }
            return state.sentences
        }
    }

    /// The messages of `say`.
    func takeClock() -> [StampedClockMessage] {
        state.withLock { state in
            defer { state.clock = [] }
            return state.clock
        }
    }

    /// The master that was asked for.
    var master: String? { state.withLock { $0.setup?.master } }

    /// Ends what one holds.
    func release(keyboard identity: String) {
        state.withLock { state in
            for keyboard in state.keyboards where keyboard.name == identity {
                for event in state.ledger.release(keyboard.source) { Self.send(event, &state, at: now()) }
            }
        }
    }

    /// Ends what all hold.
    func releaseAll() {
        state.withLock { state in
            for event in state.ledger.panic(ports: state.setup?.ports ?? 1) { Self.send(event, &state, at: now()) }
        }
    }
}
