import Reports
import Synchronization

/// The inbox for commands to a session, from any thread and any number of surfaces: the terminal, a socket, a pedal.
///
/// The session takes them out in the order of their arrival, on its own thread, with every `maintain`. Any thread.
public final class CommandInbox: Sendable {
    /// A closure that gets the outcome of a command, or the reason why it was refused.
    public typealias Answer = @Sendable (Result<CommandOutcome, Fault>) -> Void

    /// A command, its origin, and the closure that waits for its answer.
    package struct Item: Sendable {
        package let command: ControlCommand
        package let asker: Asker?
        package let answer: Answer?
    }

    /// The most commands that may wait; further ones are refused.
    public static let room = 1024
    private struct State {
        var waiting: [Item] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Creates an inbox that belongs to no session yet. A session makes its own; a program that steers several sessions in turn
    /// makes one.
    public init() {}

    /// Hands a command over.
    ///
    /// - Parameters:
    ///   - asker: the origin of the command, for log and status; nil means none in particular.
    ///   - answer: called on the session's thread once it was done or refused.
    /// - Returns: false if `room` commands wait already, or the session has ended; then nothing is done, and `answer` is not
    ///   called.
    @discardableResult
    public func post(_ command: ControlCommand, by asker: Asker? = nil, answer: Answer? = nil) -> Bool {
        state.withLock { state in
            if state.isClosed || state.waiting.count == Self.room { return false }
            state.waiting.append(Item(command: command, asker: asker, answer: answer))
            return true
        }
    }

    /// Takes out the commands that have arrived. Session's thread.
    package func take() -> [Item] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Accepts no more commands, and returns those that are left. Session's thread.
    package func close() -> [Item] {
        state.withLock { $0.isClosed = true }
        return take()
    }
}

/// The outcome of a command, apart from its sound.
public enum CommandOutcome: Sendable, Hashable {
    /// The command takes effect with the next slices.
    case done
    /// A file was written at this path: a song with a journal beside it, a patch, a preset.
    case saved(path: String)
    /// The command takes effect, and is called this from now on.
    case renamed(to: String)
    /// The answer of a verb that only asks.
    case told(FieldValue)
}
