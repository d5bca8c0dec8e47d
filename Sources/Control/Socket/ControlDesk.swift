import Carillon
import Glibc
import Synchronization

/// What lies between the threads of a control socket: the latest snapshot and answers on their way to clients.
///
/// The session's thread writes both; the socket's thread reads them when it is woken. Answers are as many as requests that wait
/// for one, which are bounded.
final class ControlDesk: Sendable {
    /// An answer, and whose it is.
    struct Answer: Sendable {
        let client: Int
        let request: Int
        let text: String
    }

    private struct State {
        var snapshot = SessionSnapshot()
        /// How often one was published.
        var edition = 0
        var answers: [Answer] = []
        var isEnding = false
    }

    let role: ControlRole
    let news: WakeUp
    let arrivals: WakeUp
    private let inbox: CommandInbox
    private let state = Mutex(State())

    init(inbox: CommandInbox, role: ControlRole, path: String) throws(ControlSocketError) {
        guard let news = WakeUp(), let arrivals = WakeUp() else { throw .system(call: "pipe", path: path, code: errno) }
        (self.inbox, self.role, self.news, self.arrivals) = (inbox, role, news, arrivals)
    }

    // MARK: - Session's thread

    func publish(_ snapshot: SessionSnapshot) {
        state.withLock {
            $0.snapshot = snapshot
            $0.edition += 1
        }
        news.wake()
    }

    private func take(_ answer: Answer) {
        state.withLock { $0.answers.append(answer) }
        news.wake()
    }

    /// Asks the socket's thread to end; false where it was asked before.
    func end() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        news.wake()
        return isFirst
    }

    // MARK: - Socket's thread

    var snapshot: SessionSnapshot { state.withLock { $0.snapshot } }
    var edition: Int { state.withLock { $0.edition } }
    var isEnding: Bool { state.withLock { $0.isEnding } }

    func takeAnswers() -> [Answer] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    /// Hands a command to the session; false where it takes none.
    func post(_ command: ControlCommand, client: Int, request: Int) -> Bool {
        let isTaken = inbox.post(command) { [weak self] result in
            self?.take(Answer(client: client, request: request, text: Self.text(result)))
        }
        if isTaken { arrivals.wake() }
        return isTaken
    }

    private static func text(_ result: Result<CommandOutcome, LiveError>) -> String {
        switch result {
        case .success(.done): "ok"
        case .success(.saved(let path)): "ok saved \(oneLine(path))"
        case .failure(let error): "error \(oneLine("\(error)"))"
        }
    }

    /// A text that breaks no line, whatever is in it.
    static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let breaks = scalar.value < 32 || (127..<160).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
            line.append(breaks ? "?" : scalar)
        }
        return String(line)
    }
}
