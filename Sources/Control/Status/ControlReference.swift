import Carillon
import Reports

/// The page of the documentation that is made from the declarations.
public struct ControlReference {
    private let grammar: ControlGrammar

    /// The page of a grammar.
    public init(_ grammar: ControlGrammar) { self.grammar = grammar }

    /// The page in Markdown: every request, every metric.
    public var markdown: String {
        """
        # Control

        The requests that a session accepts through its socket (<doc:SteerFromOutside>), its status and its metrics. Made from the declarations.

        ## Requests

        \(grammar.reference)
        ## Status

        `status` and `watch` answer one line of JSON with these keys, always all of them; what does not exist is null. Keys and
        metrics with `house` are those of an installation.

        \(status)

        ## Metrics

        `metrics` answers these under `name`; a Prometheus server knows them by the name in the first column.

        \(metrics)
        """
    }

    private var metrics: String {
        let rows = SessionMetrics.metrics(grammar.vocabulary).map { metric in
            "| `\(metric.prometheusName)` | `\(metric.name)` | \(metric.kind.rawValue) | \(metric.help) |"
        }
        return (["| Prometheus | `name` | kind | what it says |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    private func rows(_ shape: FieldShape, below path: String = "") -> [String] {
        switch shape {
        case .group(let members):
            members.flatMap { member in
                let name = path + member.name
                return ["| `\(name)` | \(member.shape.word) | \(member.help) |"] + rows(member.shape, below: name + ".")
            }
        case .list(let item): rows(item, below: String(path.dropLast()) + "[].")
        case .optional(let shape): rows(shape, below: path)
        case .text, .whole, .number, .flag, .choice: []
        }
    }

    var status: String {
        (["| key | kind | what it says |", "|---|---|---|"] + rows(grammar.vocabulary.shape)).joined(separator: "\n")
    }
}

extension FieldShape {
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .whole: "whole number"
        case .number: "number"
        case .flag: "true, false"
        case .choice(let words): words.joined(separator: ", ")
        case .list: "list"
        case .group: "object"
        case .optional(let shape): shape.word + " or null"
        }
    }
}
