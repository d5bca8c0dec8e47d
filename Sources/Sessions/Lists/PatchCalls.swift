import MIDI
import Synchronization

/// The program changes that select patches of a set list. The MIDI thread brings them, the session's takes them.
final class PatchCalls: Sendable {
    private let programs: SetList.Programs
    private let input: UInt8?
    /// The program that was called last and not taken.
    private let called = Mutex<UInt8?>(nil)

    /// Hears `programs` on the input port of their keyboard.
    init(_ programs: SetList.Programs, _ inputs: KeyboardInputs) {
        self.programs = programs
        input = inputs.input(of: programs.keyboard)
    }

    /// Returns true for a program change on its channel and keyboard, which nothing else hears. MIDI thread.
    func claims(_ event: MusicEvent) -> Bool {
        guard case .message(let message) = event, programs.claims(message, input: input) else { return false }
        called.withLock { $0 = message.data1 }
        return true
    }

    /// Takes out the program that was called last; nil for none since the last time. Control side.
    func take() -> Int? {
        called.withLock { called in
            defer { called = nil }
            return called.map { Int($0) }
        }
    }
}

extension SetList.Programs {
    /// Returns true for a program change on its channel and keyboard, whose input port this is; nil means any.
    func claims(_ message: MIDIMessage, input: UInt8?) -> Bool {
        message.kind == .programChange && channel ?? Int(message.channel) + 1 == Int(message.channel) + 1
            && input ?? message.port == message.port
    }
}
