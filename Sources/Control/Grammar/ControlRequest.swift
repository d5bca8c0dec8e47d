import Carillon
import Reports
import UnitAPI

/// The request that a line makes: a command to the session, or a question.
public enum ControlRequest: Sendable, Hashable {
    case command(ControlCommand)
    /// Asks for the state of the session.
    case status
    /// The numbers that are watched over months.
    case metrics
    /// Asks for the state of the session repeatedly, this many seconds apart.
    case watch(every: Double)
    /// Asks what may be asked.
    case help
    /// Asks for something that changes seldom, or is long.
    case tell(ControlQuestion)
    /// Limits the client to a role from here on.
    case role(ControlRole.Name)
}

/// A question that the socket answers, other than `status`.
public enum ControlQuestion: Sendable, Hashable {
    /// The most recent log lines.
    case log
    /// The session's health: all is well, or the trouble.
    case health
    /// The metrics as a Prometheus server reads them, as one JSON string.
    case prometheus
    /// A description of the HTTP interface that speaks for this socket.
    case openAPI
}

struct AskingVerb: Sendable {
    let verb: Verb
    let request: @Sendable ([VerbValue]) -> ControlRequest
    /// The shape of the answer; nil if the answer is a single word or is sent repeatedly.
    let shape: @Sendable (SessionVocabulary) -> FieldShape?

    private init(
        _ verb: Verb, _ shape: @escaping @Sendable (SessionVocabulary) -> FieldShape? = { _ in nil },
        _ request: @escaping @Sendable ([VerbValue]) -> ControlRequest
    ) {
        (self.verb, self.shape, self.request) = (verb, shape, request)
    }

    private init(
        _ words: String, help: String, tells shape: @escaping @Sendable (SessionVocabulary) -> FieldShape? = { _ in nil },
        _ request: ControlRequest
    ) {
        self.init(Verb(asking: words, help: help, words), shape) { _ in request }
    }

    static let all = [
        AskingVerb("status", help: "Reports the status.", tells: { $0.shape }, .status),
        AskingVerb(
            "metrics", help: "Reports the metrics, for monitoring over months.", tells: { _ in SessionMetrics.shape }, .metrics),
        AskingVerb(
            "metrics prometheus", help: "Reports them in the format of Prometheus, as a JSON string.", .tell(.prometheus)),
        watch,
        AskingVerb("log", help: "Lists the latest messages.", tells: { _ in ControlLog.shape }, .tell(.log)),
        AskingVerb("health", help: "Reports whether all is well: ok, or an error that says what is wrong.", .tell(.health)),
        AskingVerb("help", help: "Lists the requests.", tells: { _ in [ControlGrammar.HelpLine].shape }, .help),
        AskingVerb(
            "openapi", help: "Describes the HTTP interface of carillon-gateway, in OpenAPI.", .tell(.openAPI)),
        AskingVerb(
            Verb(
                asking: "role", [.init("ROLE", .choice(ControlRole.Name.allCases.map(\.rawValue)))],
                help: "Restricts this client from now on: \(ControlRole.Name.help).", "role reader")
        ) { .role($0[0].text.flatMap(ControlRole.Name.init) ?? .reader) },
    ]

    static let watch = AskingVerb(
        Verb(
            asking: "watch", [.init("TIME", .number(interval), isOptional: true)],
            help: "Reports the status repeatedly.", "watch 0.5s")
    ) { .watch(every: $0[0].number ?? Double(interval.initial)) }

    /// Seconds between two lines of `watch`.
    private static let interval = ParameterSpec(
        "time", 0.05...3600, default: 1, unit: .seconds, help: "The time between two lines.")
}

extension VerbValue {
    fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension ControlRequest {
    private var values: [VerbValue] {
        switch self {
        case .command(let command): command.values
        case .watch(let seconds): [.number(seconds)]
        case .role(let name): [.text(name.rawValue)]
        case .status, .metrics, .help, .tell: []
        }
    }

    /// The verb of the request, and the values that follow it.
    var saying: (verb: Verb, values: [VerbValue]) {
        if case .command(let command) = self { return (command.verb, command.values) }
        let values = values
        let asking = AskingVerb.all.first { $0.verb.arguments.count == values.count && $0.request(values) == self }
        return ((asking ?? AskingVerb.watch).verb, values)
    }
}
