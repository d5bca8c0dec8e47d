import Carillon
import Glibc
import Reports
import Synchronization

/// The exchange between the threads of a control socket: the latest snapshot and answers on their way to clients.
///
/// The session's thread writes both; the socket's thread reads them when it is woken. Answers are as many as requests that wait
/// for one, which are bounded.
final class ControlExchange: Sendable {
    struct Answer: Sendable {
        let client: Int
        let request: Int
        let text: String
    }

    private struct Asked {
        let question: ControlCommand
        let client: Int
        let request: Int
    }

    private struct State {
        var snapshot = SessionSnapshot()
        var time: Double
        var questions: [Asked] = []
        var log = ControlLog()
        var edition = 0
        var answers: [Answer] = []
        var isEnding = false
        /// Trouble with the ways to the session, if there is any.
        var trouble: String?
    }

    /// Reports trouble around the session; nil once it is over.
    func tell(trouble: String?) { state.withLock { $0.trouble = trouble } }

    let grammar: ControlGrammar
    let role: ControlRole
    let news: WakeUp
    let arrivals: WakeUp
    private let inbox: CommandInbox
    private let clock: @Sendable () -> Double
    private let state: Mutex<State>

    /// Seconds per turn of the session after which no further question is begun.
    static let mostTime = 0.005
    /// Seconds without a publication by the session after which it counts as stuck.
    static let patience = 30.0

    init(
        inbox: CommandInbox, grammar: ControlGrammar, role: ControlRole, path: String, clock: @escaping @Sendable () -> Double
    ) throws(Fault) {
        guard let news = WakeUp(), let arrivals = WakeUp() else { throw .cannotListen(call: "pipe", path: path, code: errno) }
        (self.inbox, self.grammar, self.role) = (inbox, grammar, role)
        (self.news, self.arrivals, self.clock) = (news, arrivals, clock)
        state = Mutex(State(time: clock()))
    }

    // MARK: - Session's thread

    func publish(_ snapshot: SessionSnapshot, answering answer: (ControlCommand) throws(Fault) -> CommandOutcome) {
        let now = clock()
        let questions = state.withLock { state in
            state.snapshot = snapshot
            state.time = now
            state.edition += 1
            defer { state.questions = [] }
            return state.questions
        }
        var rest = questions[...]
        while let asked = rest.popFirst() {
            let result: Result<CommandOutcome, Fault>
            do throws(Fault) { result = .success(try answer(asked.question)) } catch { result = .failure(error) }
            take(Answer(client: asked.client, request: asked.request, text: Self.text(result)))
            // Music has priority: the remaining questions wait for the next turn.
            if clock() - now > Self.mostTime { break }
        }
        if !rest.isEmpty {
            let left = Array(rest)
            state.withLock { $0.questions.insert(contentsOf: left, at: 0) }
            arrivals.wake()
        }
        news.wake()
    }

    func tell(_ text: String, at time: String) { state.withLock { $0.log.take(text, at: time) } }

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

    /// Hands a command to the session; false where it takes none. What changes nothing waits for a turn with time for it.
    func post(_ command: ControlCommand, by asker: Asker? = nil, client: Int, request: Int) -> Bool {
        if command.verb.role == .look {
            state.withLock { $0.questions.append(Asked(question: command, client: client, request: request)) }
            arrivals.wake()
            return true
        }
        let isTaken = inbox.post(command, by: asker) { [weak self] result in
            self?.take(Answer(client: client, request: request, text: Self.text(result)))
        }
        if isTaken { arrivals.wake() }
        return isTaken
    }

    /// The answer to a question that the exchange can answer by itself.
    func answer(_ question: ControlQuestion) -> String {
        switch question {
        case .log: state.withLock { $0.log.json }
        case .health: health
        case .prometheus: FieldValue.text(SessionMetrics(snapshot, of: grammar.vocabulary).prometheusText).json
        case .openAPI: OpenAPI(grammar: grammar).text
        }
    }

    private var health: String {
        let (snapshot, time) = state.withLock { ($0.snapshot, $0.time) }, silence = clock() - time
        if silence > Self.patience { return "error the session has not answered for \(Int(silence)) s" }
        switch snapshot.health {
        case .well?: break
        case .trouble(let text)?: return "error \(OneLine.text(text))"
        case nil:
            if let fault = snapshot.device.fault, snapshot.device.name == nil { return "error \(OneLine.text(fault))" }
            if snapshot.device.state == "lost" { return "error the sound card is lost" }
        }
        if let trouble = state.withLock({ $0.trouble }) { return "error \(OneLine.text(trouble))" }
        if let fault = snapshot.captureFault { return "error \(OneLine.text(fault))" }
        return "ok"
    }

    /// The status as a line of JSON.
    var status: String { grammar.vocabulary.status(snapshot).json }
    var metrics: String { SessionMetrics(snapshot, of: grammar.vocabulary).json }

    private static func text(_ result: Result<CommandOutcome, Fault>) -> String {
        switch result {
        case .success(.done): "ok"
        case .success(.renamed(let words)): "ok write \(words)"
        case .success(.saved(let path)): "ok saved \(OneLine.text(wholePath(path)))"
        case .success(.told(let value)): value.json
        case .failure(let error): "error \(OneLine.text("\(error)"))"
        }
    }

    /// The absolute path: the client's working folder may differ from the session's.
    private static func wholePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let whole = String(cString: folder)
        return (whole.hasSuffix("/") ? whole : whole + "/") + path
    }
}
