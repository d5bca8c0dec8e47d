import Synchronization

/// Where commands for a session arrive, from any thread and any number of surfaces: the terminal, a socket, a pedal.
///
/// The session takes them out in the order in which they came, on its own thread, with every `maintain`. Any thread.
public final class CommandInbox: Sendable {
    /// A closure that is told what became of a command: what was written, or why it was refused.
    public typealias Answer = @Sendable (Result<CommandOutcome, LiveError>) -> Void

    /// A command with the one who waits for its answer.
    package struct Item: Sendable {
        package let command: ControlCommand
        package let asker: Asker?
        package let answer: Answer?
    }

    /// Commands that wait at most; who sends more is told so.
    public static let room = 1024
    private struct State {
        var waiting: [Item] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// An inbox of nobody yet: a session has its own; who steers several sessions, one after another, makes one for himself.
    public init() {}

    /// Hands a command over.
    ///
    /// - Parameters:
    ///   - asker: whoever asks, for log and status; nil: nobody in particular.
    ///   - answer: called on the session's thread once it was done or refused.
    /// - Returns: false where `room` commands wait already, or the session has ended; then nothing is done, and nobody is
    ///   answered.
    @discardableResult
    public func post(_ command: ControlCommand, by asker: Asker? = nil, answer: Answer? = nil) -> Bool {
        state.withLock { state in
            if state.isClosed || state.waiting.count == Self.room { return false }
            state.waiting.append(Item(command: command, asker: asker, answer: answer))
            return true
        }
    }

    /// Takes out what has come. Session's thread.
    package func take() -> [Item] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Takes nothing more, and gives out what is left. Session's thread.
    package func close() -> [Item] {
        state.withLock { $0.isClosed = true }
        return take()
    }
}

/// The outcome of a command, beside what is heard.
public enum CommandOutcome: Sendable, Hashable {
    /// The command takes effect with the next slices.
    case done
    /// A file was written at this path: a song with a journal beside it, a patch, a preset.
    case saved(path: String)
    /// The answer of a verb that only asks.
    case told(FieldValue)
}
