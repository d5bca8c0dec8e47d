import Carillon
import Synchronization

/// Takes the events of keyboards and buttons that ask for cues; none of them sounds. MIDI thread in, control side out.
public final class CueFilter: MIDIFilter {
    /// An action of a keyboard on a cue.
    public enum Call: Hashable, Sendable {
        case ask(String)
        case release(String)
    }

    private struct State {
        var cues: [Cue]
        var calls: [Call] = []
        /// Channels and numbers of controllers above their middle.
        var pressed: Set<Int> = []
    }

    /// Calls beyond it are dropped.
    private static let room = 256
    private let state: Mutex<State>

    /// - Parameter cues: the cues that can be requested.
    public init(_ cues: [Cue]) { state = Mutex(State(cues: cues)) }

    func replace(_ cues: [Cue]) { state.withLock { $0.cues = cues } }

    /// Takes the calls that were made since the last time.
    public func take() -> [Call] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }

    /// Returns no events: a keyboard for cues plays nothing.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        if case .message(let message) = event { state.withLock { Self.hear(message, &$0) } }
        return []
    }

    private static func hear(_ message: MIDIMessage, _ state: inout State) {
        func call(_ trigger: Cue.Trigger, isDown: Bool) {
            for cue in state.cues where cue.triggers.contains(trigger) && cue.channel ?? message.part + 1 == message.part + 1 {
                if state.calls.count < room { state.calls.append(isDown ? .ask(cue.name) : .release(cue.name)) }
            }
        }
        switch message.kind {
        case .noteOn: call(.key(message.data1), isDown: message.data2 > 0)
        case .noteOff: call(.key(message.data1), isDown: false)
        case .programChange: call(.program(message.data1), isDown: true)
        case .controlChange:
            let switched = message.part * 128 + Int(message.data1), isDown = message.data2 >= 64
            // A knob that is turned sends many values: crossing the middle is what counts.
            guard isDown != state.pressed.contains(switched) else { return }
            if isDown { state.pressed.insert(switched) } else { state.pressed.remove(switched) }
            call(.controller(message.data1), isDown: isDown)
        case .channelPressure, .keyPressure, .pitchBend, nil: break
        }
    }
}
